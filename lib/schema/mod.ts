/**
 * Pure translation: JSON without rounding, variables in text, JSON Schema.
 *
 * What needs an engine stands apart, so that a start does not pay for it: import `pack.ts`
 * (foreign schemas made strict), `validate.ts` (values held against schemas) and `sample.ts`
 * (values made for schemas) where they are used.
 *
 * @module
 */
export { cleanText } from "./clean_text.ts";
export { isRawJson, parseJson, type RawJson } from "./exact_json.ts";
export { substitute } from "./variables.ts";
