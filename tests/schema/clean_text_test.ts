import { ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { cleanText } from "../../lib/schema/mod.ts";

const CASES: readonly (readonly [text: string, expected: string])[] = [
  ["plain", "plain"],
  ["  two words\t ", "two words"],
  ["a\r\nb\rc\u2028d\u2029e\nf", "a\nb\nc\nd\ne\nf"],
  ["a\u0000b\u001b[31mc\u007f\u009b", "ab[31mc"],
  ["zero\u200bwidth\u200d\ufeff\u2060", "zerowidth"],
  ["\u202eright\u2066to left\u2069", "rightto left"],
  ["tags\u{e0041}\u{e0042}", "tags"],
  ["soft\u00adhyphen\u3164", "softhyphen"],
  ["half\ud800 pair\udc00", "half pair"],
  ["😀 ünïcödé 漢字", "😀 ünïcödé 漢字"],
];

for (const [text, expected] of CASES) {
  Deno.test(`cleanText makes ${JSON.stringify(expected)} of ${JSON.stringify(text)}`, () => {
    strictEqual(cleanText(text, 100), expected);
  });
}

Deno.test("cleanText cuts at the length and says so", () => {
  strictEqual(cleanText("abcdef", 6), "abcdef");
  strictEqual(cleanText("abcdefg", 6), "abcde…");
  strictEqual(cleanText("abcd😀fg", 6), "abcd…");
});

Deno.test("cleanText never gives more than asked for, nor a character that nobody sees", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 40 }), (text, length) => {
      const clean = cleanText(text, length);
      ok(clean.length <= length);
      ok(!/[\p{Cf}\p{Cs}]|(?![\n\t])\p{Cc}/u.test(clean));
    }),
  );
});
