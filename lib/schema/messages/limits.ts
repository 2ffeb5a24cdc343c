/**
 * Bounds of what is shown of messages.
 *
 * @module
 */

/** Longest name that is shown, in UTF-16 units. */
export const MAX_NAME_LENGTH = 256;
