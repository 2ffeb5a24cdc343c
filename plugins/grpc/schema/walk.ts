/**
 * What stands in a file descriptor: its types, and the places where types are referred to.
 *
 * @module
 */
import type {
  DescriptorProto,
  EnumDescriptorProto,
  FieldDescriptorProto,
  FileDescriptorProto,
  MethodDescriptorProto,
  ServiceDescriptorProto,
} from "@bufbuild/protobuf/wkt";

/** What a name stands for; `map` is the entry of a map field, which is no type to others. */
export type TypeKind = "message" | "enum" | "map" | "service";

/** A type or service that a file defines. */
export interface TypeEntry {
  /** Without a leading dot. */
  readonly fullName: string;
  readonly kind: TypeKind;
  /** What stands around it, or itself, in the file's own list. */
  readonly root: TypeRoot;
}

/** A definition in the list of a file. */
export type TypeRoot = DescriptorProto | EnumDescriptorProto | ServiceDescriptorProto;

/** A message with the names around it. */
export interface MessageEntry {
  readonly message: DescriptorProto;
  /** Without a leading dot. */
  readonly fullName: string;
}

/** A field or extension, and where its type's name is looked up. */
export interface FieldEntry {
  readonly field: FieldDescriptorProto;
  /** Full name of the message around it, or the package. */
  readonly scope: string;
  /** True when it is declared with `extend`. */
  readonly isExtension: boolean;
}

/** A method, and where the names of its types are looked up. */
export interface MethodEntry {
  readonly method: MethodDescriptorProto;
  readonly scope: string;
}

/** A name within a scope, which may be empty. */
export function joinNames(scope: string, name: string): string {
  return scope === "" ? name : `${scope}.${name}`;
}

/** A type's name without the dot that marks it as a full one. */
export function withoutDot(typeName: string): string {
  return typeName.startsWith(".") ? typeName.slice(1) : typeName;
}

/** All messages below a scope, the outer ones first. */
export function* messagesIn(
  messages: readonly DescriptorProto[],
  scope: string,
): Generator<MessageEntry> {
  for (const message of messages) {
    const fullName = joinNames(scope, message.name);
    yield { message, fullName };
    yield* messagesIn(message.nestedType, fullName);
  }
}

/** All types and services that a file defines; those of one root stand together. */
export function* typesIn(file: FileDescriptorProto): Generator<TypeEntry> {
  for (const root of [...file.enumType, ...file.service]) {
    const kind = root.$typeName === "google.protobuf.EnumDescriptorProto" ? "enum" : "service";
    yield { fullName: joinNames(file.package, root.name), kind, root };
  }
  for (const root of file.messageType) {
    for (const { message, fullName } of messagesIn([root], file.package)) {
      yield { fullName, kind: message.options?.mapEntry === true ? "map" : "message", root };
      for (const { name } of message.enumType) {
        yield { fullName: joinNames(fullName, name), kind: "enum", root };
      }
    }
  }
}

/** All fields and extensions of a file. */
export function* fieldsIn(file: FileDescriptorProto): Generator<FieldEntry> {
  for (const field of file.extension) yield { field, scope: file.package, isExtension: true };
  for (const { message, fullName: scope } of messagesIn(file.messageType, file.package)) {
    for (const field of message.field) yield { field, scope, isExtension: false };
    for (const field of message.extension) yield { field, scope, isExtension: true };
  }
}

/** All methods of a file. */
export function* methodsIn(file: FileDescriptorProto): Generator<MethodEntry> {
  for (const service of file.service) {
    const scope = joinNames(file.package, service.name);
    for (const method of service.method) yield { method, scope };
  }
}

/** The names of all types that a file refers to, as they are written. */
export function* referencesIn(file: FileDescriptorProto): Generator<string> {
  for (const { field, isExtension } of fieldsIn(file)) {
    if (field.typeName !== "") yield field.typeName;
    if (isExtension) yield field.extendee;
  }
  for (const { method } of methodsIn(file)) {
    yield method.inputType;
    yield method.outputType;
  }
}
