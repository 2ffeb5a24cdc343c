/**
 * One value from the wire: a scalar or an enum value.
 *
 * @module
 */
import { type DescEnum, ScalarType } from "@bufbuild/protobuf";
import type { BinaryReader } from "@bufbuild/protobuf/wire";
import { NULL_VALUE, type PlainElement } from "../shared/element.ts";
import type { At } from "./context.ts";
import { readNumber, readScalar, type Scalar, zeroJson } from "./scalar.ts";

/** A value from its bytes; `undefined` for a number that a closed enum does not have. */
export function readElement(
  element: PlainElement,
  bytes: Uint8Array,
  at: At,
): Scalar | undefined {
  if (element.kind === "scalar") return readScalar(element.scalar, bytes, at);
  return namedValue(element.enum, readScalar(ScalarType.INT32, bytes, at));
}

/** The next value of a packed list; `undefined` as in {@linkcode readElement}. */
export function readPacked(element: PlainElement, reader: BinaryReader): Scalar | undefined {
  if (element.kind === "scalar") return readNumber(element.scalar, reader);
  return namedValue(element.enum, readNumber(ScalarType.INT32, reader));
}

/** The value of a map's entry that has none. */
export function zeroElement(element: PlainElement): string {
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
