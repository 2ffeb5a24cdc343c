/**
 * What a reader of the JSON should know besides.
 *
 * @module
 */
import { WireType } from "@bufbuild/protobuf/wire";
import type { Place } from "../shared/place.ts";
import type { WireRecord } from "./wire.ts";

/** Most lines of each kind; the rest are counted. */
const MAX_LINES = 50;

/** Collects lines, and counts those beyond a bound. */
class Lines {
  readonly #lines: string[] = [];
  #more = 0;

  add(line: () => string): void {
    if (this.#lines.length < MAX_LINES) this.#lines.push(line());
    else this.#more++;
  }

  get all(): readonly string[] {
    return this.#more === 0 ? this.#lines : [...this.#lines, `and ${this.#more} more`];
  }
}

/** Unknown fields and notes of one message. */
export class Report {
  readonly #unknownFields = new Lines();
  readonly #notes = new Lines();

  /** A field that the type lacks, or that has another wire type. */
  unknown(place: Place, record: WireRecord): void {
    this.#unknownFields.add(() =>
      `${prefix(place)}field ${record.no} (${WIRE_TYPES[record.wireType]}${sizeOf(record)})`
    );
  }

  /** Something that was read in another way than the text shows. */
  note(place: Place, text: string): void {
    this.#notes.add(() => prefix(place) + text);
  }

  /** As `items[2]: field 7 (length-delimited, 12 bytes)`. */
  get unknownFields(): readonly string[] {
    return this.#unknownFields.all;
  }

  /** As `updated: …`. */
  get notes(): readonly string[] {
    return this.#notes.all;
  }
}

const WIRE_TYPES: Readonly<Record<WireType, string>> = {
  [WireType.Varint]: "varint",
  [WireType.Bit64]: "64 bits",
  [WireType.LengthDelimited]: "length-delimited",
  [WireType.StartGroup]: "group",
  [WireType.EndGroup]: "end of a group",
  [WireType.Bit32]: "32 bits",
};

function sizeOf(record: WireRecord): string {
  if (record.wireType !== WireType.LengthDelimited) return "";
  const { length } = record.data;
  return `, ${length} ${length === 1 ? "byte" : "bytes"}`;
}

function prefix({ path }: Place): string {
  return path === "" ? "" : `${path}: `;
}
