/**
 * The fields of a message as a JSON object.
 *
 * @module
 */
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { type AnyField, isRequired } from "../shared/element.ts";
import { type Collector, collectorOf } from "./collect.ts";
import { type Found, readRecords } from "./records.ts";

const known = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

function fieldsByNumber(type: DescMessage): ReadonlyMap<number, DescField> {
  const before = known.get(type);
  if (before !== undefined) return before;
  const made = new Map(type.fields.map((field) => [field.number, field]));
  known.set(type, made);
  return made;
}

/** The JSON text of a message that is an object of its fields. */
export function decodeFields(type: DescMessage, found: Found): string {
  const { place, context } = found;
  const collectors = new Map<AnyField, Collector>();
  for (const record of readRecords(found)) {
    const field = fieldsByNumber(type).get(record.no) ??
      context.types.extensionAt(type, record.no);
    if (field === undefined) {
      context.report.unknown(place, record);
      continue;
    }
    const collector = collectors.get(field) ?? collectorOf(field, found);
    if (!collector.take(record)) {
      context.report.unknown(place, record);
      continue;
    }
    // Of a oneof, the last one that came counts.
    for (const other of field.oneof?.fields ?? []) if (other !== field) collectors.delete(other);
    collectors.set(field, collector);
  }
  return objectText(type, { found, collectors });
}

function objectText(
  type: DescMessage,
  { found, collectors }: {
    readonly found: Found;
    readonly collectors: ReadonlyMap<AnyField, Collector>;
  },
): string {
  const extensions = [...collectors.keys()]
    .filter(({ kind }) => kind === "extension")
    .sort((a, b) => a.number - b.number);
  const members: string[] = [];
  for (const field of [...type.fields, ...extensions]) {
    const collector = collectors.get(field);
    const json = collector?.finish();
    if (json !== undefined) members.push(`${JSON.stringify(field.jsonName)}:${json}`);
    else if (collector === undefined && isRequired(field)) {
      found.context.report.note(found.place, `the required field ${field.jsonName} is missing`);
    }
  }
  return `{${members.join(",")}}`;
}
