/**
 * Random JSON as text: what a parser and a printer would lose is in it.
 *
 * @module
 */
import * as fc from "fast-check";

/** Numbers as they may be written, beyond what a double holds among them. */
const NUMBERS = [
  "0",
  "-0",
  "9223372036854775807",
  "-9223372036854775808",
  "18446744073709551615",
  "1.0",
  "1e400",
  "1E+2",
  "0.1000000000000000055511151231257827",
  "123456789012345678901234567890",
];
/** Strings as they may be written. */
const STRINGS = [
  String.raw`"\u0041\/\b\f\n\r\t\"\\"`,
  String.raw`"\ud83d\ude00"`,
  String.raw`"\ud800"`,
  `"\u2028\u2029"`,
  `"\u00e4\u4e2d\u{1f600}"`,
  `"data: x"`,
  `""`,
];

const string = fc.oneof(
  fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)),
  fc.constantFrom(...STRINGS),
);
const leaf = fc.oneof(string, fc.constantFrom(...NUMBERS, "true", "false", "null"));

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(" , ")}]`),
    membersOf(tie("value")).map((members) => `{${members}}`),
  ),
}));

/** Members of an object, as they stand between its braces. */
export const members: fc.Arbitrary<string> = membersOf(value);

/** An id of a request. */
export const id: fc.Arbitrary<string> = fc.oneof(
  fc.nat().map(String),
  fc.constantFrom("9223372036854775807", "-1", '"pt-77"', String.raw`"\u0041"`, '""'),
);

function membersOf(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  // A prefix keeps them apart from the members that mean something.
  const name = string.map((text) => `"x-${text.slice(1)}`);
  return fc.array(fc.tuple(name, inner), { maxLength: 4 })
    .map((pairs) => pairs.map(([name, value]) => `${name}: ${value}`).join(","));
}
