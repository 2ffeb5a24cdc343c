/**
 * Scalars as JSON text: the edges of their ranges, in every spelling that JSON of protobuf has.
 *
 * @module
 */
import { ScalarType } from "@bufbuild/protobuf";
import type { Dice } from "./dice.ts";

/** A scalar as JSON text. */
export function scalarText(scalar: ScalarType, dice: Dice): string {
  switch (scalar) {
    case ScalarType.DOUBLE:
      return floatText(DOUBLES, dice);
    case ScalarType.FLOAT:
      return floatText(FLOATS, dice);
    case ScalarType.BOOL:
      return dice.pick(["true", "false"]);
    case ScalarType.STRING:
      return JSON.stringify(anyText(dice));
    case ScalarType.BYTES:
      return JSON.stringify(base64(dice));
    default:
      return integerText(scalar, dice);
  }
}

const NAMED_FLOATS = ['"NaN"', '"Infinity"', '"-Infinity"'];
const DOUBLES = [
  ...["0", "-0", "0.1", "1.5", "-2.25e-3", "1e3", "5e-324", "1.7976931348623157e308"],
  ...["123456789.123", "9007199254740993", "1e21", "1e-7", "0.000001", "4.35", "100"],
];
const FLOATS = [
  ...["0", "-0", "0.1", "1.5", "-2.25e-3", "1e3", "1e-45", "3.4028235e38", "-3.4028235e38"],
  ...["1.17549435e-38", "16777216", "16777217", "0.3", "1e10", "1e-7", "33554432.5", "1e21"],
];

function floatText(numbers: readonly string[], dice: Dice): string {
  if (dice.isIn(10)) return dice.pick(NAMED_FLOATS);
  const number = dice.pick(numbers);
  return dice.isIn(20) ? `"${number}"` : number;
}

const RANGES: ReadonlyMap<ScalarType, readonly [min: bigint, max: bigint]> = new Map([
  ...[ScalarType.INT32, ScalarType.SINT32, ScalarType.SFIXED32]
    .map((scalar) => [scalar, [-(2n ** 31n), 2n ** 31n - 1n]] as const),
  ...[ScalarType.INT64, ScalarType.SINT64, ScalarType.SFIXED64]
    .map((scalar) => [scalar, [-(2n ** 63n), 2n ** 63n - 1n]] as const),
  ...[ScalarType.UINT32, ScalarType.FIXED32]
    .map((scalar) => [scalar, [0n, 2n ** 32n - 1n]] as const),
  ...[ScalarType.UINT64, ScalarType.FIXED64]
    .map((scalar) => [scalar, [0n, 2n ** 64n - 1n]] as const),
]);

/** An integer that lies in the range of its type. */
export function integerOf(scalar: ScalarType, dice: Dice): bigint {
  const [min, max] = RANGES.get(scalar) ?? [0n, 0n];
  const candidates = [0n, 1n, -1n, 127n, 128n, 1000n, min, max, 2n ** 53n + 1n, -(2n ** 53n) - 1n];
  return dice.pick(candidates.filter((value) => value >= min && value <= max));
}

function integerText(scalar: ScalarType, dice: Dice): string {
  const value = integerOf(scalar, dice);
  const number = dice.pick([
    `${value}`,
    `${value}`,
    `${value}.0`,
    value % 1000n === 0n ? `${value / 1000n}e3` : `${value}`,
  ]);
  return dice.isIn(50) ? `"${number}"` : number;
}

const TEXTS = [
  ...["", "a", "plain text", "ünï", "日本語", "🙂", "a\u0000b", 'quote " and \\', "line\nbreak"],
  ...["__proto__", "</script>", "\u2028", "\ufeffbom", "\u007f", "0", "null"],
];

/** Any Unicode text. */
export function anyText(dice: Dice): string {
  return dice.isIn(5) ? dice.pick(TEXTS).repeat(200) : dice.pick(TEXTS);
}

function base64(dice: Dice): string {
  const bytes = Uint8Array.from({ length: dice.below(8) }, () => dice.below(256));
  const text = btoa(String.fromCharCode(...bytes));
  const url = dice.isIn(30) ? text.replaceAll("+", "-").replaceAll("/", "_") : text;
  return dice.isIn(30) ? url.replaceAll("=", "") : url;
}
