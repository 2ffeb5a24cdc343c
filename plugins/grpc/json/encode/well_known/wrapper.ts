/**
 * The wrappers of `google/protobuf/wrappers.proto`: their JSON is the scalar in them.
 *
 * @module
 */
import type { ScalarType } from "@bufbuild/protobuf";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { wireTypeOf } from "../../shared/element.ts";
import type { Given } from "../given.ts";
import { isZero, writeScalar } from "../scalar.ts";

/** The bytes of a wrapper; zero leaves its field out. */
export function encodeWrapper(scalar: ScalarType, given: Given): Uint8Array {
  const writer = new BinaryWriter();
  writeScalar(writer, scalar, given);
  const bytes = writer.finish();
  if (isZero(bytes)) return new Uint8Array();
  return new BinaryWriter().tag(1, wireTypeOf({ kind: "scalar", scalar })).raw(bytes).finish();
}
