import { ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { substitute } from "../../lib/schema/mod.ts";

const VALUES = {
  host: "api.example.com",
  "user name": "Ada",
  empty: "",
  braces: "{{host}}",
  $1: "$&",
};

const CASES: readonly (readonly [text: string, expected: string])[] = [
  ["https://{{host}}/x", "https://api.example.com/x"],
  ["{{ host }}|{{\thost\n}}", "api.example.com|api.example.com"],
  ["{{user name}}", "Ada"],
  ["{{host}}{{host}}", "api.example.comapi.example.com"],
  ["<{{empty}}>", "<>"],
  ["{{unknown}} ${unknown}", "{{unknown}} ${unknown}"],
  ["{{Host}}", "{{Host}}"],
  ["{{toString}} {{__proto__}}", "{{toString}} {{__proto__}}"],
  ["{{braces}}", "{{host}}"],
  ["{{$1}}", "$&"],
  ["https://${host}/x", "https://api.example.com/x"],
  ["{{{{host}}}}", "{{host}}"],
  ["{{{{ host }}}}", "{{ host }}"],
  ["{{{{unknown}}}}", "{{unknown}}"],
  ["$${host}", "${host}"],
  ["$$${host}", "$${host}"],
  ["{{}} ${} {host} $host {{host", "{{}} ${} {host} $host {{host"],
  ['{"a":{"b":"{{host}}"}}', '{"a":{"b":"api.example.com"}}'],
  ['{"a":{"b":1}}', '{"a":{"b":1}}'],
  ["", ""],
];

for (const [text, expected] of CASES) {
  Deno.test(`substitute makes ${JSON.stringify(expected)} of ${JSON.stringify(text)}`, () => {
    strictEqual(substitute(text, VALUES), expected);
  });
}

Deno.test("substitute leaves text without variables as it is", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    fc.pre(!/\{\{|\$\{/.test(text));
    strictEqual(substitute(text, VALUES), text);
  }));
});

Deno.test("substitute takes a short time for text that only looks like variables", () => {
  const start = performance.now();
  for (const text of [`{{${" ".repeat(100_000)}`, "{{{{".repeat(50_000), "${".repeat(100_000)]) {
    strictEqual(substitute(text, VALUES), text);
  }
  ok(performance.now() - start < 1000);
});
