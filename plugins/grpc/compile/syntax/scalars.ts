/**
 * Values as written, read as numbers of a type.
 *
 * @module
 */
import { FieldDescriptorProto_Type as Type } from "@bufbuild/protobuf/wkt";
import type { OptionValue } from "./tree.ts";

type Bounds = readonly [least: bigint, most: bigint];
const SIGNED_32: Bounds = [-(2n ** 31n), 2n ** 31n - 1n];
const SIGNED_64: Bounds = [-(2n ** 63n), 2n ** 63n - 1n];
const UNSIGNED_32: Bounds = [0n, 2n ** 32n - 1n];
const UNSIGNED_64: Bounds = [0n, 2n ** 64n - 1n];

const BOUNDS: ReadonlyMap<Type, Bounds> = new Map([
  [Type.INT32, SIGNED_32],
  [Type.SINT32, SIGNED_32],
  [Type.SFIXED32, SIGNED_32],
  [Type.INT64, SIGNED_64],
  [Type.SINT64, SIGNED_64],
  [Type.SFIXED64, SIGNED_64],
  [Type.UINT32, UNSIGNED_32],
  [Type.FIXED32, UNSIGNED_32],
  [Type.UINT64, UNSIGNED_64],
  [Type.FIXED64, UNSIGNED_64],
]);

/** Whether a type is one of the ten integers. */
export function isIntegerType(type: Type): boolean {
  return BOUNDS.has(type);
}

/** The value as an integer of a type; nothing when it is none, or is out of bounds. */
export function integerFrom(value: OptionValue, type: Type): bigint | undefined {
  const bounds = BOUNDS.get(type);
  if (value.kind !== "integer" || bounds === undefined) return undefined;
  const [least, most] = bounds;
  return value.integer >= least && value.integer <= most ? value.integer : undefined;
}

/** The value as a double; `inf` and `nan` are words. */
export function doubleFrom(value: OptionValue): number | undefined {
  if (value.kind === "float") return value.float;
  if (value.kind === "integer") {
    return value.isNegative && value.integer === 0n ? -0 : Number(value.integer);
  }
  if (value.kind !== "word") return undefined;
  const word = value.word.toLowerCase();
  if (word === "nan") return NaN;
  if (word !== "inf" && word !== "infinity") return undefined;
  return value.isNegative ? -Infinity : Infinity;
}
