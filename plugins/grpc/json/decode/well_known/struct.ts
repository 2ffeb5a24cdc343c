/**
 * `google.protobuf.Struct`, `Value` and `ListValue`: any JSON.
 *
 * @module
 */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { floatText } from "../floats.ts";
import { sortedByText } from "../keys.ts";
import { type At, type Found, foundIn, lastOf, readWellKnown } from "../context.ts";
import { readWire } from "../wire.ts";
import { readText } from "../scalar.ts";

const ENTRY = { 1: WireType.LengthDelimited, 2: WireType.LengthDelimited };
const KINDS = {
  1: WireType.Varint,
  2: WireType.Bit64,
  3: WireType.LengthDelimited,
  4: WireType.Varint,
  5: WireType.LengthDelimited,
  6: WireType.LengthDelimited,
};

/** The JSON text of a Struct. */
export function decodeStruct(found: Found): string {
  const members = new Map<string, string>();
  for (const { data } of readWellKnown(found, { 1: WireType.LengthDelimited })) {
    const entry = readWellKnown(foundIn([data], found), ENTRY);
    const key = readText(lastOf(entry, 1) ?? new Uint8Array(), found);
    const values = entry.filter(({ no }) => no === 2).map(({ data }) => data);
    members.set(key, decodeValue(foundIn(values, { ...found, place: found.place.entry(key) })));
  }
  const texts = sortedByText(members).map(([key, json]) => `${JSON.stringify(key)}:${json}`);
  return `{${texts.join(",")}}`;
}

/** The JSON text of a ListValue. */
export function decodeListValue(found: Found): string {
  const items = readWellKnown(found, { 1: WireType.LengthDelimited }).map(({ data }, index) =>
    decodeValue(foundIn([data], { ...found, place: found.place.item(index) }))
  );
  return `[${items.join(",")}]`;
}

/** The JSON text of a Value. */
export function decodeValue(found: Found): string {
  const { place, context } = found;
  const records = readWellKnown(found, KINDS);
  const last = records.at(-1);
  if (last === undefined) {
    context.report.note(place, "the value is of no kind and stands as null");
    return "null";
  }
  // The kinds are a oneof: what comes before another kind is gone.
  const parts = records.slice(records.findLastIndex(({ no }) => no !== last.no) + 1);
  switch (last.no) {
    case 1:
      return "null";
    case 2:
      return numberJson(last.data, found);
    case 3:
      return JSON.stringify(readText(last.data, found));
    case 4:
      return String(readWire(place, () => new BinaryReader(last.data).bool()));
    default: {
      const inner = foundIn(parts.map(({ data }) => data), found);
      return last.no === 5 ? decodeStruct(inner) : decodeListValue(inner);
    }
  }
}

function numberJson(bytes: Uint8Array, { place, context }: At): string {
  const value = readWire(place, () => new BinaryReader(bytes).double());
  if (!Number.isFinite(value)) {
    context.report.note(place, "the value is no finite number and stands as text");
  }
  return floatText(value);
}
