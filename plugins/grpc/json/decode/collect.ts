/**
 * What came of one field: values of the wire, gathered until the message is whole.
 *
 * @module
 */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import {
  type AnyField,
  type Element,
  elementOf,
  isImplicit,
  wireTypeOf,
} from "../shared/element.ts";
import { MapCollector } from "./map.ts";
import { type Found, joined, readWire } from "./records.ts";
import type { WireRecord } from "./report.ts";
import type { Scalar } from "./scalar.ts";
import { readElement, readPacked } from "./single.ts";

/** Gathers one field. */
export interface Collector {
  /** False when the value is not the field's: it has another wire type or is no known value. */
  take(record: WireRecord): boolean;
  /** The JSON text; `undefined` when the field is left out. */
  finish(): string | undefined;
}

/** A collector for a field of the message that was found. */
export function collectorOf(field: AnyField, message: Found): Collector {
  const found = { ...message, place: message.place.field(field.jsonName) };
  if (field.fieldKind === "map") return new MapCollector(field, found);
  const element = elementOf(field);
  if (field.fieldKind === "list") return new ListCollector(element, found);
  if (element.kind === "message") return new MessageCollector(element, found);
  return new ScalarCollector(element, { found, isImplicit: isImplicit(field) });
}

/** A scalar or an enum value: the last that came counts. */
class ScalarCollector implements Collector {
  readonly #element: Element;
  readonly #found: Found;
  readonly #isImplicit: boolean;
  #last: Scalar | undefined;

  constructor(element: Element, options: { readonly found: Found; readonly isImplicit: boolean }) {
    this.#element = element;
    this.#found = options.found;
    this.#isImplicit = options.isImplicit;
  }

  take({ wireType, data }: WireRecord): boolean {
    if (wireType !== wireTypeOf(this.#element)) return false;
    const value = readElement(this.#element, { ...this.#found, bytes: data });
    this.#last = value ?? this.#last;
    return value !== undefined;
  }

  finish(): string | undefined {
    return this.#isImplicit && this.#last?.isZero ? undefined : this.#last?.json;
  }
}

/** A message: its parts merge. */
class MessageCollector implements Collector {
  readonly #element: Element;
  readonly #found: Found;
  readonly #parts: Uint8Array[] = [];

  constructor(element: Element, found: Found) {
    this.#element = element;
    this.#found = found;
  }

  take({ wireType, data }: WireRecord): boolean {
    if (wireType !== wireTypeOf(this.#element)) return false;
    this.#parts.push(data);
    return true;
  }

  finish(): string | undefined {
    return readElement(this.#element, { ...this.#found, bytes: joined(this.#parts) })?.json;
  }
}

/** A list: one value each time, or many packed. */
class ListCollector implements Collector {
  readonly #element: Element;
  readonly #found: Found;
  readonly #items: string[] = [];

  constructor(element: Element, found: Found) {
    this.#element = element;
    this.#found = found;
  }

  take(record: WireRecord): boolean {
    const own = wireTypeOf(this.#element);
    if (record.wireType === own) return this.#takeOne(record.data);
    // What is no bytes itself may come packed, whatever the type says.
    const isPacked = record.wireType === WireType.LengthDelimited &&
      this.#element.kind !== "message";
    if (isPacked) this.#takePacked(record);
    return isPacked;
  }

  #takeOne(bytes: Uint8Array): boolean {
    const place = this.#found.place.item(this.#items.length);
    const item = readElement(this.#element, { ...this.#found, bytes, place });
    if (item !== undefined) this.#items.push(item.json);
    return item !== undefined;
  }

  #takePacked({ no, data }: WireRecord): void {
    const { place, context } = this.#found;
    const reader = new BinaryReader(data);
    while (reader.pos < reader.len) {
      const start = reader.pos;
      const item = readWire(place, () => readPacked(this.#element, reader));
      if (item !== undefined) this.#items.push(item.json);
      else {
        const bytes = data.subarray(start, reader.pos);
        context.report.unknown(place, { no, wireType: WireType.Varint, data: bytes });
      }
    }
  }

  finish(): string | undefined {
    return this.#items.length === 0 ? undefined : `[${this.#items.join(",")}]`;
  }
}
