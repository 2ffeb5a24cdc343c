/**
 * Values of options as the scalars and enums that their fields hold.
 *
 * @module
 */
import { FieldDescriptorProto_Type as Type } from "@bufbuild/protobuf/wkt";
import { type FieldEntity, valueOf } from "../link/entity.ts";
import { doubleFrom, integerFrom, isIntegerType } from "../syntax/scalars.ts";
import type { OptionValue } from "../syntax/tree.ts";
import { typeOf, type Value } from "./value.ts";

/** A value as a field that is no message wants it; nothing when it does not fit. */
export function scalarOf(field: FieldEntity, value: OptionValue): Value | undefined {
  const { type } = field.meaning.proto;
  if (isIntegerType(type)) return integerFrom(value, type);
  switch (type) {
    case Type.FLOAT:
    case Type.DOUBLE:
      return doubleFrom(value);
    case Type.BOOL:
      return booleanFrom(value);
    case Type.ENUM:
      return enumNumberFrom(field, value);
    default:
      return value.kind === "bytes" ? value.bytes : undefined;
  }
}

/** What a person should write for such a field. */
export function wantedFor(field: FieldEntity): string {
  const { type } = field.meaning.proto;
  if (isIntegerType(type)) return "an integer of its size";
  switch (type) {
    case Type.FLOAT:
    case Type.DOUBLE:
      return "a number";
    case Type.BOOL:
      return "true or false";
    case Type.ENUM:
      return "a name of its enum";
    default:
      return "a string in quotes";
  }
}

/** The text format knows more than `true` and `false` (protobuf, text_format.cc). */
function booleanFrom(value: OptionValue): boolean | undefined {
  if (value.kind === "integer") {
    return value.integer === 0n ? false : value.integer === 1n ? true : undefined;
  }
  if (value.kind !== "word" || value.isNegative) return undefined;
  if (["true", "True", "t"].includes(value.word)) return true;
  return ["false", "False", "f"].includes(value.word) ? false : undefined;
}

function enumNumberFrom(field: FieldEntity, value: OptionValue): bigint | undefined {
  if (value.kind === "integer") return integerFrom(value, Type.INT32);
  const declared = typeOf(field);
  if (declared === undefined || value.kind !== "word" || value.isNegative) return undefined;
  const found = valueOf(declared, value.word);
  return found === undefined ? undefined : BigInt(found.number);
}
