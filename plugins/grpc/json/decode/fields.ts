/**
 * The fields of a message as a JSON object.
 *
 * @module
 */
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { type AnyField, isRequired } from "../shared/element.ts";
import { type Collector, collectorOf } from "./collect.ts";
import type { At, Body } from "./context.ts";
import type { WireRecord } from "./wire.ts";

const known = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

function fieldsByNumber(type: DescMessage): ReadonlyMap<number, DescField> {
  const before = known.get(type);
  if (before !== undefined) return before;
  const made = new Map(type.fields.map((field) => [field.number, field]));
  known.set(type, made);
  return made;
}

/** A message that is an object of its fields. */
export class FieldsBody implements Body {
  readonly #type: DescMessage;
  readonly #at: At;
  readonly #collectors = new Map<AnyField, Collector>();

  /** The place is that of the message. */
  constructor(type: DescMessage, at: At) {
    this.#type = type;
    this.#at = at;
  }

  /** Takes the fields of one part; those that the type lacks are reported. */
  feed(records: Iterable<WireRecord>): void {
    const { place, context } = this.#at;
    for (const record of records) {
      const field = fieldsByNumber(this.#type).get(record.no) ??
        context.types.extensionAt(this.#type, record.no);
      if (field === undefined || !this.#take(field, record)) context.report.unknown(place, record);
    }
  }

  #take(field: AnyField, record: WireRecord): boolean {
    const collector = this.#collectors.get(field) ?? collectorOf(field, this.#at);
    if (!collector.take(record)) return false;
    // Of a oneof, the last one that came counts.
    for (const other of field.oneof?.fields ?? []) {
      if (other !== field) this.#collectors.delete(other);
    }
    this.#collectors.set(field, collector);
    return true;
  }

  /** The fields in the order of the type, then extensions in the order of their numbers. */
  finish(): string {
    const { place, context } = this.#at;
    const extensions = [...this.#collectors.keys()]
      .filter(({ kind }) => kind === "extension")
      .sort((a, b) => a.number - b.number);
    const members: string[] = [];
    for (const field of [...this.#type.fields, ...extensions]) {
      const collector = this.#collectors.get(field);
      const json = collector?.finish();
      if (json !== undefined) members.push(`${JSON.stringify(field.jsonName)}:${json}`);
      else if (collector === undefined && isRequired(field)) {
        context.report.note(place, `the required field ${field.jsonName} is missing`);
      }
    }
    return `{${members.join(",")}}`;
  }
}
