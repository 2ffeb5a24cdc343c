/**
 * Numbers as text within JSON data.
 *
 * @module
 */

/** A number kept as its source text. Made by the engine: frozen, and recognised by identity. */
export interface RawJson {
  readonly rawJSON: string;
}

/** The two newer functions of `JSON` that the type library lacks. */
interface RawJsonSupport {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
}
const engine = JSON as typeof JSON & RawJsonSupport;

/** True for a number that is kept as text. */
export function isRawJson(value: unknown): value is RawJson {
  return engine.isRawJSON(value);
}

/** A number as its source text, which must be a JSON number. */
export function makeRawJson(text: string): RawJson {
  return engine.rawJSON(text);
}
