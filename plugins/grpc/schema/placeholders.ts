/**
 * Stands in for what a server refers to and does not give, so that everything else works.
 *
 * @module
 */
import { create } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { type Faults, quote } from "./faults.ts";
import { qualify } from "./repair.ts";
import type { Symbols } from "./symbols.ts";
import { fieldsIn, methodsIn, withoutDot } from "./walk.ts";

/** Begins the names of files that hold placeholders. */
const FOLDER = "not-described/";

/** A type that no file defines. */
export interface MissingType {
  readonly fullName: string;
  readonly isEnum: boolean;
  /** Name of a file that refers to it. */
  readonly file: string;
}

/** True for a message or enum that the server refers to and does not describe. */
export function isPlaceholder(type: {
  readonly file: { readonly proto: FileDescriptorProto };
}): boolean {
  return type.file.proto.name.startsWith(FOLDER);
}

/** The types that a file refers to and that nothing defines. */
export function* missingTypes(
  file: FileDescriptorProto,
  symbols: Symbols,
): Generator<MissingType> {
  const missing = function* (name: string, scope: string, isEnum = false) {
    const fullName = withoutDot(qualify(name, { scope, symbols }));
    if (symbols.get(fullName) === undefined) yield { fullName, isEnum, file: file.name };
  };
  for (const { field, scope, isExtension } of fieldsIn(file)) {
    const isEnum = field.type === FieldDescriptorProto_Type.ENUM;
    if (field.typeName !== "") yield* missing(field.typeName, scope, isEnum);
    if (isExtension) yield* missing(field.extendee, scope);
  }
  for (const { method, scope } of methodsIn(file)) {
    yield* missing(method.inputType, scope);
    yield* missing(method.outputType, scope);
  }
}

/** A file with an empty message, or an enum whose values have numbers only. */
export function placeholderFor(
  { fullName, isEnum, file }: MissingType,
  faults: Faults,
): FileDescriptorProto {
  faults.add(
    `${quote(file)} refers to ${quote(fullName)}, which the server does not describe: ` +
      "it is shown without its content",
  );
  const end = fullName.lastIndexOf(".");
  const name = fullName.slice(end + 1);
  const value = { name: `${name}_0`, number: 0 };
  return create(FileDescriptorProtoSchema, {
    name: `${FOLDER}${fullName}`,
    package: fullName.slice(0, Math.max(0, end)),
    syntax: "proto3",
    messageType: isEnum ? [] : [{ name }],
    enumType: isEnum ? [{ name, value: [value] }] : [],
  });
}

/** An empty file in place of one that is imported and not given. */
export function stubFor(name: string, importer: string, faults: Faults): FileDescriptorProto {
  faults.add(`${quote(importer)} imports ${quote(name)}, which the server does not have`);
  return create(FileDescriptorProtoSchema, { name, syntax: "proto3" });
}
