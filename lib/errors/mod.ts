/**
 * Errors that name the failed thing, the reason and the next step.
 *
 * @module
 */
export { BowireError, type BowireErrorOptions, type ErrorCode, messageOf } from "./error.ts";
export { type ErrorData, toErrorData, toErrorText } from "./render.ts";
