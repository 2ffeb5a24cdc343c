/**
 * Well-known types as JSON text.
 *
 * @module
 */
import { ScalarType } from "@bufbuild/protobuf";
import { anyText, scalarText } from "./scalars.ts";
import type { Dice } from "./dice.ts";

const DURATIONS = [
  ...["0s", "1s", "-1s", "1.5s", "-0.5s", "0.000000001s", "-0.999999999s", "1.000340012s"],
  ...["315576000000s", "-315576000000s", "315575999999.999999999s", "3.010s", "0.1s"],
];
const TIMESTAMPS = [
  ...["1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"],
  ...["2024-02-29T12:30:00.5Z", "2024-02-29T23:59:59+05:30", "1969-12-31T23:59:59.999Z"],
  ...["2000-01-01T00:00:00.000001-08:00", "1900-03-01T00:00:00.123456789Z"],
];
const MASKS = ["", "a", "a.b", "fooBar,baz", "a.bC.dEf,g", "user.displayName,photo"];

/** The types whose JSON is no object of their fields, without Any; `undefined` for others. */
export function wellKnownText(typeName: string, dice: Dice): string | undefined {
  const make = MAKERS.get(typeName.replace("google.protobuf.", ""));
  return typeName.startsWith("google.protobuf.") ? make?.(dice) : undefined;
}

const MAKERS: ReadonlyMap<string, (dice: Dice) => string> = new Map([
  ["Duration", (dice: Dice) => JSON.stringify(dice.pick(DURATIONS))],
  ["Timestamp", (dice: Dice) => JSON.stringify(dice.pick(TIMESTAMPS))],
  ["FieldMask", (dice: Dice) => JSON.stringify(dice.pick(MASKS))],
  ["Value", (dice: Dice) => jsonText(dice, 3)],
  ["Struct", (dice: Dice) => structText(dice, 3)],
  ["ListValue", (dice: Dice) => listText(dice, 3)],
  ...[
    ["DoubleValue", ScalarType.DOUBLE] as const,
    ["FloatValue", ScalarType.FLOAT] as const,
    ["Int64Value", ScalarType.INT64] as const,
    ["UInt64Value", ScalarType.UINT64] as const,
    ["Int32Value", ScalarType.INT32] as const,
    ["UInt32Value", ScalarType.UINT32] as const,
    ["BoolValue", ScalarType.BOOL] as const,
    ["StringValue", ScalarType.STRING] as const,
    ["BytesValue", ScalarType.BYTES] as const,
  ].map(([name, scalar]) => [name, (dice: Dice) => scalarText(scalar, dice)] as const),
]);

const LEAVES = ["null", "true", "false", "0", "-0", "0.1", "1e300", "-5", "9007199254740992"];

function jsonText(dice: Dice, depth: number): string {
  if (depth > 0 && dice.isIn(40)) {
    return dice.isIn(50) ? structText(dice, depth) : listText(dice, depth);
  }
  return dice.isIn(30) ? JSON.stringify(anyText(dice)) : dice.pick(LEAVES);
}

function structText(dice: Dice, depth: number): string {
  const members = new Map(
    Array.from({ length: dice.below(4) }, () => [anyText(dice), jsonText(dice, depth - 1)]),
  );
  return `{${[...members].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")}}`;
}

function listText(dice: Dice, depth: number): string {
  return `[${Array.from({ length: dice.below(4) }, () => jsonText(dice, depth - 1)).join(",")}]`;
}
