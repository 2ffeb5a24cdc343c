/**
 * Descriptors of the messages that the plugin itself speaks with, from tables.
 *
 * @module
 */
import { create } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";

/** A field: its number, its type, which is a scalar's or a message's full name, and how often. */
export type FieldRow = readonly [number: number, type: string, label?: "repeated"];

/** Messages by their name, nested ones as `Outer.Inner`, fields by theirs. */
export type MessageTable = Readonly<Record<string, Readonly<Record<string, FieldRow>>>>;

const SCALARS: Readonly<Record<string, Type>> = {
  bool: Type.BOOL,
  bytes: Type.BYTES,
  double: Type.DOUBLE,
  int32: Type.INT32,
  int64: Type.INT64,
  string: Type.STRING,
};

/** A proto3 file of these messages. Nested ones whose names end with `Entry` are those of maps. */
export function fileOf(
  { name, package: pkg, imports = [] }: { name: string; package: string; imports?: string[] },
  messages: MessageTable,
): FileDescriptorProto {
  return create(FileDescriptorProtoSchema, {
    name,
    package: pkg,
    dependency: imports,
    syntax: "proto3",
    messageType: messagesIn("", messages),
  });
}

function messagesIn(parent: string, table: MessageTable): DescriptorProto[] {
  return Object.entries(table).flatMap(([path, rows]) => {
    const name = path.startsWith(parent) ? path.slice(parent.length) : "";
    if (name === "" || name.includes(".")) return [];
    return create(DescriptorProtoSchema, {
      name,
      field: Object.entries(rows).map(fieldOf),
      nestedType: messagesIn(`${path}.`, table),
      ...(parent !== "" && name.endsWith("Entry") ? { options: { mapEntry: true } } : {}),
    });
  });
}

function fieldOf([name, [number, type, label]]: [string, FieldRow]): FieldDescriptorProto {
  const scalar = SCALARS[type];
  return create(FieldDescriptorProtoSchema, {
    name,
    jsonName: name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    number,
    label: label === "repeated" ? Label.REPEATED : Label.OPTIONAL,
    type: scalar ?? Type.MESSAGE,
    ...(scalar === undefined ? { typeName: `.${type}` } : {}),
  });
}
