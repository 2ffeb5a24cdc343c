import { deepStrictEqual, doesNotMatch, match, ok, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { BowireError } from "../../lib/errors/mod.ts";
import { originOf, parseAddress } from "../../lib/gate/mod.ts";
import { refusalOf } from "../fakes/rooms.ts";

const CANONICAL: readonly (readonly [given: string, url: string])[] = [
  ["http://Example.COM", "http://example.com/"],
  ["http://example.com.", "http://example.com/"],
  ["http://example.com../x", "http://example.com/x"],
  ["https://example.com:443/v1", "https://example.com/v1"],
  ["http://example.com:80", "http://example.com/"],
  ["https://example.com:80", "https://example.com:80/"],
  ["ws://example.com:80/s", "ws://example.com/s"],
  ["wss://example.com:443/s", "wss://example.com/s"],
  ["http://example.com:/x", "http://example.com/x"],
  ["  http://example.com/x  ", "http://example.com/x"],
  ["http://example.com/a/../b", "http://example.com/b"],
  ["http://example.com/a/%2e%2e/b", "http://example.com/b"],
  ["http://example.com\\a\\b", "http://example.com/a/b"],
  ["http://example.com/x?q=a b#f", "http://example.com/x?q=a%20b#f"],
  ["http://bücher.example/", "http://xn--bcher-kva.example/"],
  ["http://ＥＸＡＭＰＬＥ.com/", "http://example.com/"],
  ["http://127。0。0。1/", "http://127.0.0.1/"],
  ["http://2130706433:8080/", "http://127.0.0.1:8080/"],
  ["http://0x7f.1/", "http://127.0.0.1/"],
  ["http://0177.0.0.1/", "http://127.0.0.1/"],
  ["http://127.1/", "http://127.0.0.1/"],
  ["http://127.0.0.1./", "http://127.0.0.1/"],
  ["http://[::ffff:7f00:1]/", "http://127.0.0.1/"],
  ["http://[::FFFF:127.0.0.1]/", "http://127.0.0.1/"],
  ["http://[0:0:0:0:0:ffff:a00:1]/", "http://10.0.0.1/"],
  ["http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"],
  ["grpc://Host:80", "grpc://host:80/"],
  ["grpc://host:21", "grpc://host:21/"],
  ["mqtt://h:1883/t", "mqtt://h/t"],
  ["mqtt://h:21", "mqtt://h:21/"],
  ["nats://2130706433", "nats://127.0.0.1/"],
];

for (const [given, url] of CANONICAL) {
  Deno.test(`parseAddress writes ${given} as ${url}`, () => {
    const address = parseAddress(given);
    strictEqual(address.url, url);
    deepStrictEqual(parseAddress(address.url), address);
  });
}

Deno.test("parseAddress gives the parts of a URL", () => {
  deepStrictEqual(parseAddress("HTTPS://Api.Example.com/v1/pets/?q=1#top"), {
    hint: undefined,
    scheme: "https",
    host: "api.example.com",
    port: 443,
    url: "https://api.example.com/v1/pets/?q=1#top",
    segments: ["v1", "pets"],
  });
});

const HINTS: readonly (readonly [given: string, hint: string, url: string])[] = [
  ["rest@http://h/x", "rest", "http://h/x"],
  ["REST@HTTP://H/x", "rest", "http://h/x"],
  ["json-rpc@http://h/", "json-rpc", "http://h/"],
  ["grpc@grpc://Host:80", "grpc", "grpc://host:80/"],
  ["rest@http://h/?next=a@b", "rest", "http://h/?next=a@b"],
];

for (const [given, hint, url] of HINTS) {
  Deno.test(`parseAddress reads the hint of ${given}`, () => {
    const address = parseAddress(given);
    deepStrictEqual([address.hint, address.url], [hint, url]);
  });
}

Deno.test("parseAddress makes ports explicit, zero where a scheme has none", () => {
  const urls = ["http://h", "wss://h", "mqtt://h", "grpc://h", "grpc://h:21", "http://h:8080"];
  deepStrictEqual(urls.map((url) => parseAddress(url).port), [80, 443, 1883, 0, 21, 8080]);
});

Deno.test("originOf always writes the port", () => {
  strictEqual(originOf(parseAddress("https://example.com/v1")), "https://example.com:443");
  strictEqual(originOf(parseAddress("http://[::1]:9/v1")), "http://[::1]:9");
});

const REFUSED: readonly (readonly [given: string, reason: RegExp])[] = [
  ["", /no scheme/],
  ["example.com/x", /no scheme/],
  ["//example.com/x", /no scheme/],
  ["://example.com", /no scheme/],
  ["javascript:alert(1)", /no scheme/],
  ["http://", /no scheme/],
  ["http://example.com:99999/", /host or port is not valid/],
  ["http://exa mple.com/", /host or port is not valid/],
  ["http://[::1/", /host or port is not valid/],
  ["http://./", /host/],
  ["http://user@example.com/", /user name or password/],
  ["http://:secret@example.com/", /user name or password/],
  ["grpc://user:pw@host", /user name or password/],
  ["a:b@http://example.com/", /no scheme/],
  ["x@rest@http://example.com/", /no scheme/],
  ["http://example.com/\u0000", /control characters/],
  ["http://exam\tple.com/", /control characters/],
  ["http://example.com/\r\nHost: evil", /control characters/],
  ["http://example.com/\u007f", /control characters/],
  [`http://example.com/${"x".repeat(8192)}`, /longer than 8192 characters/],
];

for (const [given, reason] of REFUSED) {
  Deno.test(`parseAddress refuses ${JSON.stringify(given.slice(0, 50))}`, () => {
    const refusal = refusalOf(() => parseAddress(given));
    strictEqual(refusal.code, "invalid_url");
    match(refusal.message, /^cannot use the URL ".*": /s);
    match(refusal.message, reason);
  });
}

Deno.test("parseAddress takes a URL of exactly 8192 characters", () => {
  const start = "http://example.com/";
  const url = start + "x".repeat(8192 - start.length);
  strictEqual(parseAddress(url).url, url);
});

Deno.test("parseAddress says how to write out a URL without a scheme", () => {
  match(refusalOf(() => parseAddress("//example.com/x")).hint ?? "", /"http:\/\/example\.com\/x"/);
});

const WITH_SECRETS = [
  "http://user:hunter2@example.com/",
  "http://user:p@hunter2@example.com/",
  `http://user:${"hunter2".repeat(50)}@example.com/`,
  "user:hunter2@http://example.com/",
  "user:hunter2@example.com/path",
  "example.com/?access_token=hunter2",
  "http://exa mple.com/?api_key=hunter2",
  "http://example.com/\n?password=hunter2",
];

for (const url of WITH_SECRETS) {
  Deno.test(`parseAddress keeps the secret of ${JSON.stringify(url.slice(0, 40))} to itself`, () => {
    const { message, hint, details } = refusalOf(() => parseAddress(url));
    doesNotMatch(JSON.stringify([message, hint, details]), /hunter2/);
  });
}

Deno.test("parseAddress never throws anything but a refusal, and reads its own URLs back", () => {
  const anyUrl = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ unit: "binary" }).map((text) => `http://${text}`),
    fc.string().map((text) => `grpc://h${text}`),
    fc.tuple(fc.ipV6(), fc.nat(65535)).map(([host, port]) => `http://[${host}]:${port}/`),
    fc.nat(0xffffffff).map((number) => `ws://${number}/`),
  );
  let parsed = 0;
  fc.assert(
    fc.property(anyUrl, (url) => {
      let address;
      try {
        address = parseAddress(url);
      } catch (error) {
        return error instanceof BowireError && error.code === "invalid_url";
      }
      parsed++;
      deepStrictEqual(parseAddress(address.url), address);
      return true;
    }),
    { numRuns: 1000 },
  );
  ok(parsed > 200, `only ${parsed} URLs were valid`);
});

Deno.test("parseAddress refuses every userinfo", () => {
  const part = fc.string({ unit: fc.constantFrom(..."abz09-_.~!$&'()*+,;=%25") });
  fc.assert(fc.property(part, part, (user, password) => {
    fc.pre(user !== "" || password !== "");
    throws(() => parseAddress(`http://${user}:${password}@example.com/`), { code: "invalid_url" });
  }));
});
