/**
 * One value on the wire, be it a field's, an item's of a list, or a map's.
 *
 * @module
 */
import {
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescMessage,
  ScalarType,
} from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";

/** A field of a message, or one that another file adds to it. */
export type AnyField = DescField | DescExtension;

/** A field that is a list. */
export type ListField = AnyField & { readonly fieldKind: "list" };
/** A field that is a map. */
export type MapField = AnyField & { readonly fieldKind: "map" };

/** A scalar or an enum value. */
export type PlainElement =
  | { readonly kind: "scalar"; readonly scalar: ScalarType }
  | { readonly kind: "enum"; readonly enum: DescEnum };

/** A message. */
export interface MessageElement {
  readonly kind: "message";
  readonly message: DescMessage;
  readonly isDelimited: boolean;
}

/** What a value is. */
export type Element = PlainElement | MessageElement;

/** The value of a field, of each item of a list, of each entry of a map. */
export function elementOf(field: AnyField): Element {
  if (field.scalar !== undefined) return { kind: "scalar", scalar: field.scalar };
  if (field.enum !== undefined) return { kind: "enum", enum: field.enum };
  return { kind: "message", message: field.message, isDelimited: field.delimitedEncoding };
}

/** `FeatureSet.FieldPresence` of descriptor.proto. */
const [IMPLICIT, REQUIRED] = [2, 3];

/** True for a field whose zero value is the same as none. */
export function isImplicit(field: AnyField): boolean {
  return field.presence === IMPLICIT && field.message === undefined;
}

/** True for a field without which the message is not complete. */
export function isRequired(field: AnyField): boolean {
  return field.presence === REQUIRED;
}

/** How a value is framed (protobuf.dev, "Encoding", message structure). */
export function wireTypeOf(element: Element): WireType {
  if (element.kind === "enum") return WireType.Varint;
  if (element.kind === "message") {
    return element.isDelimited ? WireType.StartGroup : WireType.LengthDelimited;
  }
  switch (element.scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}

/** The scalars that the wrappers of `google/protobuf/wrappers.proto` hold in field 1. */
export const WRAPPED: ReadonlyMap<string, ScalarType> = new Map([
  ["google.protobuf.DoubleValue", ScalarType.DOUBLE],
  ["google.protobuf.FloatValue", ScalarType.FLOAT],
  ["google.protobuf.Int64Value", ScalarType.INT64],
  ["google.protobuf.UInt64Value", ScalarType.UINT64],
  ["google.protobuf.Int32Value", ScalarType.INT32],
  ["google.protobuf.UInt32Value", ScalarType.UINT32],
  ["google.protobuf.BoolValue", ScalarType.BOOL],
  ["google.protobuf.StringValue", ScalarType.STRING],
  ["google.protobuf.BytesValue", ScalarType.BYTES],
]);

/** Types whose JSON is no object of their fields; within an Any it stands under `value`. */
const WITH_OWN_JSON: ReadonlySet<string> = new Set([
  ...WRAPPED.keys(),
  ...["Any", "Duration", "FieldMask", "ListValue", "Struct", "Timestamp", "Value"]
    .map((name) => `google.protobuf.${name}`),
]);

/** True for a type whose JSON is no object of its fields. */
export function hasOwnJson(type: DescMessage): boolean {
  return WITH_OWN_JSON.has(type.typeName);
}

/** The enum that has one value, `null`. */
export const NULL_VALUE = "google.protobuf.NullValue";
