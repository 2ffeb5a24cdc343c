/**
 * Puts values as written into messages, as the types of the fields want them.
 *
 * @module
 */
import { failAt, quote, type Source } from "../failure.ts";
import {
  type Entity,
  type FieldEntity,
  isExtension,
  isField,
  isMessage,
  type MessageEntity,
} from "../link/entity.ts";
import type { Lookup } from "../link/lookup.ts";
import type { OptionStatement, OptionValue, ValueField } from "../syntax/tree.ts";
import { encodeMessage } from "./encode.ts";
import { scalarOf, wantedFor } from "./scalar.ts";
import { isRepeated, messageTypeOf, MessageValue, type Value } from "./value.ts";

const TEXT_ENCODER = new TextEncoder();

/** Assigns the options of declarations of one scope. */
export class Assigner {
  readonly #source: Source;
  readonly #lookup: Lookup;
  readonly #scope: Entity;

  constructor(source: Source, lookup: Lookup, scope: Entity) {
    this.#source = source;
    this.#lookup = lookup;
    this.#scope = scope;
  }

  /**
   * Carries out one statement on an options message.
   *
   * @throws {BowireError} `bad_document` for a name or a value that does not fit.
   */
  assign(options: MessageValue, { name, value, location }: OptionStatement): void {
    let message = options;
    for (const [index, part] of name.entries()) {
      const field = part.isExtension
        ? this.#extension(message.type, part.name, part.offset)
        : this.#field(message.type, part.name, part.offset);
      location?.path.push(field.meaning.proto.number);
      if (index === name.length - 1) {
        if (isRepeated(field)) location?.path.push(message.valuesOf(field).length);
        return this.#set(message, field, value);
      }
      message = this.#inner(message, field, part.offset);
    }
  }

  /** Whether the option that a statement is about, an extension, is declared in any of the files. */
  isDeclared({ name: [first] }: OptionStatement): boolean {
    return first?.isExtension !== true ||
      this.#lookup.findAnywhere(first.name, this.#scope) !== undefined;
  }

  /** The message in a singular field, made when it is not there yet. */
  #inner(message: MessageValue, field: FieldEntity, offset: number): MessageValue {
    const type = messageTypeOf(field);
    if (type === undefined || isRepeated(field)) {
      this.#fail(offset, `the option ${quote(field.name)} is no single message`);
    }
    const values = message.valuesOf(field);
    const [known] = values;
    if (known instanceof MessageValue) return known;
    const inner = new MessageValue(type);
    values.push(inner);
    return inner;
  }

  #field(type: MessageEntity, name: string, offset: number): FieldEntity {
    const found = type.member(name);
    if (isField(found)) return found;
    // A group may be called by the name of its type.
    const group = type.member(name.toLowerCase());
    if (isField(group) && messageTypeOf(group)?.name === name) return group;
    return this.#fail(offset, `${quote(type.fullName)} has no field ${quote(name)}`);
  }

  #extension(type: MessageEntity, name: string, offset: number): FieldEntity {
    const extendee = type.absoluteName;
    const isWanted = (found: Entity): found is FieldEntity =>
      isExtension(found) && found.meaning.proto.extendee === extendee;
    const found = this.#lookup.find(name, this.#scope, isWanted);
    if (isExtension(found)) return found;
    const inSet = this.#messageSetExtension(type, name);
    if (inSet !== undefined) return inSet;
    const elsewhere = this.#lookup.findAnywhere(name, this.#scope)?.file?.proto.name;
    return this.#fail(
      offset,
      `no extension ${quote(name)} of ${quote(type.fullName)} is declared or imported`,
      elsewhere === undefined ? "import the file that declares it" : `import ${quote(elsewhere)}`,
    );
  }

  /** Extensions of message sets may be called by their type, in which they are declared. */
  #messageSetExtension(type: MessageEntity, name: string): FieldEntity | undefined {
    if (type.meaning.proto.options?.messageSetWireFormat !== true) return undefined;
    const content = this.#lookup.find(name, this.#scope, isMessage);
    if (!isMessage(content)) return undefined;
    const declared = content.meaning.proto.extension.find(({ extendee, typeName }) =>
      extendee === type.absoluteName && typeName === content.absoluteName
    );
    const found = declared && content.member(declared.name);
    return isExtension(found) ? found : undefined;
  }

  #set(message: MessageValue, field: FieldEntity, value: OptionValue): void {
    const values = message.valuesOf(field);
    if (isRepeated(field)) {
      for (const each of value.kind === "list" ? value.values : [value]) {
        values.push(this.#convert(field, each));
      }
      return;
    }
    if (values.length > 0) this.#fail(value.offset, `${quote(field.name)} is set twice`);
    values.push(this.#convert(field, value));
  }

  #convert(field: FieldEntity, value: OptionValue): Value {
    const type = messageTypeOf(field);
    if (type !== undefined) {
      if (value.kind !== "message") this.#failType(field, value, "a message in braces");
      return this.#message(type, value.fields);
    }
    const scalar = scalarOf(field, value);
    return scalar ?? this.#failType(field, value, wantedFor(field));
  }

  #message(type: MessageEntity, fields: readonly ValueField[]): MessageValue {
    const message = new MessageValue(type);
    for (const { name, isExtension, urlPrefix, offset, value } of fields) {
      if (urlPrefix !== undefined) this.#fillAny(message, { name, urlPrefix, offset, value });
      else {
        const field = isExtension
          ? this.#extension(type, name, offset)
          : this.#field(type, name, offset);
        this.#set(message, field, value);
      }
    }
    return message;
  }

  /** `[type.googleapis.com/Type] {…}`: the fields of an `Any`. */
  #fillAny(
    any: MessageValue,
    { name, urlPrefix, offset, value }: Omit<ValueField, "isExtension">,
  ): void {
    const type = this.#lookup.find(`.${name}`, this.#scope, isMessage);
    if (any.type.fullName !== "google.protobuf.Any" || !isMessage(type)) {
      this.#fail(offset, `no message ${quote(name)} for an Any is declared or imported`);
    }
    if (value.kind !== "message") this.#fail(value.offset, "expected a message in braces");
    const content = encodeMessage(this.#message(type, value.fields));
    any.valuesOf(this.#field(any.type, "type_url", offset))
      .push(TEXT_ENCODER.encode(`${urlPrefix ?? ""}${name}`));
    any.valuesOf(this.#field(any.type, "value", offset)).push(content);
  }

  #failType(field: FieldEntity, value: OptionValue, wanted: string): never {
    return this.#fail(value.offset, `expected ${wanted} for ${quote(field.name)}`);
  }

  #fail(offset: number, problem: string, hint?: string): never {
    return failAt(this.#source, offset, problem, hint);
  }
}
