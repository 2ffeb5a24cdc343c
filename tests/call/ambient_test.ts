import { deepStrictEqual, doesNotMatch, strictEqual, throws } from "node:assert/strict";
import { ambientOf } from "../../lib/call/mod.ts";
import type { Environment } from "../../lib/model/mod.ts";
import type { Ambient } from "../../lib/protocol/mod.ts";

type Texts = Readonly<Record<string, string>>;

/** What an active environment at `https://api.test` adds. */
function ambientWith(
  members: Readonly<Record<string, unknown>>,
  globals: Texts = {},
): Ambient | undefined {
  const environment: Environment = { id: "e", serverUrl: "https://api.test", ...members };
  return ambientOf({ globals, environments: [environment], activeEnvId: "e" });
}

function metadataWith(members: Readonly<Record<string, unknown>>, globals: Texts = {}): unknown {
  return ambientWith(members, globals)?.metadata;
}

Deno.test("ambientOf is nothing without an active environment that names its server", () => {
  const environments = [{ id: "e", serverUrl: "https://api.test", headers: { A: "1" } }, {
    id: "bare",
    headers: { A: "1" },
  }];
  for (const activeEnvId of ["", "E", "other", "bare", "__proto__"]) {
    strictEqual(ambientOf({ globals: {}, environments, activeEnvId }), undefined, activeEnvId);
  }
  for (const serverUrl of ["", 7, null, "{{host}}", "https://{{secret.host}}"]) {
    strictEqual(ambientWith({ serverUrl }), undefined, String(serverUrl));
  }
});

const ORIGINS: readonly (readonly [serverUrl: string, origin: string])[] = [
  ["https://api.test", "https://api.test:443"],
  ["HTTPS://API.test:443/v1/?x=1#y", "https://api.test:443"],
  ["rest@http://127.1:8080/v1", "http://127.0.0.1:8080"],
  ["http://[::1]:80/", "http://[::1]:80"],
  ["{{scheme}}://${host}/v1", "https://variable.test:443"],
];
for (const [serverUrl, origin] of ORIGINS) {
  Deno.test(`ambientOf is for the origin ${origin} of ${serverUrl}`, () => {
    const vars = { scheme: "https", host: "variable.test" };
    strictEqual(ambientWith({ serverUrl, vars })?.origin, origin);
  });
}

Deno.test("ambientOf refuses a server URL that is none, without its secrets", () => {
  throws(
    () => ambientWith({ serverUrl: "https://user:CANARY@api.test/?token=CANARY" }),
    (error) => {
      doesNotMatch(String(error), /CANARY/);
      return true;
    },
  );
  throws(() => ambientWith({ serverUrl: "no url" }), { code: "invalid_url" });
});

Deno.test("ambientOf fills variables, those of the environment before the global ones", () => {
  const headers = { A: "{{id}}", B: "${id}-{{ region }}", C: "{{{{id}}}}", D: "plain" };
  deepStrictEqual(
    metadataWith({ headers, vars: { id: "own" } }, { id: "global", region: "north" }),
    {
      A: "own",
      B: "own-north",
      // A literal pair of braces looks like a variable without a value, so nothing is risked.
      D: "plain",
    },
  );
});

const UNRESOLVED = [
  "{{secret.x}}",
  "Bearer {{secret.x}}",
  "${x}",
  "{{known}}{{unknown}}",
  "{{indirect}}",
];
for (const value of UNRESOLVED) {
  Deno.test(`ambientOf leaves out a header with ${value}, for which there is no value`, () => {
    const vars = { known: "1", indirect: "{{secret.y}}" };
    deepStrictEqual(metadataWith({ headers: { A: value, B: "{{known}}" }, vars }), { B: "1" });
  });
}

Deno.test("ambientOf takes only text as header", () => {
  const headers = { A: 1, B: null, C: ["x"], D: { e: "x" }, E: true, F: "x" };
  deepStrictEqual(metadataWith({ headers }), { F: "x" });
  for (const other of ["text", 7, null, ["X: 1"]]) {
    const found = metadataWith({ headers: other });
    strictEqual(Object.keys(found ?? {}).includes("F"), false);
  }
});

const PAIR = btoa("anna:secret");
const AUTHS: readonly (readonly [auth: unknown, metadata: Texts])[] = [
  [{ type: "bearer", token: "{{t}}" }, { Authorization: "Bearer T" }],
  [{ type: "bearer", token: "{{secret.t}}" }, {}],
  [{ type: "bearer" }, {}],
  [{ type: "basic", username: "anna", password: "secret" }, { Authorization: `Basic ${PAIR}` }],
  [{ type: "basic", username: "anna" }, { Authorization: `Basic ${btoa("anna:")}` }],
  [{ type: "basic", password: "secret" }, {}],
  [{ type: "basic", username: "{{secret.u}}", password: "secret" }, {}],
  [{ type: "apikey", name: "X-Key", value: "{{t}}" }, { "X-Key": "T" }],
  [{ type: "apikey", name: "X-Key", value: "k", location: "header" }, { "X-Key": "k" }],
  [{ type: "apikey", name: "key", value: "k", location: "query" }, { __bowireQuery__key: "k" }],
  [{ type: "apikey", name: "key", value: "{{secret.k}}", location: "query" }, {}],
  [{ type: "apikey", value: "k" }, {}],
  [{ type: "jwt", secret: "s" }, {}],
  [{ type: "toString", token: "t" }, {}],
  [{ token: "t" }, {}],
  ["bearer", {}],
  [null, {}],
];
for (const [auth, metadata] of AUTHS) {
  Deno.test(`ambientOf reads the auth block ${JSON.stringify(auth)}`, () => {
    deepStrictEqual(metadataWith({ auth, vars: { t: "T" } }), metadata);
  });
}

Deno.test("ambientOf sends no half of a pair: a password without a value is no empty one", () => {
  const auth = { type: "basic", username: "anna", password: "{{secret.p}}" };
  deepStrictEqual(metadataWith({ auth }), {});
});

Deno.test("ambientOf hands on the texts of a client certificate, and no other member", () => {
  const auth = { type: "mtls", certificate: "{{cert}}", privateKey: "KEY", allowSelfSigned: true };
  const { __bowireMtls__: pems = "" } = ambientWith({ auth, vars: { cert: "CERT" } })?.metadata ??
    {};
  deepStrictEqual(JSON.parse(pems), { certificate: "CERT", privateKey: "KEY" });
});

Deno.test("ambientOf lets a header of the environment come before its auth block", () => {
  const auth = { type: "bearer", token: "t" };
  const headers = { Authorization: "Custom c" };
  deepStrictEqual(metadataWith({ auth, headers }), { Authorization: "Custom c" });
});
