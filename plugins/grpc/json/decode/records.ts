/**
 * The wire format: a message as a row of fields (protobuf.dev, "Encoding").
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { messageOf } from "../../../../lib/errors/mod.ts";
import { MAX_DEPTH, type Place } from "../shared/place.ts";
import type { Types } from "../shared/types.ts";
import type { Report, WireRecord } from "./report.ts";

/** The bytes of a message and where it stands. */
export interface Found {
  readonly bytes: Uint8Array;
  readonly place: Place;
  readonly context: DecodeContext;
}

/** What decoding stands on. */
export interface DecodeContext {
  readonly types: Types;
  readonly report: Report;
  /** The JSON text of a message within a message. */
  readonly decodeBody: (type: DescMessage, found: Found) => string;
}

/**
 * The fields of a message in the order of the wire.
 *
 * @throws {BowireError} `bad_document` when the bytes are no message.
 */
export function* readRecords({ bytes, place }: Found): Generator<WireRecord> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    yield readWire(place, () => {
      const [no, wireType] = reader.tag();
      return { no, wireType, data: readData(reader, { no, wireType, bytes }) };
    });
  }
}

/** Reads from the wire; what the reader throws becomes a failure of the place. */
export function readWire<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw place.error(`is no message of this type, or is cut off: ${messageOf(error)}`);
  }
}

function readData(
  reader: BinaryReader,
  { no, wireType, bytes }: Omit<WireRecord, "data"> & { readonly bytes: Uint8Array },
): Uint8Array {
  if (wireType === WireType.LengthDelimited) return reader.bytes();
  if (wireType !== WireType.StartGroup) return reader.skip(wireType, no);
  const start = reader.pos;
  for (;;) {
    const end = reader.pos;
    const [innerNo, innerType] = reader.tag();
    if (innerType === WireType.EndGroup) {
      if (innerNo !== no) throw new Error(`group ${no} ends as group ${innerNo}`);
      return bytes.subarray(start, end);
    }
    reader.skip(innerType, innerNo, MAX_DEPTH);
  }
}

/**
 * The fields of a well-known type, by their numbers; others are reported. A field that comes
 * several times stands several times.
 */
export function readWellKnown(
  found: Found,
  wanted: Readonly<Record<number, WireType>>,
): WireRecord[] {
  return [...readRecords(found)].filter((record) => {
    const isKnown = wanted[record.no] === record.wireType;
    if (!isKnown) found.context.report.unknown(found.place, record);
    return isKnown;
  });
}

/** Bytes in a row: a message that comes in parts is the message of all parts together. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(), ...more] = parts;
  if (more.length === 0) return first;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
