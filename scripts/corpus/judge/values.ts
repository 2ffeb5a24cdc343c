/**
 * JSON data whose numbers are exact, and when two values are the same.
 *
 * @module
 */
import { isRawObject } from "./raw.ts";

/** A number that a double may not hold, as it was written. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For `JSON.stringify`, which writes the number as it was. */
  toJSON(): unknown {
    return engine.rawJSON(this.text);
  }
}

// Newer than the compiler's library.
const engine = JSON as typeof JSON & { rawJSON(text: string): unknown };

/** Digits of which a double holds any number. */
const SAFE_DIGITS = 15;

/**
 * Parses JSON text; numbers of many digits become {@linkcode ExactNumber}.
 *
 * @throws {SyntaxError} as `JSON.parse` does.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    if (typeof value !== "number" || source === undefined) return value;
    return source.replace(/\D/g, "").length <= SAFE_DIGITS ? value : new ExactNumber(source);
  });
}

/** The same data with doubles for all numbers. */
export function rounded(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(rounded);
  if (!isRawObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]));
}

/** True for equal JSON data; the order of members does not count. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof ExactNumber || b instanceof ExactNumber) {
    return a instanceof ExactNumber && b instanceof ExactNumber && a.text === b.text;
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  }
  if (!isRawObject(a) || !isRawObject(b)) return a === b;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]));
}

/** True for JSON text of a value, and for a text that is taken for JSON text already. */
export function isJsonOf(text: string, value: unknown): boolean {
  return text === value || isSame(parseExact(text), value);
}

/** True when a text stands for a value: a string is itself, anything else its JSON. */
export function isTextOf(text: string, value: unknown): boolean {
  if (typeof value === "string") return text === value;
  try {
    return isSame(parseExact(text), value);
  } catch {
    return false;
  }
}

/** True for lists and objects within lists and objects. */
export function isNested(value: unknown): boolean {
  const members = Array.isArray(value) ? value : isRawObject(value) ? Object.values(value) : [];
  return members.some((member) => Array.isArray(member) || isRawObject(member));
}
