/**
 * From JSON text to the bytes of a message.
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { parseJson } from "../../../../lib/schema/mod.ts";
import { type Codec, withTypes } from "../shared/types.ts";
import { Place } from "../shared/place.ts";
import { encodeBody } from "./body.ts";

/**
 * The bytes of the message that a JSON text is; no text and `null` are `{}`. Members may have
 * their JSON name or their name in the proto file; of a member that stands twice the last counts.
 * Fields go out in the order of their numbers.
 *
 * @throws {BowireError} `invalid_argument` naming the path of the field (`items[2].price`), what
 * is and what was wanted. Values are not told, for they may be secret.
 */
export function encodeMessage(type: DescMessage, json: string, codec: Codec): Promise<Uint8Array> {
  return withTypes(codec, (types) => {
    const { typeName } = type;
    const place = Place.outermost({ code: "invalid_argument", verb: "encode", typeName });
    const value = readText(json, place) ?? {};
    return encodeBody(type, { value, place, context: { types, encodeBody } });
  });
}

function readText(json: string, place: Place): unknown {
  if (json.trim() === "") return null;
  try {
    return parseJson(json);
  } catch (error) {
    if (error instanceof RangeError) throw place.error("is nested too deep");
    throw place.error(
      `is not JSON${positionIn(error)}`,
      'write it as a JSON object, as in {"id": 1}',
    );
  }
}

/** The engine's message quotes the text, so only its position is told. */
function positionIn(error: unknown): string {
  const found = error instanceof Error
    ? /\(line (\d+) column (\d+)\)$/.exec(error.message)
    : undefined;
  return found ? ` at line ${found[1]}, column ${found[2]}` : "";
}
