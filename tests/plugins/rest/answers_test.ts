import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { toInvocation } from "../../../plugins/rest/answer.ts";
import { linksIn } from "../../../plugins/rest/links.ts";
import { startStdio } from "../../fakes/conversation.ts";
import { Home } from "../../fakes/home.ts";
import { json, openapi, openRest, type Route, serve } from "./fixture.ts";

const DOCUMENT = json(openapi({ "/ping": { get: { operationId: "ping" } } }));

/** Calls a method that is answered by a route. */
async function ping(answer: Route) {
  await using site = serve({ "/openapi.json": DOCUMENT, "/ping": answer });
  return await openRest(site).invoke({ method: "ping" });
}

/** An answer of bytes in a type. */
function bytes(body: Uint8Array<ArrayBuffer> | string, contentType: string, others = {}): Route {
  return () => new Response(body, { headers: { "content-type": contentType, ...others } });
}

const URL_HERE = "http://api.test/v1/pets?page=1";
const LINKS: readonly (readonly [header: string, links: Readonly<Record<string, string>>])[] = [
  ["", {}],
  ["<https://h.test/2>; rel=next", { next: "https://h.test/2" }],
  ['<?page=2>; rel="next"', { next: "http://api.test/v1/pets?page=2" }],
  ['</v2>; rel="up", <../x>; rel="PREV"', { up: "http://api.test/v2", prev: "http://api.test/x" }],
  ['<//o.test/x>;rel="next last"', { next: "http://o.test/x", last: "http://o.test/x" }],
  ['<x?a=1,2;b=3>; title="a, <b>; rel"; rel="next"', {
    next: "http://api.test/v1/x?a=1,2;b=3",
  }],
  ['<a>; REL = "next"; rel="ignored", <b>; rel="next"', { next: "http://api.test/v1/a" }],
  ['<a>;rel="http://example.com/rel/x next"', { next: "http://api.test/v1/a" }],
  ['<>; rel="self"', { self: URL_HERE }],
  ["<a>; title=none, <b>", {}],
  ["<a", {}],
  ["a; rel=next", {}],
  ['<http://[broken>; rel="next"', {}],
  ['<a>; rel="__proto__ constructor -x 1x"', { constructor: "http://api.test/v1/a" }],
];
for (const [header, links] of LINKS) {
  Deno.test(`linksIn reads ${JSON.stringify(header)}`, () => {
    assert.deepEqual(Object.fromEntries(linksIn(header, URL_HERE)), links);
  });
}

const HOSTILE: readonly (readonly [what: string, header: string])[] = [
  ["brackets", "<".repeat(16_384)],
  ["closed brackets", "<>".repeat(8192)],
  ["semicolons", `<a>${";".repeat(16_000)}`],
  ["blanks", `<a>;${" ".repeat(16_000)}x`],
  ["blanks before each sign", `<a>${" ; a ".repeat(3200)}`],
  ["names", `<a>${";a".repeat(8000)}`],
  ["an open quote", `<a>;rel="${"x".repeat(16_000)}`],
  ["open quotes", `<a>;a="`.repeat(2300)],
  ["a name without end", `<a>;${"a".repeat(16_000)}`],
  ["equal signs", `<a>;a${" =".repeat(8000)}`],
  ["commas", ",".repeat(16_384)],
];
for (const [what, header] of HOSTILE) {
  Deno.test(`linksIn takes no time for a header of ${what}`, () => {
    const startedMs = performance.now();
    linksIn(header, URL_HERE);
    assert.ok(performance.now() - startedMs < 200);
  });
}

Deno.test("linksIn shows at most 20 links, and none of a header beyond 16 KB", () => {
  const many = Array.from({ length: 100 }, (_, index) => `<${index}>; rel="r${index}"`).join(", ");
  assert.equal(linksIn(many, URL_HERE).size, 20);
  assert.equal(linksIn(`<a>; rel="next"${" ".repeat(16_384)}`, URL_HERE).size, 0);
});

Deno.test("an answer's links are metadata, relative to where the answer came from", async () => {
  await using site = serve({
    "/openapi.json": DOCUMENT,
    "/ping": (request) => Response.redirect(new URL("/v2/ping", request.url)),
    "/v2/ping": () =>
      new Response("[]", {
        headers: [["Link", '<?cursor=a>; rel="next"'], ["Link", '</v2/ping>; rel="first"']],
      }),
  });
  const { metadata } = await openRest(site).invoke({ method: "ping" });
  assert.deepEqual(
    [metadata["http_link_next"], metadata["http_link_first"], metadata["http_url"]],
    [
      `${site.url}/v2/ping?cursor=a`,
      `${site.url}/v2/ping`,
      `${site.url}/v2/ping`,
    ],
  );
});

Deno.test("secrets in links are masked in what an agent is shown, cursors are not", async () => {
  const link = '<https://u:CANARY@h.test/x?api_key=CANARY&page=2&page_token=abc>; rel="next"';
  await using home = await Home.make();
  await using site = serve(
    {},
    () => new Response("[]", { headers: { link, "set-cookie": "session=CANARY" } }),
  );
  await using agent = startStdio(home, ["--allow-url", site.url]);
  await agent.initialize();
  const { structuredContent } = await agent.call("bowire.invoke", {
    url: site.url,
    service: "",
    method: "GET",
  });
  const { metadata } = structuredContent;
  assert.match(
    metadata.http_link_next,
    /^https:\/\/\*\*\*@h\.test\/x\?api_key=\*\*\*&page=2&page_token=abc$/,
  );
  assert.match(metadata.link, /rel="next"/);
  assert.doesNotMatch(agent.lines.join("\n"), /CANARY/);
});

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, "utf16le"));
const swapped = (text: string) => new Uint8Array(Buffer.from(text, "utf16le").swap16());
const TEXTS:
  readonly (readonly [body: Uint8Array<ArrayBuffer>, contentType: string, text: string])[] = [
    [new Uint8Array([0xe4]), "text/plain; charset=ISO-8859-1", "ä"],
    [new Uint8Array([0x80]), 'text/plain; charset="windows-1252"', "€"],
    [utf16('{"ä":1}'), "application/json; charset=utf-16le", '{"ä":1}'],
    [utf16("\ufeffä"), "text/plain; charset=utf-16", "ä"],
    [swapped("\ufeffä"), "text/plain; charset=UTF-16", "ä"],
    [swapped("ä"), "text/plain;charset=utf-16be", "ä"],
    [new Uint8Array([0x93, 0xfa]), "text/html; charset=Shift_JIS", "日"],
    [new TextEncoder().encode("\ufeffä"), "application/json", "ä"],
    [new TextEncoder().encode("ä"), "", "ä"],
    [new TextEncoder().encode("ä"), "text/plain; format=flowed; charset=utf-8; x=y", "ä"],
    [new TextEncoder().encode("<svg/>"), "image/svg+xml", "<svg/>"],
  ];
for (const [body, contentType, text] of TEXTS) {
  Deno.test(`an answer of ${contentType || "no type"} is read as the text ${text}`, async () => {
    const answer = await ping(
      contentType === "" ? () => new Response(body) : bytes(body, contentType),
    );
    assert.deepEqual([answer.response, answer.responseBinary], [text, undefined]);
  });
}

const NOT_TEXT: readonly (readonly [body: readonly number[], contentType: string])[] = [
  [[0x61], "application/octet-stream"],
  [[0x61], "image/png"],
  [[0xff, 0xfe, 0xfd], "text/plain"],
  [[0xe4], "application/json"],
  [[0x61], "text/plain; charset=nobody-knows"],
  [[0xff, 0x00], "application/vnd.unknown"],
];
for (const [body, contentType] of NOT_TEXT) {
  Deno.test(`an answer of ${contentType} with the bytes ${body} is given as base64`, async () => {
    const answer = await ping(bytes(new Uint8Array(body), contentType));
    const expected = Buffer.from(body).toString("base64");
    assert.deepEqual([answer.response, answer.responseBinary], [null, expected]);
  });
}

const BODILESS: readonly (readonly [status: number, body: string | null])[] = [
  [200, ""],
  [201, null],
  [204, null],
  [205, null],
  [304, null],
  [404, ""],
];
for (const [status, body] of BODILESS) {
  Deno.test(`an answer ${status} without a body is null`, async () => {
    const answer = await ping(() => new Response(body, { status }));
    assert.deepEqual([answer.response, answer.responseBinary], [null, undefined]);
    assert.equal(answer.metadata["http_status"], String(status));
    assert.equal(answer.ok, status < 400);
  });
}

Deno.test("a part of a resource is a success, with the range in its metadata", async () => {
  const answer = await ping(() =>
    new Response("ab", { status: 206, headers: { "content-range": "bytes 0-1/9" } })
  );
  assert.deepEqual([answer.status, answer.ok, answer.response], ["OK", true, "ab"]);
  assert.equal(answer.metadata["content-range"], "bytes 0-1/9");
});

const plain = new TextEncoder().encode(JSON.stringify({ text: "ä".repeat(1000) }));
for (
  const [encoding, body] of [["gzip", gzipSync(plain)], ["br", brotliCompressSync(plain)]] as const
) {
  Deno.test(`an answer that is compressed by ${encoding} is read`, async () => {
    const answer = await ping(
      bytes(new Uint8Array(body), "application/json", { "content-encoding": encoding }),
    );
    assert.equal(answer.response, new TextDecoder().decode(plain));
  });
}

Deno.test("what nobody asked for is kept as bytes: an answer compressed by deflate", async () => {
  const body = new Uint8Array(deflateSync(plain));
  await using site = serve({
    "/openapi.json": DOCUMENT,
    "/ping": bytes(body, "application/json", { "content-encoding": "deflate" }),
  });
  const answer = await openRest(site).invoke({ method: "ping" });
  assert.doesNotMatch(site.received.at(-1)?.headers.get("accept-encoding") ?? "", /deflate/);
  assert.equal(answer.responseBinary, Buffer.from(body).toString("base64"));
});

Deno.test("an answer that only claims to be compressed is an error, and no hang", async () => {
  const broken = ping(bytes("not compressed", "application/json", { "content-encoding": "gzip" }));
  await assert.rejects(broken, { code: "unreachable" });
});

Deno.test("a chain of redirects without end is refused", async () => {
  const circle = ping((request) => Response.redirect(request.url));
  await assert.rejects(circle, { code: "too_many_redirects" });
});

Deno.test("headers with the names of our own notes do not replace them", () => {
  const { metadata } = toInvocation({
    url: "http://api.test/",
    status: 200,
    reason: "OK",
    headers: [["http_status", "500"], ["http_reason", "x"], ["constructor", "c"], [
      "link",
      "<a>; rel=next",
    ], [
      "http_link_next",
      "x",
    ]],
    body: new Uint8Array(),
  }, { status: "OK", url: "http://api.test/", startedMs: performance.now() });
  assert.deepEqual(metadata, {
    http_status: "200",
    http_reason: "OK",
    constructor: "c",
    link: "<a>; rel=next",
    http_link_next: "http://api.test/a",
  });
});
