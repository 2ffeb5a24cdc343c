/**
 * A message of any type: the well-known ones have a JSON form of their own.
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { WRAPPED } from "../shared/element.ts";
import { decodeAny } from "./well_known/any.ts";
import { decodeFieldMask } from "./well_known/field_mask.ts";
import { decodeFields } from "./fields.ts";
import type { Found } from "./records.ts";
import { decodeListValue, decodeStruct, decodeValue } from "./well_known/struct.ts";
import { decodeDuration, decodeTimestamp } from "./well_known/times.ts";
import { decodeWrapper } from "./well_known/wrapper.ts";

/** The well-known types are known by their names; their field numbers never change. */
const OWN_FORMS: ReadonlyMap<string, (found: Found) => string> = new Map([
  ["google.protobuf.Any", decodeAny],
  ["google.protobuf.Duration", decodeDuration],
  ["google.protobuf.FieldMask", decodeFieldMask],
  ["google.protobuf.ListValue", decodeListValue],
  ["google.protobuf.Struct", decodeStruct],
  ["google.protobuf.Timestamp", decodeTimestamp],
  ["google.protobuf.Value", decodeValue],
  ...[...WRAPPED].map(([name, scalar]) =>
    [name, (found: Found) => decodeWrapper(scalar, found)] as const
  ),
]);

/** The JSON text of a message. */
export function decodeBody(type: DescMessage, found: Found): string {
  return OWN_FORMS.get(type.typeName)?.(found) ?? decodeFields(type, found);
}
