/**
 * From the bytes of a message to JSON text.
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { Place } from "../shared/place.ts";
import { type Codec, withTypes } from "../shared/types.ts";
import { bodyOf } from "./body.ts";
import { Report } from "./report.ts";
import { readRecords } from "./wire.ts";

/** A message that was read. */
export interface Decoded {
  /** Canonical JSON, compact; the members in the order of the type, keys of maps sorted. */
  readonly json: string;
  /** What the type does not have: `items[2]: field 7 (length-delimited, 12 bytes)`. */
  readonly unknownFields: readonly string[];
  /** What canonical JSON has no form for, and what stands there instead. */
  readonly notes: readonly string[];
}

/**
 * The JSON text of a message.
 *
 * What JSON has no form for is shown as well as can be, and noted: an Any of an unknown type as
 * its bytes, a time out of range as its numbers, a required field that is missing not at all.
 *
 * @throws {BowireError} `bad_document` when the bytes are no such message.
 */
export function decodeMessage(
  type: DescMessage,
  bytes: Uint8Array,
  codec: Codec,
): Promise<Decoded> {
  return withTypes(codec, (types) => {
    const { typeName } = type;
    const place = Place.outermost({ code: "bad_document", verb: "decode", typeName });
    const report = new Report();
    const body = bodyOf(type, { place, context: { types, report, bodyOf } });
    body.feed(readRecords(bytes, place));
    const json = body.finish();
    const { unknownFields, notes } = report;
    return { json, unknownFields, notes };
  });
}
