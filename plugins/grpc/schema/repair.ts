/**
 * Repairs files that are not as a compiler writes them. Servers in Node.js send what protobufjs
 * made: relative type names, map entries under names of their own, no JSON names, no imports.
 *
 * @module
 */
import { clone, isFieldSet } from "@bufbuild/protobuf";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import {
  type DescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import type { Symbols } from "./symbols.ts";
import { fieldsIn, joinNames, messagesIn, methodsIn, referencesIn, withoutDot } from "./walk.ts";

/** True when all type names are full ones, and all fields have their types and JSON names. */
export function isInOrder(file: FileDescriptorProto, symbols: Symbols): boolean {
  return !file.dependency.includes(file.name) &&
    referencesIn(file).every((name) => name.startsWith(".")) &&
    fieldsIn(file).every(({ field, isExtension }) =>
      (isExtension || field.jsonName !== "") && typeOf(field, symbols) === field.type
    );
}

/**
 * The file with map entries under their usual names. Two types may have had one name before, so
 * this comes before names are looked up.
 */
export function renameMapEntries(file: FileDescriptorProto): FileDescriptorProto {
  if (!messagesIn(file.messageType, "").some(({ message }) => oddEntries(message).length > 0)) {
    return file;
  }
  const copy = clone(FileDescriptorProtoSchema, file);
  for (const { message, fullName } of messagesIn(copy.messageType, copy.package)) {
    for (const { field, entry } of oddEntries(message)) {
      entry.name = entryName(field);
      field.typeName = `.${joinNames(fullName, entry.name)}`;
    }
  }
  return copy;
}

/** Map fields whose type is told by a relative name, and the entries that protobufjs made for them. */
function oddEntries(message: DescriptorProto) {
  const entries = message.nestedType.filter(({ options }) => options?.mapEntry === true);
  if (entries.length === 0) return [];
  return message.field.flatMap((field) => {
    const name = field.name.charAt(0).toUpperCase() + field.name.slice(1);
    const entry = field.typeName === name && field.label === FieldDescriptorProto_Label.REPEATED
      ? entries.find((candidate) => candidate.name === name)
      : undefined;
    return entry === undefined ? [] : [{ field, entry }];
  });
}

/** The name that protoc gives the entry of a map field. */
function entryName({ name }: FieldDescriptorProto): string {
  const camel = protoCamelCase(name);
  return `${camel.charAt(0).toUpperCase()}${camel.slice(1)}Entry`;
}

/** A copy of the file with full names, types, JSON names and the imports that it needs. */
export function repair(file: FileDescriptorProto, symbols: Symbols): FileDescriptorProto {
  const copy = clone(FileDescriptorProtoSchema, file);
  for (const { field, scope, isExtension } of fieldsIn(copy)) {
    const place = { scope, symbols };
    if (field.typeName !== "") field.typeName = qualify(field.typeName, place);
    if (isExtension) field.extendee = qualify(field.extendee, place);
    else if (field.jsonName === "") field.jsonName = protoCamelCase(field.name);
    field.type = typeOf(field, symbols);
  }
  for (const { method, scope } of methodsIn(copy)) {
    const place = { scope, symbols };
    method.inputType = qualify(method.inputType, place);
    method.outputType = qualify(method.outputType, place);
  }
  if (copy.syntax === "proto3") {
    for (const { message } of messagesIn(copy.messageType, "")) markOptionals(message);
  }
  const used = [...referencesIn(copy)].map((name) => symbols.get(withoutDot(name))?.file);
  const imports = new Set([...copy.dependency, ...used.filter((name) => name !== undefined)]);
  imports.delete(copy.name);
  // Public and weak imports are told by position, which may have changed.
  return Object.assign(copy, {
    dependency: [...imports],
    publicDependency: [],
    weakDependency: [],
  });
}

/** The full name, with a dot, of a type as it is named within a scope; see the language guide. */
export function qualify(
  name: string,
  { scope, symbols }: { scope: string; symbols: Symbols },
): string {
  if (name.startsWith(".")) return name;
  for (
    let around = scope;
    around !== "";
    around = around.slice(0, Math.max(0, around.lastIndexOf(".")))
  ) {
    if (symbols.get(`${around}.${name}`) !== undefined) return `.${around}.${name}`;
  }
  return `.${name}`;
}

/** The type of a field as what its type's name stands for. */
function typeOf(field: FieldDescriptorProto, symbols: Symbols): FieldDescriptorProto_Type {
  const { type, typeName } = field;
  if (typeName === "") return type;
  const kind = symbols.get(withoutDot(typeName))?.kind;
  if (kind === "enum") return FieldDescriptorProto_Type.ENUM;
  return type === FieldDescriptorProto_Type.GROUP ? type : FieldDescriptorProto_Type.MESSAGE;
}

/** A choice of one field, with an underscore before the field's name, is an optional field. */
function markOptionals(message: DescriptorProto): void {
  message.oneofDecl.forEach(({ name }, index) => {
    const [field, ...others] = message.field.filter((candidate) =>
      isFieldSet(candidate, FieldDescriptorProtoSchema.field.oneofIndex) &&
      candidate.oneofIndex === index
    );
    if (others.length === 0 && field !== undefined && name === `_${field.name}`) {
      field.proto3Optional = true;
    }
  });
}
