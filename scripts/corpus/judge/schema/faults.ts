/**
 * What is wrong with a value: the library's errors, told apart.
 *
 * @module
 */
import { listAt, objectAt, type RawObject } from "../raw.ts";

/** An error of the library. */
export interface LibraryError {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
  readonly error: string;
}

/** What is wrong with a value. */
export interface SchemaFault {
  readonly keyword: string;
  /** JSON pointer. */
  readonly at: string;
  /** With the pattern, when that is what does not match. */
  readonly error: string;
  /** True when a schema gives this very value as an example or a default. */
  readonly isAuthors: boolean;
}

const SEVERAL_FIT = /exactly one subschema \((?!0 )/;

/** The innermost error; of a schema's own words and those of the schemas within it the last say why. */
export function pickError(errors: readonly LibraryError[]): LibraryError | undefined {
  return errors.find(({ error }) => SEVERAL_FIT.test(error)) ??
    errors.toReversed().toSorted((a, b) => depthOf(b) - depthOf(a))[0];
}

/** The keyword, with what is special about it. */
export function nameOf(
  { keyword, error }: LibraryError,
  holder: RawObject,
  faulty: unknown,
): string {
  if (SEVERAL_FIT.test(error)) return "oneOf, of which several fit";
  if (keyword !== "enum") return keyword;
  const { type } = holder;
  const listed = listAt(holder, "enum");
  const hasOwnType = listed.some((value) =>
    type === undefined || type === (Array.isArray(value) ? "array" : typeof value) ||
    type === "integer" && typeof value === "number"
  );
  const isSameText = listed.some((value) => String(value) === String(faulty));
  return hasOwnType && !isSameText ? keyword : "enum of another type";
}

/** The tokens of a JSON pointer. */
export function tokensOf(pointer: string): string[] {
  return pointer.split("/").slice(1).map((token) =>
    decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~")
  );
}

/** The member or item that a token names. */
export function memberOf(node: unknown, token: string): unknown {
  return Array.isArray(node) ? node[Number(token)] : objectAt(node)[token];
}

function depthOf({ instanceLocation }: { instanceLocation: string }): number {
  return instanceLocation.split("/").length;
}
