/**
 * `google.protobuf.Any`: the type in `@type`, beside the fields, or beside `value` for types whose
 * JSON is no object of their fields.
 *
 * @module
 */
import { base64Encode, WireType } from "@bufbuild/protobuf/wire";
import { hasOwnJson } from "../../shared/element.ts";
import { shownName } from "../../shared/place.ts";
import { type Found, readWellKnown } from "../records.ts";
import { readText } from "../scalar.ts";

const FIELDS = { 1: WireType.LengthDelimited, 2: WireType.LengthDelimited };

/** The JSON text of an Any; of an unknown type its bytes stand in `value`, as base64. */
export function decodeAny(found: Found): string {
  const { place, context } = found;
  const records = readWellKnown(found, FIELDS);
  const dataOf = (wanted: number) =>
    records.findLast(({ no }) => no === wanted)?.data ?? new Uint8Array();
  const [url, bytes] = [readText({ ...found, bytes: dataOf(1) }), dataOf(2)];
  if (url === "" && bytes.length === 0) return "{}";
  const opening = `{"@type":${JSON.stringify(url)}`;
  const type = context.types.messageOf(url);
  if (type === undefined) {
    context.report.note(place, `the type ${shownName(url)} is not known; its bytes are base64`);
    return `${opening},"value":"${base64Encode(bytes)}"}`;
  }
  if (hasOwnJson(type)) {
    const json = context.decodeBody(type, { ...found, bytes, place: place.field("value") });
    return `${opening},"value":${json}}`;
  }
  const json = context.decodeBody(type, { ...found, bytes });
  return json === "{}" ? `${opening}}` : `${opening},${json.slice(1)}`;
}
