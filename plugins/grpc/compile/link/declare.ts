/**
 * Gives every declaration of a file its place among the names.
 *
 * @module
 */
import type { Message } from "@bufbuild/protobuf";
import type {
  DescriptorProto,
  EnumDescriptorProto,
  FieldDescriptorProto,
  ServiceDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { BowireError } from "../../../../lib/errors/error.ts";
import { failAt, quote } from "../failure.ts";
import type { OptionOwner } from "../syntax/tree.ts";
import { Entity, type LinkedFile, type Meaning } from "./entity.ts";

/** The scope in which the names in a declaration's options are looked up. */
export type Scopes = ReadonlyMap<OptionOwner, Entity>;

/**
 * Declares a file below a root.
 *
 * @returns the scope of each declaration that has options.
 * @throws {BowireError} `bad_document` when a name or a field's number is taken.
 */
export function declareFile(file: LinkedFile, root: Entity): Scopes {
  return new Declarer(file).declare(root);
}

/** Longest name with all names around it: each field of its type repeats it. */
const MAX_FULL_NAME_LENGTH = 1024;

class Declarer {
  readonly #file: LinkedFile;
  readonly #scopes = new Map<OptionOwner, Entity>();

  constructor(file: LinkedFile) {
    this.#file = file;
  }

  declare(root: Entity): Scopes {
    const { proto } = this.#file;
    const home = this.#declarePackage(root, proto.package);
    this.#scopes.set(proto, home);
    for (const message of proto.messageType) this.#declareMessage(message, home);
    for (const declared of proto.enumType) this.#declareEnum(declared, home);
    for (const service of proto.service) this.#declareService(service, home);
    this.#declareFields(proto.extension, home, "extension");
    return this.#scopes;
  }

  #declarePackage(root: Entity, name: string): Entity {
    let home = root;
    for (const part of name === "" ? [] : name.split(".")) {
      const known = home.member(part);
      if (known !== undefined && known.meaning.kind !== "package") {
        this.#failTaken(this.#file.proto, known);
      }
      const next: Entity = known ?? new Entity(part, { kind: "package" }, home);
      if (known === undefined) home.add(next);
      home = next;
    }
    return home;
  }

  #declareMessage(proto: DescriptorProto, scope: Entity): void {
    const home = this.#add(proto, { kind: "message", proto }, scope);
    this.#declareFields(proto.field, home, "field");
    this.#declareFields(proto.extension, home, "extension");
    for (const oneof of proto.oneofDecl) this.#add(oneof, { kind: "oneof", proto: oneof }, home);
    for (const nested of proto.nestedType) this.#declareMessage(nested, home);
    for (const declared of proto.enumType) this.#declareEnum(declared, home);
    for (const range of proto.extensionRange) this.#noteScope(range, scope);
    this.#checkNumbers(proto);
  }

  #declareFields(
    fields: readonly FieldDescriptorProto[],
    scope: Entity,
    kind: "field" | "extension",
  ): void {
    for (const proto of fields) this.#add(proto, { kind, proto }, scope);
  }

  #declareEnum(proto: EnumDescriptorProto, scope: Entity): void {
    this.#add(proto, { kind: "enum", proto }, scope);
    // The values of an enum lie beside it, not in it.
    for (const value of proto.value) {
      this.#add(value, { kind: "value", proto: value, of: proto }, scope);
    }
  }

  #declareService(proto: ServiceDescriptorProto, scope: Entity): void {
    const home = this.#add(proto, { kind: "service", proto }, scope);
    for (const method of proto.method) this.#add(method, { kind: "method", proto: method }, home);
  }

  #add(
    proto: Exclude<OptionOwner, LinkedFile["proto"]> & { readonly name: string },
    meaning: Meaning,
    scope: Entity,
  ): Entity {
    const taken = scope.member(proto.name);
    if (taken !== undefined) this.#failTaken(proto, taken);
    const entity = new Entity(proto.name, meaning, scope, this.#file);
    if (meaning.kind === "message" && entity.absoluteName.length > MAX_FULL_NAME_LENGTH) {
      this.#fail(proto, `the full name is longer than ${MAX_FULL_NAME_LENGTH} characters`);
    }
    scope.add(entity);
    this.#noteScope(proto, scope);
    return entity;
  }

  #noteScope(owner: OptionOwner, scope: Entity): void {
    if (this.#file.parsed?.options.has(owner) === true) this.#scopes.set(owner, scope);
  }

  #checkNumbers(message: DescriptorProto): void {
    const names = new Map<number, string>();
    for (const field of message.field) {
      const { name, number } = field;
      const first = names.get(number);
      if (first !== undefined) {
        this.#fail(
          field,
          `the fields ${quote(first)} and ${quote(name)} both have the number ${number}`,
        );
      }
      names.set(number, name);
    }
  }

  #failTaken(owner: Message, taken: Entity): never {
    const where = taken.file === undefined ? "as a package" : `in ${quote(taken.file.proto.name)}`;
    this.#fail(owner, `${quote(taken.fullName)} is already declared ${where}`);
  }

  #fail(owner: Message, problem: string): never {
    const { parsed, proto } = this.#file;
    if (parsed !== undefined) failAt(parsed.source, parsed.offsets.get(owner) ?? 0, problem);
    throw new BowireError("bad_document", `cannot compile ${quote(proto.name)}: ${problem}`, {
      hint: "leave out the file that declares it a second time",
    });
  }
}
