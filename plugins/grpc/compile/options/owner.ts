/**
 * The options messages of declarations.
 *
 * @module
 */
import { type DescMessage, fromBinary } from "@bufbuild/protobuf";
import {
  EnumOptionsSchema,
  EnumValueOptionsSchema,
  ExtensionRangeOptionsSchema,
  FieldOptionsSchema,
  FileOptionsSchema,
  MessageOptionsSchema,
  MethodOptionsSchema,
  OneofOptionsSchema,
  ServiceOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import type { OptionOwner } from "../syntax/tree.ts";

const SCHEMAS: Readonly<Record<OptionOwner["$typeName"], DescMessage>> = {
  "google.protobuf.FileDescriptorProto": FileOptionsSchema,
  "google.protobuf.DescriptorProto": MessageOptionsSchema,
  "google.protobuf.FieldDescriptorProto": FieldOptionsSchema,
  "google.protobuf.OneofDescriptorProto": OneofOptionsSchema,
  "google.protobuf.DescriptorProto.ExtensionRange": ExtensionRangeOptionsSchema,
  "google.protobuf.EnumDescriptorProto": EnumOptionsSchema,
  "google.protobuf.EnumValueDescriptorProto": EnumValueOptionsSchema,
  "google.protobuf.ServiceDescriptorProto": ServiceOptionsSchema,
  "google.protobuf.MethodDescriptorProto": MethodOptionsSchema,
};

/** The name of the message that holds the options of a declaration. */
export function optionsTypeOf(owner: OptionOwner): string {
  return SCHEMAS[owner.$typeName].typeName;
}

/**
 * Gives a declaration its options.
 *
 * @throws {Error} when the bytes are no such options.
 */
export function setOptions(owner: OptionOwner, bytes: Uint8Array): void {
  switch (owner.$typeName) {
    case "google.protobuf.FileDescriptorProto":
      owner.options = fromBinary(FileOptionsSchema, bytes);
      break;
    case "google.protobuf.DescriptorProto":
      owner.options = fromBinary(MessageOptionsSchema, bytes);
      break;
    case "google.protobuf.FieldDescriptorProto":
      owner.options = fromBinary(FieldOptionsSchema, bytes);
      break;
    case "google.protobuf.OneofDescriptorProto":
      owner.options = fromBinary(OneofOptionsSchema, bytes);
      break;
    case "google.protobuf.DescriptorProto.ExtensionRange":
      owner.options = fromBinary(ExtensionRangeOptionsSchema, bytes);
      break;
    case "google.protobuf.EnumDescriptorProto":
      owner.options = fromBinary(EnumOptionsSchema, bytes);
      break;
    case "google.protobuf.EnumValueDescriptorProto":
      owner.options = fromBinary(EnumValueOptionsSchema, bytes);
      break;
    case "google.protobuf.ServiceDescriptorProto":
      owner.options = fromBinary(ServiceOptionsSchema, bytes);
      break;
    case "google.protobuf.MethodDescriptorProto":
      owner.options = fromBinary(MethodOptionsSchema, bytes);
      break;
  }
}
