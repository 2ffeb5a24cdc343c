/**
 * Maps: on the wire a list of entries, of which the last of a key counts.
 *
 * @module
 */
import { ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { type Element, elementOf, type MapField, wireTypeOf } from "../shared/element.ts";
import { sortedByNumber, sortedByText } from "./keys.ts";
import { type Found, joined, readWellKnown } from "./records.ts";
import type { WireRecord } from "./report.ts";
import { readScalar, readText, zeroJson } from "./scalar.ts";
import { readElement, zeroElement } from "./single.ts";

/** Gathers the entries of one map. */
export class MapCollector {
  readonly #key: Element & { readonly kind: "scalar" };
  readonly #value: Element;
  readonly #found: Found;
  /** JSON text by key. */
  readonly #entries = new Map<string, string>();

  /** The place is that of the map. */
  constructor(field: MapField, found: Found) {
    this.#key = { kind: "scalar", scalar: field.mapKey };
    this.#value = elementOf(field);
    this.#found = found;
  }

  /** False for what is no entry, or an entry whose value a closed enum does not have. */
  take({ wireType, data }: WireRecord): boolean {
    if (wireType !== WireType.LengthDelimited) return false;
    const records = readWellKnown({ ...this.#found, bytes: data }, {
      1: wireTypeOf(this.#key),
      2: wireTypeOf(this.#value),
    });
    const key = this.#keyText(records.findLast(({ no }) => no === 1)?.data);
    const parts = records.filter(({ no }) => no === 2).map(({ data }) => data);
    const json = this.#valueJson(key, parts);
    if (json !== undefined) this.#entries.set(key, json);
    return json !== undefined;
  }

  #keyText(bytes: Uint8Array | undefined): string {
    const { scalar } = this.#key;
    if (scalar === ScalarType.STRING) {
      return readText({ ...this.#found, bytes: bytes ?? new Uint8Array() });
    }
    const json = bytes === undefined
      ? zeroJson(scalar)
      : readScalar(scalar, { ...this.#found, bytes }).json;
    return json.replaceAll('"', "");
  }

  #valueJson(key: string, parts: readonly Uint8Array[]): string | undefined {
    const place = this.#found.place.entry(key);
    const isMessage = this.#value.kind === "message";
    // Messages merge; of anything else the last counts.
    const bytes = joined(isMessage ? parts : parts.slice(-1));
    const found = { ...this.#found, place, bytes };
    return parts.length === 0
      ? zeroElement(this.#value, found)
      : readElement(this.#value, found)?.json;
  }

  /** The JSON text; `undefined` when no entry came. */
  finish(): string | undefined {
    if (this.#entries.size === 0) return undefined;
    const { scalar } = this.#key;
    const isText = scalar === ScalarType.STRING || scalar === ScalarType.BOOL;
    const sorted = isText ? sortedByText(this.#entries) : sortedByNumber(this.#entries);
    return `{${sorted.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")}}`;
  }
}
