import assert from "node:assert/strict";
import { createRest } from "../../../plugins/rest/plugin.ts";
import { plugins } from "../../../plugins/mod.ts";
import { Allowlist } from "../../../lib/gate/mod.ts";
import { json, methodsOf, openapi, openRest, serve, text } from "./fixture.ts";

const PETS = openapi({ "/pets": { get: { operationId: "listPets", tags: ["pets"] } } });

Deno.test("discover finds the services of a document by its own URL", async () => {
  await using site = serve({ "/docs/api.json": json(PETS) });
  const { services, diagnostics } = await openRest(site).discover("/docs/api.json");
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(
    services.map(({ name, package: title, version, source, originUrl }) => [
      name,
      title,
      version,
      source,
      originUrl,
    ]),
    [["pets", "Shop", "1.2", "rest", `${site.url}/docs/api.json`]],
  );
  assert.deepEqual(site.received.map(({ path }) => path), ["/docs/api.json"]);
});

for (
  const path of ["/openapi.json", "/v3/api-docs", "/swagger/doc.json", "/__admin/docs/swagger"]
) {
  Deno.test(`discover finds a document at ${path} of an origin`, async () => {
    await using site = serve({ [path]: json(PETS), "/": text("<html></html>", "text/html") });
    assert.equal(methodsOf(await openRest(site).discover("/")).length, 1);
  });
}

Deno.test("discover prefers the first usual place, and those below the target's path", async () => {
  const named = (name: string) => json(openapi({ "/x": { get: { operationId: name } } }));
  await using site = serve({
    "/openapi.json": named("origin"),
    "/v1/swagger.json": named("second"),
    "/v1/openapi.json": named("first"),
  });
  const [method] = methodsOf(await openRest(site).discover("/v1/"));
  assert.equal(method?.name, "first");
});

Deno.test("discover looks in the folder of a page", async () => {
  await using site = serve({
    "/docs/index.html": text("<!doctype html>", "text/html"),
    "/docs/openapi.yaml": text("openapi: 3.0.0\npaths: {/a: {get: {operationId: inFolder}}}"),
  });
  const [method] = methodsOf(await openRest(site).discover("/docs/index.html"));
  assert.equal(method?.name, "inFolder");
});

Deno.test("discover asks no URL outside of a path-limited allowlist", async () => {
  await using site = serve({ "/shop/openapi.json": json(PETS), "/openapi.json": json(PETS) });
  const rest = openRest(site, { allowed: [`${site.url}/shop`] });
  assert.equal(methodsOf(await rest.discover("/shop")).length, 1);
  assert.deepEqual(site.received.filter(({ path }) => !path.startsWith("/shop")), []);
});

Deno.test("discover of a target without a document notes what was tried", async () => {
  await using site = serve({ "/": json({ openapi: "/somewhere.json", hello: "world" }) });
  const { services, diagnostics } = await openRest(site).discover("/");
  assert.deepEqual(services, []);
  assert.equal(diagnostics.length, 1);
  assert.match(diagnostics[0]?.message ?? "", /^no OpenAPI or Swagger document/);
  assert.ok(diagnostics[0]?.details?.includes(`${site.url}/openapi.json: 404`));
});

Deno.test("discover says so when every URL asks for credentials", async () => {
  await using site = serve(
    {},
    (request) =>
      request.headers.get("authorization") === "Bearer key"
        ? Response.json(PETS)
        : new Response(null, { status: 401 }),
  );
  const rest = openRest(site);
  const { diagnostics } = await rest.discover("/");
  assert.match(diagnostics[0]?.message ?? "", /asks for credentials/);
  const found = await rest.discover("/", { Authorization: "Bearer key" });
  assert.equal(methodsOf(found).length, 1);
});

Deno.test("discover goes on to the usual places when the target answers with an error", async () => {
  await using site = serve({ "/": text("boom", "text/plain", 500), "/openapi.json": json(PETS) });
  assert.equal(methodsOf(await openRest(site).discover("/")).length, 1);
});

Deno.test("discover fails when the target cannot be reached", async () => {
  const site = serve({});
  await site[Symbol.asyncDispose]();
  await assert.rejects(openRest(site).discover("/"), { code: "unreachable" });
});

Deno.test("discover follows no redirect to a place that is not allowed", async () => {
  await using elsewhere = serve({ "/openapi.json": json(PETS) });
  await using site = serve({
    "/openapi.json": () => Response.redirect(`${elsewhere.url}/openapi.json`),
  });
  await assert.rejects(openRest(site).discover(), { code: "url_not_allowed" });
  assert.deepEqual(elsewhere.received, []);
});

Deno.test("invoke after discover does not load the document again, for a minute", async () => {
  let nowMs = 0;
  await using site = serve({ "/openapi.json": json(PETS) }, json([]));
  const rest = openRest(site, { rest: createRest({ nowMs: () => nowMs }) });
  const loads = () => site.received.filter(({ path }) => path === "/openapi.json").length;
  await rest.discover();
  await rest.invoke({ method: "listPets" });
  assert.equal(loads(), 1);
  nowMs = 60_000;
  await rest.invoke({ method: "listPets" });
  assert.equal(loads(), 2);
  await rest.discover();
  assert.equal(loads(), 3);
});

Deno.test("concurrent loads of one document are one, and a failed one is forgotten", async () => {
  let isBroken = true;
  await using site = serve({
    "/openapi.json": () =>
      isBroken ? new Response('{"openapi": "3.1.0", oops') : Response.json(PETS),
  }, json([]));
  const rest = openRest(site);
  const call = { method: "listPets" };
  await assert.rejects(rest.invoke(call), { code: "bad_document" });
  isBroken = false;
  site.received.length = 0;
  await Promise.all([rest.invoke(call), rest.invoke(call), rest.invoke(call)]);
  assert.equal(site.received.filter(({ path }) => path === "/openapi.json").length, 1);
});

Deno.test("plugins lists REST, which claims HTTP only and loads at first use", async () => {
  const plugin = plugins.find(({ manifest }) => manifest.id === "rest");
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const claims = ["http://a", "https://a", "ws://a"].map((url) =>
    plugin?.manifest.claims(allowlist.admit(url))
  );
  assert.deepEqual(claims, ["possible", "possible", "no"]);
  assert.equal((await plugin?.load())?.manifest, plugin?.manifest);
});
