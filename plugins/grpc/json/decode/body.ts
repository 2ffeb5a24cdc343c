/**
 * A message of any type: the well-known ones have a JSON form of their own.
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { WRAPPED } from "../shared/element.ts";
import { decodeAny } from "./well_known/any.ts";
import { decodeFieldMask } from "./well_known/field_mask.ts";
import { type At, type Body, type Found, valuesIn } from "./context.ts";
import { FieldsBody } from "./fields.ts";
import type { ValueRecord, WireRecord } from "./wire.ts";
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

/** Where a message of a type is put together. */
export function bodyOf(type: DescMessage, at: At): Body {
  const decode = OWN_FORMS.get(type.typeName);
  return decode === undefined ? new FieldsBody(type, at) : new OwnFormBody(decode, at);
}

/** A message with a JSON form of its own. */
class OwnFormBody implements Body {
  readonly #decode: (found: Found) => string;
  readonly #at: At;
  readonly #records: ValueRecord[] = [];

  constructor(decode: (found: Found) => string, at: At) {
    this.#decode = decode;
    this.#at = at;
  }

  feed(records: Iterable<WireRecord>): void {
    for (const record of valuesIn(records, this.#at)) this.#records.push(record);
  }

  finish(): string {
    return this.#decode({ ...this.#at, records: this.#records });
  }
}
