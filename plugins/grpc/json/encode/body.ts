/**
 * A message of any type: the well-known ones have a JSON form of their own.
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { WRAPPED } from "../shared/element.ts";
import { encodeAny } from "./well_known/any.ts";
import { encodeDuration, encodeTimestamp } from "./well_known/times.ts";
import { encodeFieldMask } from "./well_known/field_mask.ts";
import { encodeFields } from "./fields.ts";
import type { Given } from "./given.ts";
import { encodeListValue, encodeStruct, encodeValue } from "./well_known/struct.ts";
import { encodeWrapper } from "./well_known/wrapper.ts";

/** The well-known types are known by their names; their field numbers never change. */
const OWN_FORMS: ReadonlyMap<string, (given: Given) => Uint8Array> = new Map([
  ["google.protobuf.Any", encodeAny],
  ["google.protobuf.Duration", encodeDuration],
  ["google.protobuf.FieldMask", encodeFieldMask],
  ["google.protobuf.ListValue", encodeListValue],
  ["google.protobuf.Struct", encodeStruct],
  ["google.protobuf.Timestamp", encodeTimestamp],
  ["google.protobuf.Value", encodeValue],
  ...[...WRAPPED].map(([name, scalar]) =>
    [name, (given: Given) => encodeWrapper(scalar, given)] as const
  ),
]);

/** The bytes of a message, without the length or the tags that frame it. */
export function encodeBody(type: DescMessage, given: Given): Uint8Array {
  return OWN_FORMS.get(type.typeName)?.(given) ?? encodeFields(type, given);
}
