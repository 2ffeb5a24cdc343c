/**
 * Enum values: names, or numbers.
 *
 * @module
 */
import { type DescEnum, ScalarType } from "@bufbuild/protobuf";
import type { BinaryWriter } from "@bufbuild/protobuf/wire";
import { NULL_VALUE } from "../shared/element.ts";
import { type Given, wrongKind } from "./given.ts";
import { integerOf } from "./integers.ts";

const MAX_NAMES = 12;

/** Writes the number of a value. */
export function writeEnum(writer: BinaryWriter, type: DescEnum, given: Given): void {
  writer.int32(numberOf(type, given));
}

function numberOf(type: DescEnum, given: Given): number {
  const { value, place } = given;
  if (value === null && type.typeName === NULL_VALUE) return 0;
  if (typeof value === "string") {
    const named = type.values.find(({ jsonName, name }) => value === jsonName || value === name);
    if (named !== undefined) return named.number;
    throw place.error(`is no value of "${type.typeName}"`, namesOf(type));
  }
  if (typeof value !== "number") throw wrongKind(given, `the name of a "${type.typeName}"`);
  const number = Number(integerOf(given, ScalarType.INT32));
  // A closed enum has no other values; its readers would not see the field (editions,
  // "features.enum_type").
  if (type.open || type.value[number] !== undefined) return number;
  throw place.error(`is no value of the closed enum "${type.typeName}"`, namesOf(type));
}

function namesOf({ values }: DescEnum): string {
  const names = values.slice(0, MAX_NAMES).map(({ jsonName }) => jsonName);
  const rest = values.length - names.length;
  return `its values are ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
