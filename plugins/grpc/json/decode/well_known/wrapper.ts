/**
 * The wrappers of `google/protobuf/wrappers.proto`: their JSON is the scalar in them.
 *
 * @module
 */
import type { ScalarType } from "@bufbuild/protobuf";
import { wireTypeOf } from "../../shared/element.ts";
import { type Found, readWellKnown } from "../context.ts";
import { readScalar, zeroJson } from "../scalar.ts";

/** The JSON text of a wrapper. */
export function decodeWrapper(scalar: ScalarType, found: Found): string {
  const last = readWellKnown(found, { 1: wireTypeOf({ kind: "scalar", scalar }) }).at(-1);
  if (last === undefined) return zeroJson(scalar);
  return readScalar(scalar, last.data, found).json;
}
