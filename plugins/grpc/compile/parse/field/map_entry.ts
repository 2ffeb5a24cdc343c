/**
 * The message that stands for the pairs of a map.
 *
 * @module
 */
import { create } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  type FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  MessageOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import { jsonNameOf } from "./json_name.ts";
import type { Draft } from "../draft.ts";

/** A type of its own or the name of one. */
type SingleType = { readonly type: Type } | { readonly typeName: string };

/** The types of a map. */
export interface MapTypes {
  readonly key: SingleType;
  readonly value: SingleType;
}

/** Makes the entry message of a map, and lets the field be of its type. */
export function makeMapEntry(
  draft: Draft,
  field: FieldDescriptorProto,
  types: MapTypes,
): DescriptorProto {
  const key = makePart("key", 1, types.key);
  const value = makePart("value", 2, types.value);
  const entry = create(DescriptorProtoSchema, {
    name: entryNameOf(field.name),
    field: [key, value],
    options: create(MessageOptionsSchema, { mapEntry: true }),
  });
  const offset = draft.offsetOf(field);
  for (const part of [key, value, entry]) draft.place(part, offset);
  field.typeName = entry.name;
  return entry;
}

function makePart(name: string, number: number, type: SingleType): FieldDescriptorProto {
  const part = create(FieldDescriptorProtoSchema, { name, number, label: Label.OPTIONAL });
  part.jsonName = name;
  return Object.assign(part, type);
}

/** `string_values` becomes `StringValuesEntry` (protoc, parser.cc, MapEntryName). */
function entryNameOf(name: string): string {
  return `${jsonNameOf(`_${name}`)}Entry`;
}
