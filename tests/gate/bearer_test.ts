import {
  deepStrictEqual,
  doesNotMatch,
  match,
  notStrictEqual,
  ok,
  strictEqual,
  throws,
} from "node:assert/strict";
import fc from "fast-check";
import { BearerGuard, fingerprint } from "../../lib/gate/mod.ts";

const guard = new BearerGuard("s3cret-Token");

for (const header of ["Bearer s3cret-Token", "bearer s3cret-Token", "BEARER   s3cret-Token"]) {
  Deno.test(`BearerGuard.accepts takes ${JSON.stringify(header)}`, () => {
    ok(guard.accepts(header));
  });
}

const REFUSED = [
  null,
  "",
  "Bearer",
  "Bearer ",
  "s3cret-Token",
  "Basic s3cret-Token",
  "Bearers3cret-Token",
  "Bearer s3cret-Toke",
  "Bearer s3cret-Token1",
  "Bearer s3cret-token",
  "Bearer S3CRET-TOKEN",
  "Bearer s3cret-Token ",
  "Bearer s3cret-Token\n",
  "Bearer s3cret-Token, Bearer s3cret-Token",
  " Bearer s3cret-Token",
  "Bearer\ts3cret-Token",
  "Bearer s3cret -Token",
];

for (const header of REFUSED) {
  Deno.test(`BearerGuard.accepts refuses ${JSON.stringify(header)}`, () => {
    strictEqual(guard.accepts(header), false);
  });
}

Deno.test("BearerGuard.accepts takes no token but its own", () => {
  fc.assert(fc.property(fc.string(), (token) => {
    strictEqual(guard.accepts(`Bearer ${token}`), token === "s3cret-Token");
  }));
});

Deno.test("BearerGuard refuses to guard with an empty token", () => {
  throws(() => new BearerGuard(""), RangeError);
});

Deno.test("BearerGuard.challenge says whether a token was there, never which is wanted", async () => {
  const [without, withWrong] = [guard.challenge(false), guard.challenge(true)];
  deepStrictEqual([without.status, withWrong.status], [401, 401]);
  strictEqual(without.headers.get("www-authenticate"), 'Bearer realm="bowire-mcp"');
  strictEqual(
    withWrong.headers.get("www-authenticate"),
    'Bearer realm="bowire-mcp", error="invalid_token"',
  );
  const text = await withWrong.text();
  strictEqual(JSON.parse(text).error.code, -32001);
  doesNotMatch(text, /s3cret/);
  await without.body?.cancel();
});

Deno.test("fingerprint tells secrets apart without showing them", () => {
  strictEqual(fingerprint("a"), fingerprint("a"));
  notStrictEqual(fingerprint("a"), fingerprint("b"));
  match(fingerprint("hunter2"), /^[0-9a-f]{64}$/);
});
