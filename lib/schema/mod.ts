/**
 * Pure translation: JSON without rounding, variables in text.
 *
 * @module
 */
export { cleanText } from "./clean_text.ts";
export { isRawJson, parseJson, type RawJson } from "./exact_json.ts";
export { substitute } from "./variables.ts";
