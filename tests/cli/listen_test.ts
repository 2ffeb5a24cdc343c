import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import {
  hostNamesOf,
  isOutranked,
  type ListenSettings,
  resolveAddresses,
} from "../../lib/cli/serve/listen.ts";
import { BowireError } from "../../lib/errors/mod.ts";

const PLAIN: ListenSettings = { hasToken: false, mayBeInsecure: false };
const SAFE: ListenSettings = { hasToken: true, mayBeInsecure: false, cert: "c.pem", key: "k.pem" };

for (
  const [what, settings, expected] of [
    ["nothing", PLAIN, ["http 127.0.0.1:5081"]],
    ["a port", { ...PLAIN, port: 0 }, ["http 127.0.0.1:0"]],
    ["localhost", { ...PLAIN, host: "localhost" }, ["http 127.0.0.1:5081"]],
    ["an IPv6 loopback", { ...PLAIN, host: "::1" }, ["http ::1:5081"]],
    ["another loopback", { ...PLAIN, host: "127.0.0.2" }, ["http 127.0.0.2:5081"]],
    ["a certificate", { ...SAFE, hasToken: false }, ["https 127.0.0.1:5081"]],
    ["a host beyond, token and TLS", { ...SAFE, host: "0.0.0.0" }, ["https 0.0.0.0:5081"]],
    [
      "a host beyond, insisted on",
      { ...PLAIN, host: "0.0.0.0", mayBeInsecure: true },
      ["http 0.0.0.0:5081"],
    ],
    ["a URL", { ...PLAIN, urls: "http://localhost:8080" }, ["http 127.0.0.1:8080"]],
    ["a URL without port", { ...PLAIN, urls: "http://localhost" }, ["http 127.0.0.1:80"]],
    ["an https URL", { ...SAFE, urls: "https://localhost:5443/" }, ["https 127.0.0.1:5443"]],
    ["an https URL without port", { ...SAFE, urls: "https://localhost" }, ["https 127.0.0.1:443"]],
    ["an IPv6 URL", { ...PLAIN, urls: "http://[::1]:8080" }, ["http ::1:8080"]],
    [
      "several URLs",
      { ...SAFE, urls: "http://localhost:80; https://localhost:443;" },
      ["http 127.0.0.1:80", "https 127.0.0.1:443"],
    ],
    ["a port and URLs", { ...PLAIN, port: 1, urls: "http://localhost:2" }, ["http 127.0.0.1:1"]],
    ["an empty BOWIRE_URLS", { ...PLAIN, urls: "" }, ["http 127.0.0.1:5081"]],
  ] as const
) {
  Deno.test(`resolveAddresses listens at ${expected.join(" and ")} for ${what}`, () => {
    const shown = resolveAddresses(settings).map(({ hostname, port, isTls }) =>
      `${isTls ? "https" : "http"} ${hostname}:${port}`
    );
    deepStrictEqual(shown, expected);
  });
}

for (
  const [what, settings, reason] of [
    [
      "every address without token and TLS",
      { ...PLAIN, host: "0.0.0.0" },
      "a token (--token-file) and TLS",
    ],
    ["every IPv6 address", { ...PLAIN, host: "::" }, "other machines could reach it"],
    [
      "a name beyond the loopback",
      { ...PLAIN, host: "box.example" },
      "other machines could reach it",
    ],
    [
      "a name that looks like a loopback",
      { ...PLAIN, host: "127.evil.example" },
      "other machines could reach it",
    ],
    ["a range of addresses", { ...SAFE, host: "10.0.0.0/8" }, "it is no name or address"],
    ["several hosts", { ...SAFE, host: "a.test,*" }, "it is no name or address"],
    ["a token without TLS", { ...PLAIN, host: "0.0.0.0", hasToken: true }, "without TLS"],
    ["TLS without a token", { ...SAFE, host: "0.0.0.0", hasToken: false }, "without a token"],
    ["a URL beyond", { ...PLAIN, urls: "http://0.0.0.0:80" }, "other machines could reach it"],
    [
      "one URL of two beyond",
      { ...PLAIN, urls: "http://localhost:1;http://10.0.0.1:1" },
      "10.0.0.1:1",
    ],
    ["a certificate without key", { ...PLAIN, cert: "c.pem" }, "belong together"],
    ["a key without certificate", { ...PLAIN, key: "k.pem" }, "belong together"],
    [
      "https without certificate",
      { ...PLAIN, urls: "https://localhost:1" },
      "there is no certificate",
    ],
    ["another scheme", { ...PLAIN, urls: "ftp://localhost:1" }, "not an http or https URL"],
    ["no URL at all", { ...PLAIN, urls: "localhost:1" }, "not an http or https URL"],
    ["only separators", { ...PLAIN, urls: " ; " }, "BOWIRE_URLS"],
  ] as const
) {
  Deno.test(`resolveAddresses refuses ${what}`, () => {
    throws(() => resolveAddresses(settings), (error: unknown) => {
      ok(error instanceof BowireError);
      strictEqual(error.code, "usage");
      ok(error.message.includes(reason), error.message);
      return true;
    });
  });
}

Deno.test("isOutranked is true only when flags and BOWIRE_URLS meet", () => {
  const urls = "http://localhost:1";
  deepStrictEqual(
    [{ urls }, { urls, port: 1 }, { urls, host: "x" }, { port: 1 }, { urls: "", port: 1 }]
      .map((given) => isOutranked({ ...PLAIN, ...given })),
    [false, true, true, false, false],
  );
});

Deno.test("hostNamesOf gives names as they stand in a Host header, wildcards left out", () => {
  const at = (hostname: string) => ({ hostname, port: 1, isTls: false });
  deepStrictEqual(hostNamesOf(["127.0.0.1", "::1", "0.0.0.0", "::", "box.example"].map(at)), [
    "127.0.0.1",
    "[::1]",
    "box.example",
  ]);
});
