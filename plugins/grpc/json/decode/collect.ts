/**
 * What came of one field: values of the wire, gathered until the message is whole.
 *
 * @module
 */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import {
  type AnyField,
  elementOf,
  isImplicit,
  type MessageElement,
  type PlainElement,
  wireTypeOf,
} from "../shared/element.ts";
import type { At, Body } from "./context.ts";
import { MapCollector } from "./map.ts";
import type { Scalar } from "./scalar.ts";
import { readElement, readPacked } from "./single.ts";
import { innerRecords, readWire, type ValueRecord, type WireRecord } from "./wire.ts";

/** Gathers one field. */
export interface Collector {
  /** False when the value is not the field's: it has another wire type or is no known value. */
  take(record: WireRecord): boolean;
  /** The JSON text; `undefined` when the field is left out. */
  finish(): string | undefined;
}

/** A collector for a field of the message that stands there. */
export function collectorOf(field: AnyField, message: At): Collector {
  const at = { ...message, place: message.place.field(field.jsonName) };
  if (field.fieldKind === "map") return new MapCollector(field, at);
  const element = elementOf(field);
  const isList = field.fieldKind === "list";
  if (element.kind === "message") {
    return isList ? new MessageListCollector(element, at) : new MessageCollector(element, at);
  }
  return isList
    ? new ListCollector(element, at)
    : new ScalarCollector(element, { at, isImplicit: isImplicit(field) });
}

/** A scalar or an enum value: the last that came counts. */
class ScalarCollector implements Collector {
  readonly #element: PlainElement;
  readonly #at: At;
  readonly #isImplicit: boolean;
  #last: Scalar | undefined;

  constructor(element: PlainElement, options: { readonly at: At; readonly isImplicit: boolean }) {
    this.#element = element;
    this.#at = options.at;
    this.#isImplicit = options.isImplicit;
  }

  take(record: WireRecord): boolean {
    if (!isPlain(record) || record.wireType !== wireTypeOf(this.#element)) return false;
    const value = readElement(this.#element, record.data, this.#at);
    this.#last = value ?? this.#last;
    return value !== undefined;
  }

  finish(): string | undefined {
    return this.#isImplicit && this.#last?.isZero ? undefined : this.#last?.json;
  }
}

/** A message: its parts merge. */
class MessageCollector implements Collector {
  readonly #wireType: WireType;
  readonly #at: At;
  readonly #body: Body;

  constructor(element: MessageElement, at: At) {
    this.#wireType = wireTypeOf(element);
    this.#at = at;
    this.#body = at.context.bodyOf(element.message, at);
  }

  take(record: WireRecord): boolean {
    if (record.wireType !== this.#wireType) return false;
    this.#body.feed(innerRecords(record, this.#at.place));
    return true;
  }

  finish(): string {
    return this.#body.finish();
  }
}

/** A list of messages. */
class MessageListCollector implements Collector {
  readonly #element: MessageElement;
  readonly #at: At;
  readonly #items: string[] = [];

  constructor(element: MessageElement, at: At) {
    this.#element = element;
    this.#at = at;
  }

  take(record: WireRecord): boolean {
    if (record.wireType !== wireTypeOf(this.#element)) return false;
    const place = this.#at.place.item(this.#items.length);
    const body = this.#at.context.bodyOf(this.#element.message, { ...this.#at, place });
    body.feed(innerRecords(record, place));
    this.#items.push(body.finish());
    return true;
  }

  finish(): string {
    return `[${this.#items.join(",")}]`;
  }
}

/** A list of scalars or enum values: one each time, or many packed. */
class ListCollector implements Collector {
  readonly #element: PlainElement;
  readonly #at: At;
  readonly #items: string[] = [];

  constructor(element: PlainElement, at: At) {
    this.#element = element;
    this.#at = at;
  }

  take(record: WireRecord): boolean {
    if (!isPlain(record)) return false;
    if (record.wireType === wireTypeOf(this.#element)) return this.#takeOne(record.data);
    // What is no bytes itself may come packed, whatever the type says.
    const isPacked = record.wireType === WireType.LengthDelimited;
    if (isPacked) this.#takePacked(record);
    return isPacked;
  }

  #takeOne(bytes: Uint8Array): boolean {
    const place = this.#at.place.item(this.#items.length);
    const item = readElement(this.#element, bytes, { ...this.#at, place });
    if (item !== undefined) this.#items.push(item.json);
    return item !== undefined;
  }

  #takePacked({ no, data }: ValueRecord): void {
    const { place, context } = this.#at;
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

function isPlain(record: WireRecord): record is ValueRecord {
  return record.wireType !== WireType.StartGroup;
}
