import assert from "node:assert/strict";
import type { Protocol } from "../../../../lib/protocol/mod.ts";
import { createRest } from "../../../../plugins/rest/plugin.ts";
import {
  json,
  methodsOf,
  openapi,
  openRest,
  type Route,
  serve,
  type Site,
  text,
} from "../fixture.ts";

function documentWith(...names: readonly string[]): unknown {
  return openapi(
    Object.fromEntries(names.map((name) => [`/${name}`, { get: { operationId: name } }])),
  );
}

/** What answers for a document, and may be changed. */
class Published {
  document = documentWith("ping");
  /** Headers of its validators, for the document's present state. */
  validators: Record<string, string> = {};
  /** Whether a request whose condition holds is answered by 304. */
  isConditional = true;

  readonly route: Route = (request) => {
    const { headers } = request;
    const [etag, modified] = [this.validators["ETag"], this.validators["Last-Modified"]];
    const isSame = this.isConditional &&
      (etag !== undefined && headers.get("if-none-match") === etag ||
        modified !== undefined && headers.get("if-modified-since") === modified);
    return isSame
      ? new Response(null, { status: 304 })
      : Response.json(this.document, { headers: this.validators });
  };
}

/** A REST protocol with a clock that is set by hand. */
function withClock(): { rest: Protocol; clock: { nowMs: number } } {
  const clock = { nowMs: 0 };
  return { rest: createRest({ nowMs: () => clock.nowMs }), clock };
}

/** The conditions that a path was asked with, one line a request. */
function conditionsAt(site: Site, wanted = "/openapi.json"): string[] {
  return site.received.filter(({ path }) => path === wanted).map(({ headers }) =>
    ["if-none-match", "if-modified-since"].flatMap((name) => headers.get(name) ?? []).join("; ")
  );
}

const MODIFIED = "Wed, 21 Oct 2026 07:28:00 GMT";
const LATER = "Wed, 21 Oct 2026 07:28:01 GMT";

const VALIDATORS: readonly (readonly [
  what: string,
  first: Record<string, string>,
  second: Record<string, string>,
  condition: string,
])[] = [
  ["an ETag", { ETag: '"1"' }, { ETag: '"2"' }, '"1"'],
  ["a weak ETag", { ETag: 'W/"1"' }, { ETag: 'W/"2"' }, 'W/"1"'],
  ["a date", { "Last-Modified": MODIFIED }, { "Last-Modified": LATER }, MODIFIED],
  ["both, of which the ETag counts", { ETag: '"1"', "Last-Modified": MODIFIED }, {
    ETag: '"2"',
    "Last-Modified": MODIFIED,
  }, '"1"'],
];
for (const [what, first, second, condition] of VALIDATORS) {
  for (const isConditional of [true, false]) {
    const answer = isConditional ? "304" : "the same again";
    Deno.test(`a document with ${what} is asked for again with it, and ${answer} keeps it`, async () => {
      const published = new Published();
      Object.assign(published, { validators: first, isConditional });
      await using site = serve({ "/openapi.json": published.route });
      const rest = openRest(site);
      const before = await rest.discover();
      const again = await rest.discover();
      assert.deepEqual(again, before);
      assert.deepEqual(conditionsAt(site), ["", condition]);
      Object.assign(published, { document: documentWith("pong"), validators: second });
      assert.deepEqual(methodsOf(await rest.discover()).map(({ name }) => name), ["pong"]);
    });
  }
}

Deno.test("a document without validators is held against what it was", async () => {
  const published = new Published();
  await using site = serve({ "/openapi.json": published.route });
  const rest = openRest(site);
  await rest.discover();
  await rest.discover();
  assert.deepEqual(conditionsAt(site), ["", ""]);
  published.document = documentWith("pong");
  assert.deepEqual(methodsOf(await rest.discover()).map(({ name }) => name), ["pong"]);
  await rest.discover();
  assert.equal(site.received.length, 5, "the change costs one load more");
});

Deno.test("a part that has changed is seen at once, though the document has not", async () => {
  const schema = { type: "object", properties: { name: { type: "string" } } };
  const main = new Published();
  main.document = openapi({
    "/a": {
      post: {
        requestBody: {
          content: {
            "application/json": { schema: { $ref: "pet.json" } },
          },
        },
      },
    },
  });
  main.validators = { ETag: '"main"' };
  const part = new Published();
  Object.assign(part, { document: schema, validators: { ETag: '"part"' } });
  await using site = serve({ "/openapi.json": main.route, "/pet.json": part.route });
  const rest = openRest(site);
  const namesNow = async () =>
    methodsOf(await rest.discover())[0]?.inputType.fields.map(({ name }) => name);
  assert.deepEqual(await namesNow(), ["name"]);
  assert.deepEqual(await namesNow(), ["name"]);
  assert.deepEqual(conditionsAt(site, "/pet.json"), ["", '"part"']);
  Object.assign(part, {
    document: { type: "object", properties: { age: {} } },
    validators: { ETag: '"new"' },
  });
  assert.deepEqual(await namesNow(), ["age"]);
});

Deno.test("a call within a minute asks nothing, later calls ask with the validator", async () => {
  const { rest, clock } = withClock();
  const published = new Published();
  published.validators = { ETag: '"1"' };
  await using site = serve({ "/openapi.json": published.route }, json({}));
  const api = openRest(site, { rest });
  await api.discover();
  clock.nowMs = 59_999;
  await api.invoke({ method: "ping" });
  assert.deepEqual(conditionsAt(site), [""]);
  clock.nowMs = 60_000;
  await api.invoke({ method: "ping" });
  assert.deepEqual(conditionsAt(site), ["", '"1"']);
  clock.nowMs = 119_999;
  await api.invoke({ method: "ping" });
  assert.equal(conditionsAt(site).length, 2, "the answer 304 begins another minute");
  clock.nowMs = 120_000;
  Object.assign(published, { document: documentWith("pong"), validators: { ETag: '"2"' } });
  await assert.rejects(api.invoke({ method: "ping" }), { code: "unknown_method" });
});

Deno.test("a document that can no longer be read is not taken from memory", async () => {
  const { rest, clock } = withClock();
  let isGone = false;
  const published = new Published();
  await using site = serve({
    "/openapi.json": (request) =>
      isGone ? new Response(null, { status: 410 }) : published.route(request),
  }, text("no", "text/plain", 404));
  const api = openRest(site, { rest });
  await api.discover();
  isGone = true;
  clock.nowMs = 60_000;
  await assert.rejects(api.invoke({ method: "ping" }), { code: "not_discovered" });
  assert.deepEqual((await api.discover()).services, []);
  isGone = false;
  assert.equal(methodsOf(await api.discover()).length, 1);
});

Deno.test("what one caller's credentials opened is not shown to another", async () => {
  await using site = serve({
    "/openapi.json": ({ headers }) =>
      headers.get("authorization") === "Bearer a"
        ? Response.json(documentWith("secret"), { headers: { ETag: '"a"' } })
        : headers.has("authorization")
        ? Response.json(documentWith("other"))
        : new Response(null, { status: 401 }),
  }, json({}));
  const rest = openRest(site);
  const namesFor = async (metadata: Record<string, string>) =>
    methodsOf(await rest.discover("/openapi.json", metadata)).map(({ name }) => name);
  assert.deepEqual(await namesFor({ Authorization: "Bearer a" }), ["secret"]);
  assert.deepEqual(await namesFor({ Authorization: "Bearer b" }), ["other"]);
  assert.deepEqual(await namesFor({}), []);
  await assert.rejects(rest.invoke({ method: "secret" }), { code: "not_discovered" });
  const metadata = { Authorization: "Bearer b" };
  await assert.rejects(rest.invoke({ method: "secret", metadata }), { code: "unknown_method" });
});

Deno.test("headers about a call's own content do not go to the document", async () => {
  await using site = serve({
    "/openapi.json": ({ headers }) =>
      headers.has("range")
        ? new Response("{", { status: 206 })
        : headers.has("if-none-match") || headers.has("if-match")
        ? new Response(null, { status: 412 })
        : Response.json(documentWith("ping")),
  }, json({}));
  const metadata = {
    Range: "bytes=0-0",
    "If-Match": '"x"',
    "If-None-Match": "*",
    Accept: "text/csv",
    "Content-Type": "text/csv",
    "X-App-Id": "42",
  };
  await openRest(site).invoke({ method: "ping", metadata });
  const [document, call] = site.received.map(({ headers }) =>
    ["range", "if-match", "if-none-match", "accept", "x-app-id"].map((name) => headers.get(name))
  );
  assert.deepEqual(call, ["bytes=0-0", '"x"', "*", "text/csv", "42"]);
  assert.match(document?.[3] ?? "", /^application\/json,/);
  assert.deepEqual(document?.toSpliced(3, 1), [null, null, null, "42"]);
});

/** A site whose document is answered when it is told to. */
function serveHeld(): Site & { readonly waiting: Promise<void>; release(): void } {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const site = serve({
    "/openapi.json": async () => {
      asked.resolve();
      await held.promise;
      return Response.json(documentWith("ping"));
    },
  }, json({}));
  return {
    ...site,
    waiting: asked.promise,
    release: held.resolve,
    async [Symbol.asyncDispose]() {
      held.resolve();
      await site[Symbol.asyncDispose]();
    },
  };
}

Deno.test("loads at the same time are one", async () => {
  await using site = serveHeld();
  const rest = openRest(site);
  const all = [rest.discover(), rest.discover(), rest.invoke({ method: "ping" })];
  await site.waiting;
  site.release();
  await Promise.all(all);
  assert.deepEqual(site.received.map(({ path }) => path), ["/openapi.json", "/ping"]);
});

Deno.test("whoever waits for a load that its beginner gives up goes on without it", async () => {
  await using site = serveHeld();
  const rest = createRest();
  const hasty = openRest(site, { rest, context: { timeoutMs: 100 } }).discover();
  await site.waiting;
  const patient = [1, 2, 3].map(() => openRest(site, { rest }).discover());
  await assert.rejects(hasty, { code: "timeout" });
  site.release();
  for (const found of await Promise.all(patient)) assert.equal(methodsOf(found).length, 1);
  assert.equal(site.received.length, 2, "they wait for one more load");
});

Deno.test("a load that ran out of time over a part is not remembered", async () => {
  let isSlow = true;
  const held = Promise.withResolvers<void>();
  await using site = serve({
    "/openapi.json": json(openapi({ "/ping": { $ref: "ping.json" } })),
    "/ping.json": async () => {
      if (isSlow) await held.promise;
      return Response.json({ get: { operationId: "ping" } });
    },
  }, json({}));
  using release = { [Symbol.dispose]: () => held.resolve() }; // before the server waits for it
  const rest = createRest();
  const hasty = openRest(site, { rest, context: { timeoutMs: 100 } });
  await assert.rejects(hasty.discover(), { code: "timeout" });
  isSlow = false;
  release[Symbol.dispose]();
  assert.equal((await openRest(site, { rest }).invoke({ method: "ping" })).status, "OK");
});

Deno.test("a load that failed is forgotten", async () => {
  let body = '{"openapi": "3.1.0", "paths": {';
  await using site = serve({ "/openapi.json": () => new Response(body) }, json({}));
  const rest = openRest(site);
  await assert.rejects(rest.invoke({ method: "ping" }), { code: "bad_document" });
  body = JSON.stringify(documentWith("ping"));
  assert.equal((await rest.invoke({ method: "ping" })).status, "OK");
});

Deno.test("the document that was used least lately is forgotten, at most 127 are kept", async () => {
  await using site = serve({}, json(documentWith("ping")));
  const rest = openRest(site);
  const loads = (path: string) => site.received.filter((request) => request.path === path).length;
  for (let index = 0; index < 127; index++) await rest.discover(`/${index}`);
  await rest.invoke({ path: "/0", method: "ping" });
  await rest.discover("/more");
  await rest.invoke({ path: "/0", method: "ping" });
  await rest.invoke({ path: "/1", method: "ping" });
  assert.deepEqual([loads("/0"), loads("/1"), loads("/2")], [1, 2, 1]);
});

const CHALLENGES:
  readonly (readonly [status: number, challenge: string | undefined, message: RegExp])[] = [
    [401, 'Bearer realm="pets"', /asks for credentials \(Bearer realm="pets"\)/],
    [401, 'X-API-Key realm="PowerDNS"', /asks for credentials \(X-API-Key/],
    [401, undefined, /asks for credentials/],
    [403, "Basic", /asks for credentials \(Basic\)/],
  ];
for (const [status, challenge, message] of CHALLENGES) {
  Deno.test(`a target that answers ${status} with ${challenge ?? "no challenge"} is told apart`, async () => {
    const headers = challenge === undefined ? undefined : { "WWW-Authenticate": challenge };
    await using site = serve({
      "/api/docs": () => new Response(null, { status, headers: { ...headers } }),
    });
    const rest = openRest(site);
    const { services, diagnostics } = await rest.discover("/api/docs");
    assert.deepEqual(services, []);
    assert.match(diagnostics[0]?.message ?? "", message);
    const call = { path: "/api/docs", method: "ping", metadata: { Authorization: "CANARY" } };
    await assert.rejects(rest.invoke(call), (error: Error & { code: string; hint: string }) => {
      assert.equal(error.code, "not_discovered");
      assert.match(error.message, message);
      assert.match(error.hint, /-H/);
      assert.ok(!`${error.message}${error.hint}`.includes("CANARY"));
      return true;
    });
  });
}

Deno.test("the usual place that asks for credentials is named", async () => {
  const headers = { "WWW-Authenticate": "Basic" };
  await using site = serve({
    "/openapi.json": () => new Response(null, { status: 401, headers }),
    "/swagger.json": () => new Response(null, { status: 401 }),
  });
  const { diagnostics: [remark] } = await openRest(site).discover("/");
  assert.ok(remark?.message.includes(`"${site.url}/openapi.json" asks for credentials (Basic)`));
  assert.ok(remark?.details?.includes(`${site.url}/openapi.json: 401`));
});

Deno.test("C21 what looks like YAML within JSON never makes it YAML", async () => {
  const description = "openapi: 3.0.0\npaths:\n  - a: &a [*a]\n---\n%YAML 1.1\n\ttabs: {";
  const big = Array.from({ length: 2000 }, (_, index) => [`/things/${index}`, {
    get: { operationId: `get${index}`, description: description + "x".repeat(2400) },
  }]);
  const body = `\ufeff \n{"openapi":\t"3.1.0", "x": 1, "x": 2, "paths":${
    JSON.stringify(Object.fromEntries(big))
  }}`;
  assert.ok(body.length > 5_000_000);
  await using site = serve({ "/openapi.json": text(body) });
  const methods = methodsOf(await openRest(site).discover());
  assert.equal(methods.length, 2000);
  assert.match(methods[0]?.description ?? "", /^openapi: 3\.0\.0\npaths:/);
});
