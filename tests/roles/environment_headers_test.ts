import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { runBowire } from "../fakes/bowire_process.ts";
import { type Conversation, startStdio } from "../fakes/conversation.ts";
import { Home } from "../fakes/home.ts";
import { json, openapi, serve, type Site } from "../plugins/rest/fixture.ts";

/** Path, application id and authorization of all that a site was asked for. */
function seenAt(site: Site): (string | null)[][] {
  return site.received.map(({ path, headers }) => [
    path,
    headers.get("x-app-id"),
    headers.get("authorization"),
  ]);
}

/** A site with a document whose methods are called at itself and at another, or redirected there. */
function serveApi(other: Site): Site {
  const get = (operationId: string, others = {}) => ({ get: { operationId, ...others } });
  const document = openapi({
    "/near": get("near"),
    "/far": get("far", { servers: [{ url: other.url }] }),
    "/away": get("away"),
  });
  return serve({
    "/openapi.json": json(document),
    "/away": () => Response.redirect(`${other.url}/landed`),
  }, json({}));
}

/** Writes an active environment for a server. */
async function activate(
  home: Home,
  serverUrl: string,
  members: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await home.put("environments.json", {
    globals: { APP: "42", TOKEN: "CANARY" },
    environments: [
      {
        id: "e",
        name: "e",
        serverUrl,
        headers: { "X-App-Id": "{{APP}}", "X-Missing": "{{secret.app}}" },
        auth: { type: "bearer", token: "{{TOKEN}}" },
        ...members,
      },
      { id: "other", serverUrl, headers: { "X-Other": "1" } },
    ],
    activeEnvId: "e",
  });
}

async function startAgent(home: Home, ...urls: readonly string[]): Promise<Conversation> {
  const agent = startStdio(home, urls.flatMap((url) => ["--allow-url", url]));
  await agent.initialize();
  return agent;
}

const GIVEN = ["42", "Bearer CANARY"];

Deno.test("C23 bowire call sends the active environment's headers, and shows none of them", async () => {
  await using home = await Home.make();
  await using other = serve({}, json({}));
  await using site = serveApi(other);
  await activate(home, `${site.url}/some/path`);
  const run = (...args: string[]) =>
    runBowire(home, [...args, "--url", `${site.url}/openapi.json`]);
  const runs = [await run("discover"), await run("call", "Default/near"), await run("call", "GET")];
  for (const { code, stdout, stderr } of runs) {
    strictEqual(code, 0, stderr);
    doesNotMatch(stdout + stderr, /CANARY/);
  }
  deepStrictEqual(seenAt(site), [
    ["/openapi.json", ...GIVEN],
    ["/openapi.json", ...GIVEN],
    ["/near", ...GIVEN],
    ["/openapi.json", ...GIVEN],
  ]);
  for (const { headers } of site.received) {
    deepStrictEqual([headers.get("x-missing"), headers.get("x-other")], [null, null]);
  }
});

Deno.test("C23 bowire.invoke sends the environment's headers to its origin and to no other", async () => {
  await using home = await Home.make();
  await using other = serve({}, json({}));
  await using site = serveApi(other);
  await activate(home, site.url);
  await using agent = await startAgent(home, site.url, other.url);
  const url = `${site.url}/openapi.json`;
  const call = async (method: string, args: Readonly<Record<string, unknown>> = {}) => {
    const { isError, structuredContent } = await agent.call("bowire.invoke", {
      url,
      service: "Default",
      method,
      ...args,
    });
    ok(isError !== true, JSON.stringify(structuredContent));
  };
  await agent.call("bowire.discover", { url });
  for (const method of ["near", "far", "away"]) await call(method);
  await call("GET", { service: "", url: `${site.url}/x` });
  await call("GET", { service: "", url: `${other.url}/x` });
  deepStrictEqual(seenAt(site), [
    ["/openapi.json", ...GIVEN],
    ["/near", ...GIVEN],
    ["/away", ...GIVEN],
    ["/x", ...GIVEN],
  ]);
  deepStrictEqual(seenAt(other), [
    ["/far", null, null],
    ["/landed", null, null],
    ["/x", null, null],
  ]);
  await agent.finish();
  doesNotMatch(agent.lines.join("\n") + agent.stderr, /CANARY/);
});

Deno.test("C23 what a call says itself comes before the environment, in any case of the name", async () => {
  await using home = await Home.make();
  await using other = serve({}, json({}));
  await using site = serveApi(other);
  await activate(home, site.url);
  await using agent = await startAgent(home, site.url);
  for (const metadata of [{ "x-app-id": "7" }, { AUTHORIZATION: "Basic x" }]) {
    await agent.call("bowire.invoke", {
      url: site.url,
      service: "Default",
      method: "near",
      metadata,
    });
    await agent.call("bowire.invoke", {
      url: `${site.url}/x`,
      service: "",
      method: "GET",
      metadata,
    });
  }
  deepStrictEqual(seenAt(site).filter(([path]) => path === "/near" || path === "/x"), [
    ["/near", "7", "Bearer CANARY"],
    ["/x", "7", "Bearer CANARY"],
    ["/near", "42", "Basic x"],
    ["/x", "42", "Basic x"],
  ]);
});

Deno.test("C23 a change of environments.json holds for the next call", async () => {
  await using home = await Home.make();
  await using site = serve({}, json({}));
  await activate(home, site.url);
  await using agent = await startAgent(home, site.url);
  const call = () => agent.call("bowire.invoke", { url: site.url, service: "", method: "GET" });
  await call();
  await activate(home, site.url, { headers: { "X-App-Id": "43" }, auth: null });
  await call();
  await activate(home, site.url.replace("127.0.0.1", "localhost"));
  await call();
  await home.put("environments.json", '{"environments": [');
  await call();
  deepStrictEqual(seenAt(site), [["/", ...GIVEN], ["/", "43", null], ["/", null, null], [
    "/",
    null,
    null,
  ]]);
});

Deno.test("C23 an environment's API key for the query is sent, and masked where URLs are shown", async () => {
  await using home = await Home.make();
  await using site = serve({
    "/x": (request) => Response.redirect(new URL("/y?api_key=CANARY", request.url)),
  }, json({}));
  await activate(home, site.url, {
    auth: { type: "apikey", name: "api_key", value: "{{TOKEN}}", location: "query" },
  });
  const { code, stdout, stderr } = await runBowire(home, [
    "call",
    "GET",
    "--json",
    "--url",
    `${site.url}/x`,
  ]);
  strictEqual(code, 0, stderr);
  deepStrictEqual(site.received.map(({ path }) => path), [
    "/x?api_key=CANARY",
    "/y?api_key=CANARY",
  ]);
  match(stdout, /http_url/);
  doesNotMatch(stdout + stderr, /CANARY/);
});

Deno.test("C23 a header that no request can carry is refused without its value", async () => {
  await using home = await Home.make();
  await using site = serve({}, json({}));
  await activate(home, site.url, { headers: { "X-App-Id": "CANARY\nX: 1" } });
  const { code, stdout, stderr } = await runBowire(home, ["call", "GET", "--url", site.url]);
  ok(code !== 0);
  match(stderr, /cannot send the header "X-App-Id"/);
  doesNotMatch(stdout + stderr, /CANARY/);
  deepStrictEqual(site.received, []);
});
