import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { runBowire, startAdapter } from "../../fakes/bowire_process.ts";
import { Home } from "../../fakes/home.ts";
import { INITIALIZE, MCP_HEADERS, post } from "../../fakes/mcp_requests.ts";
import { sendRaw } from "../../fakes/raw_http.ts";
import { openShop } from "../../adapter/shop.ts";
import { json, openapi, serve, type Site } from "../../plugins/rest/fixture.ts";
import { Agent, dataOf, errorOf, goodText, infoUrl, openAdapted, rediscover } from "./fixture.ts";

const OK = { responses: { 200: { description: "ok" } } };
const get = (operationId: string, others = {}) => ({
  get: { operationId, tags: ["t"], ...OK, ...others },
});

/** All that a site was asked for, headers and all, as one text. */
function asked({ received }: Site): string {
  return received.map(({ path, headers, body }) => [path, ...[...headers].flat(), body].join("\n"))
    .join("\n\n");
}

Deno.test("an agent's own credentials go to no API, and headers only when named", async () => {
  await using shop = openShop();
  await using adapted = await openAdapted([
    ...["--url", shop.url, "--forward-header", "X-Tenant", "X-Trace"],
    ...["-H", "Authorization: Bearer OURS", "-H", "X-Trace: ours"],
  ]);
  for (const era of ["legacy", "modern"] as const) {
    const headers = {
      authorization: "Bearer CANARY-1",
      cookie: "session=CANARY-2",
      "proxy-authorization": "Basic CANARY-3",
      "x-secret": "CANARY-4",
      "x-tenant": era,
      "x-trace": "theirs",
    };
    await using agent = await Agent.overHttp(adapted.server.url, { era, headers });
    goodText(await agent.call("pets_listPets"));
    const arrived = shop.received.at(-1);
    equal(arrived?.path, "/pets");
    deepEqual(
      ["authorization", "cookie", "x-tenant", "x-trace"].map((name) => arrived?.headers.get(name)),
      ["Bearer OURS", null, era, "ours"],
    );
  }
  await rediscover(adapted.server);
  equal(shop.received.at(-1)?.headers.get("x-tenant"), null);
  doesNotMatch(asked(shop), /CANARY/);
});

Deno.test("--forward-header refuses what belongs to the agent's own connection", async () => {
  await using home = await Home.make();
  await using shop = openShop();
  await Promise.all(["authorization", "Cookie", "mcp-session-id"].map(async (name) => {
    const args = ["--url", shop.url, "--enable-mcp-adapter", "--forward-header", name];
    const { code, stdout, stderr } = await runBowire(home, args);
    deepEqual([code, stdout], [1, ""]);
    match(stderr, new RegExp(`cannot forward the header "${name}".*own connection\\n.*metadata`));
  }));
  deepEqual(shop.received, []);
});

const TOKEN = "canary-8b1e";

Deno.test("a token guards all that the adapter serves", async () => {
  await using home = await Home.make();
  await using shop = openShop();
  await using server = await startAdapter(home, ["--url", shop.url, "--token", TOKEN]);
  const info = infoUrl(server);
  const places = [["POST", server.url], ["GET", info], ["POST", `${info}/rediscover`]] as const;
  const statuses = async (headers: Record<string, string>) =>
    await Promise.all(places.map(async ([method, url]) => {
      const init = method === "GET" ? {} : { method, body: JSON.stringify(INITIALIZE) };
      const response = await fetch(url, { ...init, headers: { ...MCP_HEADERS, ...headers } });
      await response.body?.cancel();
      return response.status;
    }));
  const before = shop.received.length;
  deepEqual(await statuses({}), [401, 401, 401]);
  deepEqual(await statuses({ authorization: "Bearer wrong" }), [401, 401, 401]);
  equal(shop.received.length, before);
  const headers = { authorization: `Bearer ${TOKEN}` };
  deepEqual(await statuses(headers), [200, 200, 200]);
  await using agent = await Agent.overHttp(server.url, { headers });
  goodText(await agent.call("pets_listPets"));
  doesNotMatch(asked(shop) + server.stderr() + server.stdout(), new RegExp(TOKEN));
});

Deno.test("requests of foreign names and pages are refused, and the process stays up", async () => {
  await using home = await Home.make();
  await using shop = openShop();
  await using server = await startAdapter(home, ["--url", shop.url]);
  const before = shop.received.length;
  for (const line of ["Host: evil.example", "Host: localhost\r\nOrigin: http://evil.example"]) {
    for (const place of ["/mcp", "/api/mcp-adapter", "/api/mcp-adapter/rediscover"]) {
      const method = place === "/api/mcp-adapter" ? "GET" : "POST";
      const head = Object.entries(MCP_HEADERS).map(([name, value]) => `${name}: ${value}`);
      const lines = [`${method} ${place} HTTP/1.1`, line, ...head];
      const body = method === "GET" ? "" : JSON.stringify(INITIALIZE);
      equal((await sendRaw(server.url, lines, body)).status, 403, `${line} ${place}`);
    }
  }
  equal(shop.received.length, before);
  equal((await post(server.url, INITIALIZE)).status, 200);
});

Deno.test("C91 an API that leads beyond the allowlist is not followed, and the agent is told", async () => {
  await using other = serve({}, json({ secret: "CANARY" }));
  const document = openapi({
    "/away": get("away"),
    "/far": get("far", { servers: [{ url: other.url }] }),
  });
  await using site = serve({
    "/openapi.json": json(document),
    "/away": () => Response.redirect(`${other.url}/landed`),
  });
  await using adapted = await openAdapted(["--url", site.url]);
  for (const name of ["t_away", "t_far"]) {
    const refused = await adapted.agent.call(name);
    const { code, message, hint, retryable } = errorOf(refused);
    deepEqual([code, retryable], ["url_not_allowed", false], name);
    ok(message.includes(other.url), message);
    equal(hint, `Whoever started the adapter can allow it: --allow-url ${other.url}`);
    doesNotMatch(JSON.stringify(refused), /CANARY/);
  }
  deepEqual(other.received, []);
  await using allowed = await openAdapted(["--url", site.url, "--allow-url", other.url]);
  for (const name of ["t_away", "t_far"]) goodText(await allowed.agent.call(name));
  deepEqual(other.received.map(({ path }) => path), ["/landed", "/far"]);
});

/** An API that takes keys in the query and in headers, and fails in several ways. */
function serveKeyed(): Site {
  const key = [{ name: "id", in: "query", schema: { type: "string" } }];
  const document = openapi({
    "/fine": get("fine", { parameters: key }),
    "/broken": get("broken"),
    "/denied": get("denied"),
    "/moved": get("moved"),
    "/cut": get("cut"),
  });
  return serve({
    "/v1": json(document),
    "/fine": () => Response.json({ fine: true }, { headers: { "x-key": "CANARY" } }),
    "/broken": () => new Response("broken", { status: 500 }),
    "/denied": () =>
      new Response(null, { status: 401, headers: { "www-authenticate": "Bearer key=CANARY" } }),
    "/moved": (request) => {
      const { search } = new URL(request.url);
      return new Response(null, {
        status: 201,
        headers: { location: `/fine?token=CANARY${search}` },
      });
    },
    "/cut": () => Response.redirect("http://127.0.0.1:1/?api_key=CANARY"),
  });
}

Deno.test("what is secret is in no list, result, error, resource, prompt or log", async () => {
  await using site = serveKeyed();
  // Of several URLs each tool and each service tells its own.
  await using adapted = await openAdapted([
    ...["--url", `${site.url}/v1?api_key=CANARY-URL`, "--url", `${site.url}/v1?api_key=CANARY-TWO`],
    ...["-H", "X-Api-Key: CANARY-HEADER", "--header-for"],
    `${site.url}/v1?api_key=CANARY-URL Authorization: Bearer CANARY-FOR`,
  ], {
    env: { BOWIRE_LOG: "trace" },
    prepare: (home) =>
      home.put("environments.json", {
        globals: { TOKEN: "CANARY-ENV" },
        environments: [{ id: "e", serverUrl: site.url, headers: { "X-Env": "{{TOKEN}}" } }],
        activeEnvId: "e",
      }),
  });
  const { agent: { client }, agent, server } = adapted;
  const seen: unknown[] = [[...(await agent.tools()).values()], client.getInstructions()];
  for (const name of (await agent.tools()).keys()) {
    const result = await agent.call(name);
    equal(result.isError ?? false, !/^t_(?:fine|moved)_/.test(name), name);
    seen.push(result);
  }
  const { resources } = await client.listResources();
  equal(new Set(resources.map(({ uri }) => uri)).size, 2);
  for (const { uri } of resources) seen.push(await client.readResource({ uri }));
  const args = { service: "t", method: "fine" };
  for (const name of ["describe-service", "generate-sample-request"]) {
    seen.push(await client.getPrompt({ name, arguments: args }));
  }
  seen.push(resources, await rediscover(server), await (await fetch(infoUrl(server))).json());
  match(JSON.stringify(seen), /"url":"[^"]*api_key=\*\*\*/);
  // The secrets were sent, each of them.
  const sent = asked(site);
  for (const kind of ["URL", "TWO", "HEADER", "FOR", "ENV"]) {
    ok(sent.includes(`CANARY-${kind}`), kind);
  }
  doesNotMatch(JSON.stringify(seen), /CANARY/);
  equal((await server.stop()).code, 0);
  doesNotMatch(server.stdout() + server.stderr(), /CANARY/);
  match(server.stderr(), /\[info\].* t\/broken at /);
});

Deno.test("a URL that cannot be discovered is told of without its secrets", async () => {
  await using home = await Home.make();
  await using site = serve({});
  const url = `${site.url}/openapi.json?token=CANARY`;
  const args = ["--url", url, "-H", "X-Key: CANARY", "--enable-mcp-adapter", "--port", "0"];
  const { code, stdout, stderr } = await runBowire(home, args, { env: { BOWIRE_LOG: "trace" } });
  deepEqual([code, stdout], [1, ""]);
  match(stderr, /found no API at/);
  doesNotMatch(stderr, /CANARY/);
});

Deno.test("texts of an API cannot hide or move anything in what an agent reads", async () => {
  const hidden = "\u202e\u200b\u0007\u001b[31m";
  const description = `Says ${hidden}hello`;
  await using site = serve({
    "/openapi.json": json(openapi({
      "/a": get("greet", {
        summary: description,
        description,
        parameters: [{ name: "who", in: "query", description, schema: { type: "string" } }],
      }),
    })),
  }, json({}));
  await using adapted = await openAdapted(["--url", site.url, "--tools", "all"]);
  const { agent } = adapted;
  const list = JSON.stringify([...(await agent.tools()).values()]);
  match(list, /Says/);
  for (const sign of hidden) {
    if (sign < " " || sign > "~") ok(!list.includes(JSON.stringify(sign).slice(1, -1)), list);
  }
  deepEqual(dataOf(await agent.call("t_greet", { who: "you" })), {});
});
