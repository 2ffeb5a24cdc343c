/**
 * `google.protobuf.Any`: the type in `@type`, beside the fields, or beside `value` for types whose
 * JSON is no object of their fields.
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { hasOwnJson } from "../../shared/element.ts";
import { shownName } from "../../shared/place.ts";
import { type Given, membersOf } from "../given.ts";
import { textOf } from "../scalar.ts";

/** The bytes of an Any; `{}` is an empty one. */
export function encodeAny(given: Given): Uint8Array {
  const members = membersOf(given);
  if (members.length === 0) return new Uint8Array();
  const { "@type": url, ...rest } = Object.fromEntries(members);
  if (url === undefined) {
    throw given.place.error(
      'has no "@type"',
      'name the type beside its fields, as in {"@type": "type.googleapis.com/pkg.Type"}',
    );
  }
  const typeUrl = textOf({ ...given, value: url, place: given.place.field("@type") });
  const type = given.context.types.messageOf(typeUrl);
  if (type === undefined) {
    throw given.place.field("@type").error(
      `names the type ${shownName(typeUrl)}, which is not known here`,
      "wanted the full name of a message that the target or its descriptors have",
    );
  }
  const body = given.context.encodeBody(type, contentOf(type, { ...given, value: rest }));
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).string(typeUrl);
  if (body.length > 0) writer.tag(2, WireType.LengthDelimited).bytes(body);
  return writer.finish();
}

/** What is packed, from the members beside `@type`. */
function contentOf(type: DescMessage, given: Given): Given {
  const rest = new Map(membersOf(given));
  // Some libraries take Empty for a type with a JSON form of its own.
  const isEmptyValue = type.typeName === "google.protobuf.Empty" && rest.size === 1;
  if (!hasOwnJson(type) && !(isEmptyValue && rest.has("value"))) return given;
  const place = given.place.field("value");
  const other = [...rest.keys()].find((name) => name !== "value");
  if (other !== undefined) {
    throw given.place.error(
      `has ${shownName(other)} beside "@type", wanted "value" only`,
      `the JSON of "${type.typeName}" stands in "value"`,
    );
  }
  if (!rest.has("value")) throw place.error(`is missing: it holds the "${type.typeName}"`);
  return { ...given, value: rest.get("value"), place };
}
