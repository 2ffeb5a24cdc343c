import assert from "node:assert/strict";
import type { BowireError } from "../../../lib/errors/mod.ts";
import { api, json, openRest, serve, type Site } from "./fixture.ts";

const PING = { "/ping": { get: { operationId: "ping" } } };

/** A site that answers `{}` to everything. */
function anything(): Site {
  return serve({}, json({}));
}

/** Paths that a site was asked for, its document aside. */
function called(site: Site): string[] {
  return site.received.map(({ path }) => path).filter((path) => path !== "/openapi.json");
}

async function refusalOf(call: Promise<unknown>): Promise<BowireError> {
  return await call.then(() => assert.fail("nothing was refused"), (error) => error);
}

Deno.test("of several servers the first on the allowlist is called", async () => {
  await using first = anything();
  await using second = anything();
  await using site = api(PING, {
    servers: [{ url: `${first.url}/v1` }, { url: `${second.url}/v2` }, { url: "/v3" }],
  });
  const call = { method: "ping" };
  await openRest(site).invoke(call);
  assert.deepEqual([called(first), called(second), called(site)], [[], [], ["/v3/ping"]]);
  await openRest(site, { allowed: [site.url, second.url] }).invoke(call);
  assert.deepEqual([called(first), called(second)], [[], ["/v2/ping"]]);
  await openRest(site, { allowed: [site.url, second.url, first.url] }).invoke(call);
  assert.deepEqual([called(first), called(second)], [["/v1/ping"], ["/v2/ping"]]);
  assert.deepEqual(called(site), ["/v3/ping"]);
});

Deno.test("when none is allowed, the refusal names the first, and nothing is dialled", async () => {
  await using first = anything();
  await using second = anything();
  await using site = api(PING, { servers: [{ url: first.url }, { url: second.url }] });
  const refusal = await refusalOf(openRest(site).invoke({ method: "ping" }));
  assert.equal(refusal.code, "url_not_allowed");
  assert.ok(refusal.message.includes(`"${first.url}/ping" (servers entry of ${site.url}`));
  assert.ok(refusal.hint?.includes(`--allow-url ${first.url}`), refusal.hint ?? "");
  assert.deepEqual([called(first), called(second), called(site)], [[], [], []]);
});

Deno.test("the servers of each method are admitted on their own", async () => {
  await using other = anything();
  await using site = api({
    "/near": { get: { operationId: "near" } },
    "/far": { get: { operationId: "far", servers: [{ url: other.url }] } },
  });
  const rest = openRest(site);
  await rest.invoke({ method: "near" });
  assert.equal((await refusalOf(rest.invoke({ method: "far" }))).code, "url_not_allowed");
  await openRest(site, { allowed: [site.url, other.url] }).invoke({ method: "far" });
  assert.deepEqual([called(site), called(other)], [["/near"], ["/far"]]);
});

Deno.test("an entry with a path admits the servers below it only", async () => {
  await using site = api(PING, { servers: [{ url: "/admin" }, { url: "/public/v1" }] });
  const allowed = [`${site.url}/openapi.json`, `${site.url}/public`];
  await openRest(site, { allowed }).invoke({ method: "ping" });
  assert.deepEqual(called(site), ["/public/v1/ping"]);
  const refusal = await refusalOf(
    openRest(site, { allowed: [`${site.url}/openapi.json`] }).invoke({ method: "ping" }),
  );
  assert.equal(refusal.code, "url_not_allowed");
});

Deno.test("a path value does not climb out of an entry with a path", async () => {
  await using site = api({ "/pets/{id}/x": { get: { operationId: "pet" } } }, {
    servers: [{ url: "/public" }],
  });
  const rest = openRest(site, { allowed: [`${site.url}/openapi.json`, `${site.url}/public`] });
  for (
    const id of ["a", "../../admin", "..", "%2e%2e/%2e%2e", "..%2f..", "..\\..\\admin", "..;/"]
  ) {
    await rest.invoke({ method: "pet", message: { id } }).catch(() => {});
  }
  assert.ok(called(site).includes("/public/pets/a/x"));
  for (const path of called(site)) assert.match(path, /^\/public\/pets\/[^/]+\/x$/);
});

const TENANT = {
  url: "/{tenant}/{version}",
  variables: {
    tenant: { default: "demo" },
    version: { enum: ["v1", "v2"], default: "v1" },
  },
};

const VARIABLES: readonly (readonly [Readonly<Record<string, string>>, path: string])[] = [
  [{}, "/demo/v1/ping"],
  [{ __bowireServer__tenant: "acme" }, "/acme/v1/ping"],
  [{ __bowireServer__tenant: "$&$1", __bowireServer__version: "v2" }, "/$&$1/v2/ping"],
  [{ __bowireServer__unknown: "x" }, "/demo/v1/ping"],
];
for (const [metadata, path] of VARIABLES) {
  Deno.test(`a server's variables with ${JSON.stringify(metadata)} lead to ${path}`, async () => {
    await using site = api(PING, { servers: [TENANT] });
    await openRest(site).invoke({ method: "ping", metadata });
    assert.deepEqual(called(site), [path]);
    const sent = [...site.received.at(-1)?.headers.keys() ?? []];
    assert.deepEqual(sent.filter((name) => name.includes("bowire")), []);
  });
}

Deno.test("a value that a server's variable does not list is refused, and not quoted", async () => {
  await using site = api(PING, { servers: [TENANT] });
  const metadata = { __bowireServer__version: "CANARY" };
  const refusal = await refusalOf(openRest(site).invoke({ method: "ping", metadata }));
  assert.deepEqual([refusal.code, refusal.hint], ["invalid_argument", "it is one of: v1, v2"]);
  assert.match(refusal.message, /"version"/);
  assert.doesNotMatch(refusal.message, /CANARY/);
  assert.deepEqual(called(site), []);
});

Deno.test("a variable that the document forgot to describe is given by metadata", async () => {
  await using site = api(PING, { servers: [{ url: "/{tenant}/api" }] });
  const rest = openRest(site);
  const refusal = await refusalOf(rest.invoke({ method: "ping" }));
  assert.equal(refusal.code, "bad_document");
  assert.match(refusal.hint ?? "", /__bowireServer__/);
  await rest.invoke({ method: "ping", metadata: { __bowireServer__tenant: "acme" } });
  assert.deepEqual(called(site), ["/acme/api/ping"]);
});

Deno.test("a server's variable does not lead to a server that is not allowed", async () => {
  await using other = anything();
  const { host } = new URL(other.url);
  await using site = api(PING, {
    servers: [{ url: "http://{host}/v1", variables: { host: { default: "api.test" } } }],
  });
  for (const value of [host, `${host}/#`, `${host}\\`, `x@${host}`]) {
    const metadata = { __bowireServer__host: value };
    const refusal = await refusalOf(openRest(site).invoke({ method: "ping", metadata }));
    assert.equal(refusal.code, "url_not_allowed", value);
  }
  assert.deepEqual(other.received, []);
});

Deno.test("servers that are no HTTP URLs are passed over", async () => {
  await using site = api(PING, {
    servers: [
      { url: "ws://127.0.0.1:1/" },
      { url: "ftp://127.0.0.1/" },
      { url: "file:///etc" },
      { url: "mailto:a@b.test" },
      { url: "http://[broken" },
      "text",
      null,
      { description: "without a URL" },
    ],
  });
  await openRest(site).invoke({ method: "ping" });
  assert.deepEqual(called(site), ["/ping"]);
});

Deno.test("what a server's URL has besides its path is not sent", async () => {
  await using site = serve({}, json({}));
  const { host } = new URL(site.url);
  await using documents = api(PING, {
    servers: [{ url: `http://user:CANARY@${host}/v1?key=CANARY#frag` }],
  });
  const rest = openRest(documents, { allowed: [documents.url, site.url] });
  await rest.invoke({ method: "ping" });
  assert.deepEqual(called(site), ["/v1/ping"]);
  assert.equal(site.received[0]?.headers.get("authorization"), null);
});

Deno.test("Swagger 2 is called at its host in the first scheme that is allowed", async () => {
  await using target = anything();
  const { host } = new URL(target.url);
  await using site = serve({
    "/openapi.json": json({
      swagger: "2.0",
      host,
      basePath: "/v2/",
      schemes: ["wss", "https", "http"],
      paths: PING,
    }),
  });
  const rest = openRest(site, { allowed: [site.url, target.url] });
  await rest.invoke({ method: "ping" });
  assert.deepEqual(called(target), ["/v2/ping"]);
});

Deno.test("a server is found relative to where the document was after redirects", async () => {
  await using other = serve({
    "/docs/v1.json": json({
      openapi: "3.1.0",
      servers: [{ url: "../api" }],
      paths: PING,
    }),
  }, json({}));
  await using site = serve({
    "/openapi.json": () => Response.redirect(`${other.url}/docs/v1.json`),
  });
  const rest = openRest(site, { allowed: [site.url, other.url] });
  const metadata = { Authorization: "Bearer k", "X-App-Id": "42" };
  await rest.invoke({ method: "ping", metadata });
  assert.deepEqual(
    other.received.map(({ path, headers }) => [path, headers.get("authorization")]),
    [["/docs/v1.json", null], ["/api/ping", "Bearer k"]],
  );
});
