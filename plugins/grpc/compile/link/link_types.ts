/**
 * Turns the names of types into absolute names.
 *
 * @module
 */
import type { Message } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Type as Type,
  type ServiceDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { failAt, quote } from "../failure.ts";
import type { ParsedFile } from "../syntax/tree.ts";
import { type Entity, isMessage, valueOf } from "./entity.ts";
import type { Lookup } from "./lookup.ts";

/**
 * Links all fields and methods of a file in its package.
 *
 * @throws {BowireError} `bad_document` for a type that is not declared or not imported.
 */
export function linkTypes(parsed: ParsedFile, lookup: Lookup, home: Entity): void {
  new TypeLinker(parsed, lookup).link(home);
}

function isType({ meaning: { kind } }: Entity): boolean {
  return kind === "message" || kind === "enum";
}

class TypeLinker {
  readonly #parsed: ParsedFile;
  readonly #lookup: Lookup;

  constructor(parsed: ParsedFile, lookup: Lookup) {
    this.#parsed = parsed;
    this.#lookup = lookup;
  }

  link(home: Entity): void {
    const { proto } = this.#parsed;
    for (const field of proto.extension) this.#linkField(field, home);
    for (const message of proto.messageType) this.#linkMessage(message, home);
    for (const service of proto.service) this.#linkService(service, home);
  }

  #linkMessage(message: DescriptorProto, around: Entity): void {
    const scope = around.member(message.name) ?? around;
    for (const field of message.field) this.#linkField(field, scope);
    for (const field of message.extension) this.#linkField(field, scope);
    for (const nested of message.nestedType) this.#linkMessage(nested, scope);
  }

  #linkService(service: ServiceDescriptorProto, around: Entity): void {
    const scope = around.member(service.name) ?? around;
    for (const method of service.method) {
      method.inputType = this.#nameOf(method, method.inputType, { scope, isWanted: isMessage });
      method.outputType = this.#nameOf(method, method.outputType, { scope, isWanted: isMessage });
    }
  }

  #linkField(field: FieldDescriptorProto, scope: Entity): void {
    if (field.extendee !== "") {
      field.extendee = this.#nameOf(field, field.extendee, { scope, isWanted: isMessage });
    }
    if (field.typeName === "") return;
    const found = this.#resolve(field, field.typeName, { scope, isWanted: isType });
    field.typeName = found.absoluteName;
    if (found.meaning.kind !== "enum") {
      // Groups keep their type.
      if (field.type !== Type.GROUP) field.type = Type.MESSAGE;
      if (field.defaultValue !== "") this.#fail(field, "a message has no default value");
      return;
    }
    field.type = Type.ENUM;
    const { defaultValue } = field;
    if (defaultValue !== "" && valueOf(found, defaultValue) === undefined) {
      this.#fail(field, `the default value ${quote(defaultValue)} is not in the enum`);
    }
  }

  #nameOf(owner: Message, name: string, search: Search): string {
    return this.#resolve(owner, name, search).absoluteName;
  }

  #resolve(owner: Message, name: string, { scope, isWanted }: Search): Entity {
    const found = this.#lookup.find(name, scope, isWanted);
    if (found !== undefined) return found;
    const elsewhere = this.#lookup.findAnywhere(name, scope)?.file?.proto.name;
    if (elsewhere === undefined || elsewhere === this.#parsed.proto.name) {
      this.#fail(
        owner,
        `the type ${quote(name)} is not declared`,
        "declare it, or import its file",
      );
    }
    this.#fail(
      owner,
      `the type ${quote(name)} is not imported`,
      `add: import ${quote(elsewhere)};`,
    );
  }

  #fail(owner: Message, problem: string, hint?: string): never {
    const { source, offsets } = this.#parsed;
    return failAt(source, offsets.get(owner) ?? 0, problem, hint);
  }
}

interface Search {
  readonly scope: Entity;
  readonly isWanted: (found: Entity) => boolean;
}
