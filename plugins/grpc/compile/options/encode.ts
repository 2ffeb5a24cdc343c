/**
 * Encodes option values in the binary format.
 *
 * @module
 */
import { FieldDescriptorProto_Type as Type } from "@bufbuild/protobuf/wkt";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { FieldEntity } from "../link/entity.ts";
import { isDelimited, isPacked } from "./features.ts";
import { type FieldValues, MessageValue, type Value } from "./value.ts";

/** The bytes of a message. */
export function encodeMessage(message: MessageValue): Uint8Array {
  const writer = new BinaryWriter();
  writeMessage(writer, message);
  return writer.finish();
}

function writeMessage(writer: BinaryWriter, message: MessageValue): void {
  const isSet = message.type.meaning.proto.options?.messageSetWireFormat === true;
  for (const values of message.fields) {
    if (isSet) writeMessageSetItem(writer, values);
    else writeField(writer, values);
  }
}

function writeField(writer: BinaryWriter, { field, values }: FieldValues): void {
  const { number, type } = field.meaning.proto;
  if (isPacked(field)) {
    writer.tag(number, WireType.LengthDelimited).fork();
    for (const value of values) writeScalar(writer, type, value);
    writer.join();
    return;
  }
  for (const value of values) {
    if (value instanceof MessageValue) writeMessageField(writer, field, value);
    else writeScalar(writer.tag(number, wireTypeOf(type)), type, value);
  }
}

function writeMessageField(writer: BinaryWriter, field: FieldEntity, value: MessageValue): void {
  const { number } = field.meaning.proto;
  if (isDelimited(field)) {
    writer.tag(number, WireType.StartGroup);
    writeMessage(writer, value);
    writer.tag(number, WireType.EndGroup);
  } else {
    writer.tag(number, WireType.LengthDelimited).fork();
    writeMessage(writer, value);
    writer.join();
  }
}

/** A group 1 of type id 2 and message 3 (protobuf, wire_format_lite.h, message sets). */
function writeMessageSetItem(writer: BinaryWriter, { field, values }: FieldValues): void {
  for (const value of values) {
    if (!(value instanceof MessageValue)) continue;
    writer.tag(1, WireType.StartGroup);
    writer.tag(2, WireType.Varint).uint32(field.meaning.proto.number);
    writer.tag(3, WireType.LengthDelimited).bytes(encodeMessage(value));
    writer.tag(1, WireType.EndGroup);
  }
}

function wireTypeOf(type: Type): WireType {
  switch (type) {
    case Type.DOUBLE:
    case Type.FIXED64:
    case Type.SFIXED64:
      return WireType.Bit64;
    case Type.FLOAT:
    case Type.FIXED32:
    case Type.SFIXED32:
      return WireType.Bit32;
    case Type.STRING:
    case Type.BYTES:
      return WireType.LengthDelimited;
    default:
      return WireType.Varint;
  }
}

function writeScalar(writer: BinaryWriter, type: Type, value: Value): void {
  if (value instanceof Uint8Array) writer.bytes(value);
  else if (typeof value === "boolean") writer.bool(value);
  else if (typeof value === "number") {
    // Beyond the range of floats is infinity.
    if (type === Type.FLOAT) writer.float(Math.fround(value));
    else writer.double(value);
  } else if (typeof value === "bigint") writeInteger(writer, type, value);
}

function writeInteger(writer: BinaryWriter, type: Type, value: bigint): void {
  switch (type) {
    case Type.FIXED64:
      return void writer.fixed64(value);
    case Type.SFIXED64:
      return void writer.sfixed64(value);
    case Type.FIXED32:
      return void writer.fixed32(Number(value));
    case Type.SFIXED32:
      return void writer.sfixed32(Number(value));
    case Type.SINT32:
      return void writer.sint32(Number(value));
    case Type.SINT64:
      return void writer.sint64(value);
    case Type.UINT64:
      return void writer.uint64(value);
    default:
      return void writer.int64(value);
  }
}
