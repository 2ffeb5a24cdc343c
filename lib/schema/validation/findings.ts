/**
 * What a check found, while it may still be joined with what other branches found.
 *
 * @module
 */
import type { JsonType } from "../json_schema.ts";
import { choiceText, listText, type Path } from "./violations.ts";

/** One thing that is wrong, at a place relative to the value that was checked. */
export interface Finding {
  readonly path: Path;
  /** The keyword of JSON Schema that is not satisfied. */
  readonly keyword: string;
  readonly message: string;
  /** The types or, as JSON text, the values that are allowed. */
  readonly allowed?: readonly string[];
}

/** No findings. */
export const NOTHING: readonly Finding[] = [];

/** A finding at the value itself. */
export function found(keyword: string, message: string): Finding {
  return { path: [], keyword, message };
}

/** The findings as seen from one level up. */
export function under(segment: string | number, findings: readonly Finding[]): readonly Finding[] {
  if (findings.length === 0) return findings;
  return findings.map((finding) => ({ ...finding, path: [segment, ...finding.path] }));
}

const ARTICLES: Readonly<Record<string, string>> = {
  array: "a list",
  integer: "an integer",
  object: "an object",
  null: "null",
};

function withArticle(type: string): string {
  return ARTICLES[type] ?? `a ${type}`;
}

/** The value has none of the types that are allowed. */
export function wrongType(allowed: readonly string[], given: JsonType): Finding {
  const wanted = choiceText([...new Set(allowed)].map(withArticle));
  const message = `is not ${wanted} but ${withArticle(given)}`;
  return { path: [], keyword: "type", message, allowed };
}

/** The value is none of those that are allowed. @param allowed JSON texts. */
export function wrongValue(allowed: readonly string[]): Finding {
  const distinct = [...new Set(allowed)];
  const message = distinct.length === 1
    ? `is not ${listText(distinct)}`
    : `is not one of ${listText(distinct)}`;
  return { path: [], keyword: "enum", message, allowed };
}
