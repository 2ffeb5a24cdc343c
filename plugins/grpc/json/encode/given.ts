/**
 * JSON data on its way in, and what its kinds are called.
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { isRawJson } from "../../../../lib/schema/mod.ts";
import type { BowireError } from "../../../../lib/errors/mod.ts";
import type { Place } from "../shared/place.ts";
import type { Types } from "../shared/types.ts";

/** A value of JSON data and where it stands. */
export interface Given {
  readonly value: unknown;
  readonly place: Place;
  readonly context: EncodeContext;
}

/** What encoding stands on. */
export interface EncodeContext {
  readonly types: Types;
  /** The bytes of a message within a message. */
  readonly encodeBody: (type: DescMessage, given: Given) => Uint8Array;
}

/** The failure of a value that is of the wrong kind; its value is not told. */
export function wrongKind({ value, place }: Given, wanted: string): BowireError {
  return place.error(`is ${kindOf(value)}, wanted ${wanted}`);
}

/** A value's kind in words. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "text";
  if (typeof value === "boolean") return "true or false";
  return typeof value === "number" || isRawJson(value) ? "a number" : "an object";
}

/** The members of an object, in their order. */
export function membersOf(given: Given, wanted = "an object"): [string, unknown][] {
  const { value } = given;
  if (
    typeof value !== "object" || value === null || Array.isArray(value) || isRawJson(value)
  ) throw wrongKind(given, wanted);
  return Object.entries(value);
}

/** The items of a list, each at its place. */
export function itemsOf(given: Given): Given[] {
  if (!Array.isArray(given.value)) throw wrongKind(given, "a list");
  return given.value.map((value: unknown, index) => ({
    ...given,
    value,
    place: given.place.item(index),
  }));
}
