import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { isRawJson, parseJson } from "../../lib/schema/mod.ts";

const TOO_FINE = [
  "9007199254740993",
  "-9007199254740993",
  "18446744073709551615",
  "123456789012345678901234567890",
  "0.12345678901234567890",
  "0.1234567890123456789012345",
  "123456789.123456789",
  "1234567890.12345678",
  "12345678901234567.5",
  "1e400",
  "-1E+400",
  "1e-400",
  "1.00000000000000000001",
  "9007199254740993e0",
  "0.30000000000000004441",
];

for (const text of TOO_FINE) {
  Deno.test(`parseJson keeps ${text} as its text, at the root and nested`, () => {
    const value = parseJson(text);
    ok(isRawJson(value));
    strictEqual(value.rawJSON, text);
    const document = `{"list":[{"n":${text},"s":"${text}","i":1}]}`;
    strictEqual(JSON.stringify(parseJson(document)), document);
  });
}

const PLAIN: readonly (readonly [text: string, value: number])[] = [
  ["0", 0],
  ["-0", -0],
  ["0.1", 0.1],
  ["1.10", 1.1],
  ["1E2", 100],
  ["1e+2", 100],
  ["12.5e-1", 1.25],
  ["0e10", 0],
  ["0.000", 0],
  ["1.0000000000000000000", 1],
  ["100000000000000000000", 1e20],
  ["1e21", 1e21],
  ["9007199254740992", 9007199254740992],
  ["9007199254740994", 9007199254740994],
  ["123456789012345", 123456789012345],
  ["0.30000000000000004", 0.30000000000000004],
  ["5e-324", 5e-324],
  ["1.7976931348623157e308", Number.MAX_VALUE],
];

for (const [text, value] of PLAIN) {
  Deno.test(`parseJson reads ${text} as a plain number`, () => {
    ok(Object.is(parseJson(text), value));
  });
}

Deno.test("parseJson gives what JSON.parse gives for ordinary documents", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      deepStrictEqual(parseJson(text), JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

Deno.test("parseJson gives every double back as it was written", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      ok(Object.is(parseJson(JSON.stringify(number)), number === 0 ? 0 : number));
    }),
    { numRuns: 1000 },
  );
});

/** A decimal number without exponent in units of its 40th decimal place. */
function scaled(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(40, "0"));
}

Deno.test("parseJson loses no digit of any decimal number", () => {
  const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?$/);
  fc.assert(
    fc.property(number, (text) => {
      const written = JSON.stringify(parseJson(text));
      fc.pre(!written.includes("e")); // a plain number, which the doubles above are about
      strictEqual(scaled(written), scaled(text));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("parseJson throws a SyntaxError, also for a document with long numbers", () => {
  for (const text of ["", "{", "[01]", "[12345678901234567890,]", "[1e999", "NaN"]) {
    throws(() => parseJson(text), SyntaxError, text);
  }
});

Deno.test("parseJson gives members with odd names as own members", () => {
  const text = '{"__proto__":{"x":12345678901234567890},"constructor":1,"rawJSON":"2"}';
  const value = parseJson(text);
  strictEqual(JSON.stringify(value), text);
  strictEqual(Object.getPrototypeOf(value), Object.prototype);
  strictEqual(isRawJson(value), false);
});

Deno.test("parseJson takes a short time for a number with very many zeros", () => {
  const text = `0.1${"0".repeat(500_000)}1`;
  const start = performance.now();
  strictEqual(JSON.stringify(parseJson(text)), text);
  ok(performance.now() - start < 1000);
});

Deno.test("isRawJson knows only what the engine made", () => {
  strictEqual(isRawJson(Object.freeze({ rawJSON: "1" })), false);
  strictEqual(isRawJson(null), false);
});

Deno.test("parseJson keeps numbers exact wherever they end, and takes no part of a string for one", () => {
  const texts = [
    "-12345678901234567890",
    "1e400\n",
    '{"a":12345678901234567890 \n}',
    "[0.1234567890123456789\t,1]",
    '["x: 12345678901234567890, 1e400]",1E400]',
    '{"sha":"1234567890abcdef1234567890"}',
  ];
  for (const text of texts) {
    strictEqual(JSON.stringify(parseJson(text)), text.replace(/[ \t\n]+(?=[,}\]]|$)/g, ""));
  }
});
