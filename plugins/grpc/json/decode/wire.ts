/**
 * The wire format: a message as a row of fields (protobuf.dev, "Encoding").
 *
 * @module
 */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { messageOf } from "../../../../lib/errors/mod.ts";
import { MAX_DEPTH, type Place } from "../shared/place.ts";

/** A field as it lies on the wire. */
export type WireRecord = ValueRecord | GroupRecord;

/** A field that is one value. */
export interface ValueRecord {
  readonly no: number;
  readonly wireType: Exclude<WireType, WireType.StartGroup>;
  /** The value, without the tag or the length that frame it. */
  readonly data: Uint8Array;
}

/** A field that is a message between two tags. */
export interface GroupRecord {
  readonly no: number;
  readonly wireType: WireType.StartGroup;
  /** Read once, before the next field is asked for; what is left then is passed over. */
  readonly records: Iterable<WireRecord>;
}

/**
 * The fields of a message in the order of the wire. Each byte is looked at once, however many
 * groups it lies in.
 *
 * @throws {BowireError} `bad_document`, while it is read, when the bytes are no message.
 */
export function readRecords(bytes: Uint8Array, place: Place): Iterable<WireRecord> {
  return recordsOf(new BinaryReader(bytes), { place, depth: 0 });
}

/** The fields of a message within a message. */
export function innerRecords(record: WireRecord, place: Place): Iterable<WireRecord> {
  return record.wireType === WireType.StartGroup ? record.records : readRecords(record.data, place);
}

interface Scope {
  readonly place: Place;
  /** The number of the group; the outermost fields are in none. */
  readonly group?: number;
  readonly depth: number;
}

function* recordsOf(reader: BinaryReader, scope: Scope): Generator<WireRecord> {
  while (scope.group !== undefined || reader.pos < reader.len) {
    const record = readWire(scope.place, () => readRecord(reader, scope));
    if (record === undefined) return;
    yield record;
    if (record.wireType === WireType.StartGroup) passOver(record.records);
  }
}

function passOver(records: Iterable<WireRecord>): void {
  for (const record of records) void record;
}

/** The next field; `undefined` at the end of the group. */
function readRecord(
  reader: BinaryReader,
  { place, group, depth }: Scope,
): WireRecord | undefined {
  const [no, wireType] = reader.tag();
  if (wireType === WireType.LengthDelimited) return { no, wireType, data: reader.bytes() };
  if (wireType === WireType.StartGroup) {
    if (depth >= MAX_DEPTH) throw new Error(`groups lie more than ${MAX_DEPTH} levels deep`);
    return { no, wireType, records: recordsOf(reader, { place, group: no, depth: depth + 1 }) };
  }
  if (wireType !== WireType.EndGroup) return { no, wireType, data: reader.skip(wireType, no) };
  if (no !== group) throw new Error(`the end of group ${no} is in the wrong place`);
  return undefined;
}

/** Reads from the wire; what the reader throws becomes a failure of the place. */
export function readWire<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw place.error(`is no message of this type, or is cut off: ${messageOf(error)}`);
  }
}
