/**
 * `google.protobuf.Any`: the type in `@type`, beside the fields, or beside `value` for types whose
 * JSON is no object of their fields.
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { base64Encode, WireType } from "@bufbuild/protobuf/wire";
import { hasOwnJson } from "../../shared/element.ts";
import { shownName } from "../../shared/place.ts";
import { type At, type Found, lastOf, readWellKnown } from "../context.ts";
import { readRecords } from "../wire.ts";
import { readText } from "../scalar.ts";

const FIELDS = { 1: WireType.LengthDelimited, 2: WireType.LengthDelimited };

/** The JSON text of an Any; of an unknown type its bytes stand in `value`, as base64. */
export function decodeAny(found: Found): string {
  const { place, context } = found;
  const records = readWellKnown(found, FIELDS);
  const url = readText(lastOf(records, 1) ?? new Uint8Array(), found);
  const bytes = lastOf(records, 2) ?? new Uint8Array();
  if (url === "" && bytes.length === 0) return "{}";
  const opening = `{"@type":${JSON.stringify(url)}`;
  const type = context.types.messageOf(url);
  if (type === undefined) {
    context.report.note(place, `the type ${shownName(url)} is not known; its bytes are base64`);
    return `${opening},"value":"${base64Encode(bytes)}"}`;
  }
  if (hasOwnJson(type)) {
    return `${opening},"value":${unpack(type, bytes, { ...found, place: place.field("value") })}}`;
  }
  const json = unpack(type, bytes, found);
  return json === "{}" ? `${opening}}` : `${opening},${json.slice(1)}`;
}

function unpack(type: DescMessage, bytes: Uint8Array, at: At): string {
  const body = at.context.bodyOf(type, at);
  body.feed(readRecords(bytes, at.place));
  return body.finish();
}
