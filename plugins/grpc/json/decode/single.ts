/**
 * One value from the wire: a scalar, an enum value or a message.
 *
 * @module
 */
import { type DescEnum, ScalarType } from "@bufbuild/protobuf";
import type { BinaryReader } from "@bufbuild/protobuf/wire";
import { type Element, NULL_VALUE } from "../shared/element.ts";
import type { Found } from "./records.ts";
import { readNumber, readScalar, type Scalar, zeroJson } from "./scalar.ts";

/** A value from its bytes; `undefined` for a number that a closed enum does not have. */
export function readElement(element: Element, found: Found): Scalar | undefined {
  if (element.kind === "message") {
    return { json: found.context.decodeBody(element.message, found), isZero: false };
  }
  if (element.kind === "scalar") return readScalar(element.scalar, found);
  return namedValue(element.enum, readScalar(ScalarType.INT32, found));
}

/** The next value of a packed list; `undefined` as in {@linkcode readElement}. */
export function readPacked(element: Element, reader: BinaryReader): Scalar | undefined {
  if (element.kind === "scalar") return readNumber(element.scalar, reader);
  if (element.kind === "message") throw new TypeError("messages are never packed");
  return namedValue(element.enum, readNumber(ScalarType.INT32, reader));
}

/** The value of a map's entry that has none. */
export function zeroElement(element: Element, found: Found): string {
  if (element.kind === "message") return found.context.decodeBody(element.message, found);
  if (element.kind === "scalar") return zeroJson(element.scalar);
  const [first] = element.enum.values;
  return namedValue(element.enum, { json: String(first?.number ?? 0), isZero: true })?.json ?? "0";
}

function namedValue(type: DescEnum, number: Scalar): Scalar | undefined {
  if (type.typeName === NULL_VALUE) return { ...number, json: "null" };
  const named = type.value[Number(number.json)];
  if (named !== undefined) return { ...number, json: JSON.stringify(named.jsonName) };
  return type.open ? number : undefined;
}
