/**
 * What decoding stands on, and how a message is put together.
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import type { Place } from "../shared/place.ts";
import type { Types } from "../shared/types.ts";
import type { Report } from "./report.ts";
import { readRecords, type ValueRecord, type WireRecord } from "./wire.ts";

/** A place, and what is needed to read there. */
export interface At {
  readonly place: Place;
  readonly context: DecodeContext;
}

/** What decoding stands on. */
export interface DecodeContext {
  readonly types: Types;
  readonly report: Report;
  /** Where a message within a message is put together. */
  readonly bodyOf: (type: DescMessage, at: At) => Body;
}

/** A message that is put together; it may come in several parts. */
export interface Body {
  /** Takes the fields of one part. */
  feed(records: Iterable<WireRecord>): void;
  /** The JSON text of all that came. */
  finish(): string;
}

/** A well-known message, all parts of it. */
export interface Found extends At {
  readonly records: readonly ValueRecord[];
}

/** A well-known message in the parts that it came in. */
export function foundIn(parts: readonly Uint8Array[], at: At): Found {
  return {
    ...at,
    records: parts.flatMap((part) => valuesIn(readRecords(part, at.place), at)),
  };
}

/** The fields that are no groups; groups are reported, for no well-known type has any. */
export function valuesIn(records: Iterable<WireRecord>, { place, context }: At): ValueRecord[] {
  const values: ValueRecord[] = [];
  for (const record of records) {
    if (record.wireType === WireType.StartGroup) context.report.unknown(place, record);
    else values.push(record);
  }
  return values;
}

/**
 * The fields of a well-known type, by their numbers; others are reported. A field that comes
 * several times stands several times.
 */
export function readWellKnown(
  { records, place, context }: Found,
  wanted: Readonly<Record<number, WireType>>,
): ValueRecord[] {
  return records.filter((record) => {
    const isKnown = wanted[record.no] === record.wireType;
    if (!isKnown) context.report.unknown(place, record);
    return isKnown;
  });
}

/** The bytes of the last field of that number; none when it did not come. */
export function lastOf(records: readonly ValueRecord[], wanted: number): Uint8Array | undefined {
  return records.findLast(({ no }) => no === wanted)?.data;
}
