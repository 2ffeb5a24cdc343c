/**
 * Many messages in one run of buf: a made-up message that holds lists of them.
 *
 * @module
 */
import { create, type DescMessage, toBinary } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { parseJson } from "../../lib/schema/mod.ts";
import type { BufResult } from "./buf.ts";

/** The types whose messages go together. */
export interface Batch {
  /** Full name of the made-up message. */
  readonly name: string;
  readonly types: readonly DescMessage[];
}

const PACKAGE = "oracle.batches";

/** Types in groups of some. */
export function batchesOf(types: readonly DescMessage[], size: number): Batch[] {
  return Array.from({ length: Math.ceil(types.length / size) }, (_, index) => ({
    name: `${PACKAGE}.Batch${index}`,
    types: types.slice(index * size, (index + 1) * size),
  }));
}

/** The descriptors of the made-up messages, to be put behind those of an image. */
export function descriptorsOf(batches: readonly Batch[]): Uint8Array {
  const files = batches.flatMap(({ types }) => types).map(({ file }) => file.proto.name);
  const file = create(FileDescriptorProtoSchema, {
    name: "oracle/batches.proto",
    package: PACKAGE,
    syntax: "proto3",
    dependency: [...new Set(files)],
    messageType: batches.map(({ name, types }) => ({
      name: name.slice(PACKAGE.length + 1),
      field: types.map(({ typeName }, index) => ({
        name: `t${index + 1}`,
        jsonName: `t${index + 1}`,
        number: index + 1,
        label: FieldDescriptorProto_Label.REPEATED,
        type: FieldDescriptorProto_Type.MESSAGE,
        typeName: `.${typeName}`,
      })),
    })),
  });
  const bytes = toBinary(FileDescriptorProtoSchema, file);
  return new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(bytes).finish();
}

/** One message of a batch, as JSON text or as bytes. */
export interface Item<T> {
  /** Position of its type in the batch. */
  readonly typeIndex: number;
  readonly message: T;
}

/** Items as the JSON of their batch. */
export function packJson(items: readonly Item<string>[]): Uint8Array {
  const lists = [...Map.groupBy(items, ({ typeIndex }) => typeIndex)].map(([index, group]) =>
    `"t${index + 1}":[${group.map(({ message }) => message).join(",")}]`
  );
  return new TextEncoder().encode(`{${lists.join(",")}}`);
}

/** Items as the bytes of their batch. */
export function packBytes(items: readonly Item<Uint8Array>[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const { typeIndex, message } of items) {
    writer.tag(typeIndex + 1, WireType.LengthDelimited).bytes(message);
  }
  return writer.finish();
}

/** The messages of a batch as bytes, those of one type together, in their order. */
export function unpackBytes(bytes: Uint8Array): Item<Uint8Array>[] {
  const reader = new BinaryReader(bytes);
  const items: Item<Uint8Array>[] = [];
  while (reader.pos < reader.len) {
    const [no] = reader.tag();
    items.push({ typeIndex: no - 1, message: reader.bytes() });
  }
  return items;
}

/** The messages of a batch as JSON data, those of one type together, in their order. */
export function unpackJson(bytes: Uint8Array): Item<unknown>[] {
  const lists = parseJson(new TextDecoder().decode(bytes));
  if (typeof lists !== "object" || lists === null) throw new TypeError("buf gave no JSON object");
  return Object.entries(lists).flatMap(([name, list]) => {
    if (!Array.isArray(list)) throw new TypeError("buf gave no list");
    return list.map((message: unknown) => ({ typeIndex: Number(name.slice(1)) - 1, message }));
  });
}

/** How items are converted. */
export interface Conversion<T, R> {
  readonly run: (items: readonly Item<T>[]) => Promise<BufResult>;
  readonly unpack: (bytes: Uint8Array) => Item<R>[];
}

/** Converts items together; where that fails, in halves, until each has its result. */
export async function inHalves<T, R>(
  items: readonly Item<T>[],
  conversion: Conversion<T, R>,
): Promise<({ readonly message: R } | { readonly complaint: string })[]> {
  if (items.length === 0) return [];
  const result = await conversion.run(items);
  if ("bytes" in result) return conversion.unpack(result.bytes);
  if (items.length === 1) return [result];
  const middle = Math.ceil(items.length / 2);
  return [
    ...await inHalves(items.slice(0, middle), conversion),
    ...await inHalves(items.slice(middle), conversion),
  ];
}
