/**
 * Texts of strangers, as long as they are of use.
 *
 * @module
 */
import { cleanText } from "../../schema/clean_text.ts";
import type { JsonObject } from "../../schema/json_schema.ts";
import { mapSchemas } from "./visit.ts";

/** Longest texts, in UTF-16 units. */
export interface TextLimits {
  /** Of a tool. */
  readonly tool: number;
  /** Of an argument. */
  readonly argument: number;
  /** Of what is within an argument. */
  readonly within: number;
}

/** For lists that a model reads whole. */
export const LONG_TEXTS: TextLimits = { tool: 1000, argument: 300, within: 300 };

/** For lists so long that each text counts. */
export const SHORT_TEXTS: TextLimits = { tool: 380, argument: 200, within: 100 };

/** The end of a sentence, in scripts that have a mark for it, or of a paragraph. */
const SENTENCE_END = /[.!?](?=\s)|[。！？]|\n\s*\n/g;

/** Longest text that is looked at. */
const MAX_READ = 20_000;

/** Marks of HTML that documents are written with, and links of Markdown: neither says anything. */
const TAG =
  /<\/?(?:p|br|b|i|em|strong|code|pre|ul|ol|li|a|span|div|h[1-6]|note)(?:\s[^<>]{0,300})?\/?>/gi;
const LINK = /\[([^[\]]{1,200})\](?:\([^()\s]{1,300}\)|\[[\w.]{0,300}\])/g;

/** Text without invisible characters and marks, cut after the last sentence that fits. */
export function capText(text: string, maxLength: number): string {
  const plain = cleanText(text, MAX_READ).replace(TAG, " ").replace(LINK, "$1");
  const whole = plain.replace(/[ \t]{2,}/g, " ").replace(/\s*\n\s*\n\s*/g, "\n\n").trim();
  if (whole.length <= maxLength) return whole;
  const head = whole.slice(0, maxLength);
  const last = [...head.matchAll(SENTENCE_END)].at(-1);
  const end = last === undefined ? 0 : last.index + last[0].length;
  // One short sentence of a long text would say too little.
  if (end >= maxLength / 3) return whole.slice(0, end).trim();
  const word = head.slice(0, maxLength - 1).replace(/\s+\S*$/, "");
  return cleanText(`${word}…`, maxLength);
}

/** Sentences one after the other, each with its full stop; none twice. */
export function joinSentences(texts: readonly (string | undefined)[]): string {
  const distinct = new Set(texts.map((text) => text?.trim() ?? "").filter((text) => text !== ""));
  return [...distinct].map((text) => /[.!?:。！？…`]$/.test(text) ? text : `${text}.`).join(" ");
}

/** A schema of arguments whose descriptions are no longer than they may be. */
export function shortenArguments(schema: JsonObject, limits: TextLimits): JsonObject {
  return mapSchemas(schema, (argument) => shortenTexts(argument, limits));
}

/** The same of one argument, or of a definition. */
export function shortenTexts(
  schema: JsonObject,
  { argument, within }: Pick<TextLimits, "argument" | "within">,
): JsonObject {
  if (within >= LONG_TEXTS.within) return schema; // no text is longer to begin with
  const inner = mapSchemas(schema, (each) => shortenTexts(each, { argument: within, within }));
  const { description } = schema;
  return typeof description === "string" && description.length > argument
    ? { ...inner, description: capText(description, argument) }
    : inner;
}
