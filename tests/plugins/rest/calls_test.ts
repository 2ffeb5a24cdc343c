import assert from "node:assert/strict";
import { api, json, openapi, openRest, type Route, send, serve, text } from "./fixture.ts";

const PING = { get: { operationId: "ping" } };

/** Where a call goes when the document lies at `/docs/openapi.json`. */
async function pathFor(document: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  await using site = serve({ "/docs/openapi.json": json(document) }, json({}));
  await openRest(site).invoke({ path: "/docs/openapi.json", method: "ping" });
  return site.received.at(-1)?.path;
}

const SERVERS: readonly (readonly [name: string, servers: unknown, path: string])[] = [
  ["none", undefined, "/ping"],
  ["an absolute path", [{ url: "/myapp/" }], "/myapp/ping"],
  ["a relative path", [{ url: "v1" }], "/docs/v1/ping"],
  ["an empty URL", [{ url: "" }], "/ping"],
  [
    "variables",
    [{
      url: "/{base}/{version}",
      variables: { base: { default: "api" }, version: { default: 2 } },
    }],
    "/api/2/ping",
  ],
];
for (const [name, servers, path] of SERVERS) {
  Deno.test(`C08 with ${name} as server, the document's own URL counts`, async () => {
    const others = servers === undefined ? {} : { servers };
    assert.equal(await pathFor({ openapi: "3.1.0", paths: { "/ping": PING }, ...others }), path);
  });
}

Deno.test("the servers of a method come before those of its path and of the document", async () => {
  const servers = (url: string) => ({ servers: [{ url }] });
  const of = (method: object, path: object) => ({
    openapi: "3.1.0",
    paths: { "/ping": { get: { ...PING.get, ...method }, ...path } },
    ...servers("/document"),
  });
  assert.equal(await pathFor(of(servers("/method"), servers("/path"))), "/method/ping");
  assert.equal(await pathFor(of({}, servers("/path"))), "/path/ping");
});

for (const [basePath, path] of [["/v2", "/v2/ping"], ["v2/", "/v2/ping"], [undefined, "/ping"]]) {
  Deno.test(`Swagger 2 with basePath ${basePath} and no host is called where it was read`, async () => {
    assert.equal(await pathFor({ swagger: "2.0", basePath, paths: { "/ping": PING } }), path);
  });
}

Deno.test("Swagger 2 with a host and no schemes is called by the scheme it was read by", async () => {
  await using target = serve({}, json({}));
  const host = new URL(target.url).host;
  await using site = serve({
    "/openapi.json": json({ swagger: "2.0", host, basePath: "/v2", paths: { "/ping": PING } }),
  });
  const rest = openRest(site, { allowed: [site.url, target.url] });
  await rest.invoke({ method: "ping" });
  assert.deepEqual(target.received.map(({ path }) => path), ["/v2/ping"]);
});

Deno.test("a server that is not on the allowlist is refused, though the document's would do", async () => {
  await using elsewhere = serve({}, json({}));
  await using site = api({ "/ping": PING }, { servers: [{ url: elsewhere.url }] });
  await assert.rejects(openRest(site).invoke({ method: "ping" }), {
    code: "url_not_allowed",
    message: /servers entry of/,
  });
  assert.deepEqual(elsewhere.received, []);
  assert.deepEqual(site.received.map(({ path }) => path), ["/openapi.json"]);
});

Deno.test("a server whose variable has no value is refused", async () => {
  await using site = api({ "/ping": PING }, { servers: [{ url: "https://{tenant}.example/" }] });
  await assert.rejects(openRest(site).invoke({ method: "ping" }), {
    code: "bad_document",
    message: /\{tenant\}/,
  });
});

/** Calls `ping`, which is answered by a route. */
async function ping(answer: Route) {
  await using site = serve({ "/openapi.json": json(openapi({ "/ping": PING })), "/ping": answer });
  return await openRest(site).invoke({ method: "ping" });
}

Deno.test("an answer has its text, status, headers and duration", async () => {
  const answer = await ping(() =>
    new Response('{"id": 12345678901234567890}', {
      headers: { "content-type": "application/json", "X-Trace": "t1" },
    })
  );
  assert.deepEqual([answer.status, answer.ok, answer.retryable], ["OK", true, false]);
  assert.equal(answer.response, '{"id": 12345678901234567890}');
  const { http_status, http_reason, http_url, "x-trace": trace } = answer.metadata;
  assert.deepEqual([http_status, http_reason, http_url, trace], ["200", "OK", undefined, "t1"]);
  assert.ok(answer.durationMs > 0);
  assert.equal(answer.durationMs, Number(answer.durationMs.toFixed(1)));
});

Deno.test("an answer of bytes is base64, and an empty one is null", async () => {
  const bytes = await ping(() =>
    new Response(new Uint8Array([0, 255]), { headers: { "content-type": "image/png" } })
  );
  assert.deepEqual([bytes.response, bytes.responseBinary], [null, "AP8="]);
  const empty = await ping(() => new Response(null, { status: 204 }));
  assert.deepEqual([empty.response, empty.responseBinary, empty.ok], [null, undefined, true]);
});

const STATUSES:
  readonly (readonly [http: number, name: string, ok: boolean, retryable: boolean])[] = [
    [201, "OK", true, false],
    [304, "304", true, false],
    [400, "InvalidArgument", false, false],
    [401, "Unauthenticated", false, false],
    [403, "PermissionDenied", false, false],
    [404, "NotFound", false, false],
    [408, "DeadlineExceeded", false, true],
    [409, "AlreadyExists", false, false],
    [418, "FailedPrecondition", false, false],
    [429, "ResourceExhausted", false, true],
    [500, "Internal", false, false],
    [501, "Unimplemented", false, false],
    [502, "Internal", false, true],
    [503, "Unavailable", false, true],
  ];
for (const [http, name, ok, retryable] of STATUSES) {
  Deno.test(`HTTP ${http} is ${name}`, async () => {
    const answer = await ping(() => new Response(null, { status: http }));
    assert.deepEqual([answer.status, answer.ok, answer.retryable], [name, ok, retryable]);
    assert.equal(answer.metadata["http_status"], String(http));
  });
}

Deno.test("a redirect is followed where it is allowed, and its end reported without secrets", async () => {
  await using site = serve({
    "/openapi.json": json(openapi({ "/ping": PING })),
    "/ping": (request) => Response.redirect(new URL("/pong?token=abc&x=1", request.url)),
    "/pong": text("pong"),
  });
  const answer = await openRest(site).invoke({ method: "ping" });
  assert.equal(answer.response, "pong");
  assert.equal(answer.metadata["http_url"], `${site.url}/pong?token=***&x=1`);
});

Deno.test("a redirect to another origin that is not allowed is refused", async () => {
  await using elsewhere = serve({}, json({}));
  const refused = ping(() => Response.redirect(`${elsewhere.url}/ping`));
  await assert.rejects(refused, { code: "url_not_allowed", message: /redirect 1/ });
  assert.deepEqual(elsewhere.received, []);
});

Deno.test("a call has headers of its own, which metadata overrides", async () => {
  await using site = api({ "/ping": PING });
  const plain = await send(site, { method: "ping" });
  assert.match(plain.headers.get("accept") ?? "", /^application\/json,/);
  assert.match(plain.headers.get("user-agent") ?? "", /^bowire\//);
  const metadata = { Accept: "text/csv", Authorization: "Bearer x" };
  const { headers } = await send(site, { method: "ping", metadata });
  assert.deepEqual([headers.get("accept"), headers.get("authorization")], ["text/csv", "Bearer x"]);
});

Deno.test("a call at a target without a document says what to do", async () => {
  await using site = serve({});
  await assert.rejects(openRest(site).invoke({ path: "/", method: "ping" }), {
    code: "not_discovered",
    hint: /GET with an empty service/,
  });
});

Deno.test("an ad-hoc GET calls the target itself, its message as query", async () => {
  await using site = serve({}, json([1]));
  const message = { list: ["x", "y"], filter: { a: 1 }, none: null };
  const answer = await openRest(site).invoke({ path: "/x?a=1", method: "get", message });
  assert.deepEqual([answer.status, answer.ok, answer.response], ["200", true, "[1]"]);
  const filter = encodeURIComponent('{"a":1}');
  assert.deepEqual(site.received.map(({ method, path }) => [method, path]), [
    ["GET", `/x?a=1&list=x&list=y&filter=${filter}`],
  ]);
});

Deno.test("an ad-hoc POST sends its message in the content type asked for", async () => {
  await using site = serve({}, text("no", "text/plain", 404));
  const rest = openRest(site);
  const call = { path: "/x", method: "POST" };
  const answer = await rest.invoke({ ...call, messages: ['{"id": 12345678901234567890}'] });
  assert.deepEqual([answer.status, answer.ok], ["404", false]);
  await rest.invoke({ ...call, messages: [""] });
  const xml = { "content-type": "text/xml; charset=utf-8" };
  await rest.invoke({ ...call, messages: ['"<a/>"'], metadata: xml });
  const sent = site.received.map(({ headers, body }) => [headers.get("content-type"), body]);
  assert.deepEqual(sent, [
    ["application/json", '{"id":12345678901234567890}'],
    [null, ""],
    ["text/xml; charset=utf-8", "<a/>"],
  ]);
});

Deno.test("an ad-hoc GET with a message that is no object is refused", async () => {
  await using site = serve({}, json({}));
  await assert.rejects(openRest(site).invoke({ path: "/", method: "GET", message: [1] }), {
    code: "invalid_argument",
  });
});
