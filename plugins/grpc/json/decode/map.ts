/**
 * Maps: on the wire a list of entries, of which the last of a key counts.
 *
 * @module
 */
import { ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { type Element, elementOf, type MapField, wireTypeOf } from "../shared/element.ts";
import { type At, foundIn, lastOf, readWellKnown } from "./context.ts";
import { sortedByNumber, sortedByText } from "./keys.ts";
import { readScalar, readText, zeroJson } from "./scalar.ts";
import { readElement, zeroElement } from "./single.ts";
import { readRecords, type WireRecord } from "./wire.ts";

/** Gathers the entries of one map. */
export class MapCollector {
  readonly #key: ScalarType;
  readonly #value: Element;
  readonly #wanted: Readonly<Record<number, WireType>>;
  readonly #at: At;
  /** JSON text by key. */
  readonly #entries = new Map<string, string>();

  /** The place is that of the map. */
  constructor(field: MapField, at: At) {
    this.#key = field.mapKey;
    this.#value = elementOf(field);
    this.#wanted = {
      1: wireTypeOf({ kind: "scalar", scalar: field.mapKey }),
      2: wireTypeOf(this.#value),
    };
    this.#at = at;
  }

  /** False for what is no entry, or an entry whose value a closed enum does not have. */
  take(record: WireRecord): boolean {
    if (record.wireType !== WireType.LengthDelimited) return false;
    // An entry is a message of two known fields.
    const records = readWellKnown(foundIn([record.data], this.#at), this.#wanted);
    const key = this.#keyText(lastOf(records, 1));
    const values = records.filter(({ no }) => no === 2).map(({ data }) => data);
    const json = this.#valueJson(key, values);
    if (json !== undefined) this.#entries.set(key, json);
    return json !== undefined;
  }

  #keyText(bytes: Uint8Array | undefined): string {
    if (this.#key === ScalarType.STRING) return readText(bytes ?? new Uint8Array(), this.#at);
    const json = bytes === undefined
      ? zeroJson(this.#key)
      : readScalar(this.#key, bytes, this.#at).json;
    return json.replaceAll('"', "");
  }

  /** Messages merge; of anything else the last counts. */
  #valueJson(key: string, values: readonly Uint8Array[]): string | undefined {
    const at = { ...this.#at, place: this.#at.place.entry(key) };
    if (this.#value.kind === "message") {
      const body = at.context.bodyOf(this.#value.message, at);
      for (const value of values) body.feed(readRecords(value, at.place));
      return body.finish();
    }
    const last = values.at(-1);
    return last === undefined ? zeroElement(this.#value) : readElement(this.#value, last, at)?.json;
  }

  /** The JSON text; `undefined` when no entry came. */
  finish(): string | undefined {
    if (this.#entries.size === 0) return undefined;
    const isText = this.#key === ScalarType.STRING || this.#key === ScalarType.BOOL;
    const sorted = isText ? sortedByText(this.#entries) : sortedByNumber(this.#entries);
    return `{${sorted.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")}}`;
  }
}
