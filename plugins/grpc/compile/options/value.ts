/**
 * Messages in the making: what option statements build up, before it is encoded.
 *
 * @module
 */
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import { type Entity, type FieldEntity, isMessage, type MessageEntity } from "../link/entity.ts";

/** A value of one field, or one element of it. */
export type Value = bigint | number | boolean | Uint8Array | MessageValue;

/** The values of one field. */
export interface FieldValues {
  readonly field: FieldEntity;
  readonly values: Value[];
}

/** A message without a class. */
export class MessageValue {
  readonly type: MessageEntity;
  readonly #fields = new Map<number, FieldValues>();

  constructor(type: MessageEntity) {
    this.type = type;
  }

  /** The fields that have a value, by their numbers. */
  get fields(): readonly FieldValues[] {
    return [...this.#fields.values()].sort((a, b) => numberOf(a) - numberOf(b));
  }

  /** The values of a field so far; adding to them sets them. */
  valuesOf(field: FieldEntity): Value[] {
    const { number } = field.meaning.proto;
    const known = this.#fields.get(number);
    if (known !== undefined) return known.values;
    const values: Value[] = [];
    this.#fields.set(number, { field, values });
    return values;
  }
}

function numberOf({ field }: FieldValues): number {
  return field.meaning.proto.number;
}

/** Whether a field holds any number of values. */
export function isRepeated(field: FieldEntity): boolean {
  return field.meaning.proto.label === Label.REPEATED;
}

/** The message type of a field; scalars and enums have none. */
export function messageTypeOf(field: FieldEntity): MessageEntity | undefined {
  const { type } = field.meaning.proto;
  const found = type === Type.MESSAGE || type === Type.GROUP ? typeOf(field) : undefined;
  return isMessage(found) ? found : undefined;
}

/** What the type name of a linked field stands for. */
export function typeOf(field: FieldEntity): Entity | undefined {
  return field.root.find(field.meaning.proto.typeName.slice(1));
}
