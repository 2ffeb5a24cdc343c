/**
 * `google.protobuf.FieldMask`: paths in one text, each in lowerCamelCase.
 *
 * @module
 */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { protoSnakeCase } from "@bufbuild/protobuf/reflect";
import type { Given } from "../given.ts";
import { textOf } from "../scalar.ts";

const NAME = /^[A-Za-z][A-Za-z0-9]*$/;

/** The bytes of a field mask. */
export function encodeFieldMask(given: Given): Uint8Array {
  const text = textOf(given);
  const writer = new BinaryWriter();
  for (const path of text === "" ? [] : text.split(",")) {
    if (path.includes("_")) {
      throw given.place.error(
        "has a path with an underscore",
        'paths are written with JSON names, as in "displayName,owner.firstName"',
      );
    }
    if (!path.split(".").every((name) => NAME.test(name))) {
      throw given.place.error(
        "is no list of field paths",
        'paths are separated by commas, as in "displayName,owner.firstName"',
      );
    }
    writer.tag(1, WireType.LengthDelimited).string(protoSnakeCase(path));
  }
  return writer.finish();
}
