/**
 * Regular expressions of documents. They run in linear time (RE2), whatever the document's author
 * had in mind, and are spelt so that JavaScript takes them in its Unicode mode too.
 *
 * @module
 */
import { RE2JS } from "re2js";

/** A regular expression that is safe to run. */
export interface Pattern {
  /** Whether it is found anywhere in a text. */
  test(text: string): boolean;
}

/** Longest pattern, in UTF-16 units, and most instructions of one: time is their product with the text. */
const [MAX_LENGTH, MAX_INSTRUCTIONS] = [2000, 10_000];
/** Repeats that RE2 counts. */
const MAX_REPEATS = 1000;
/** Most patterns kept; beyond, the oldest is forgotten. */
const MAX_KEPT = 500;
const kept = new Map<string, Pattern | undefined>();

/**
 * `undefined` for what RE2 cannot run (look-around, back-references) or not in a short time. More
 * repeats than it counts, 1,000, are taken for any number of them.
 */
export function compilePattern(source: string): Pattern | undefined {
  if (kept.has(source)) return kept.get(source);
  const pattern = compile(source);
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(source, pattern);
  return pattern;
}

function compile(source: string): Pattern | undefined {
  if (source.length > MAX_LENGTH || countRepeats(source) > MAX_INSTRUCTIONS) return undefined;
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(mapTokens(source, translate)));
    return pattern.programSize() <= MAX_INSTRUCTIONS ? pattern : undefined;
  } catch {
    return undefined;
  }
}

/** What all counted repeats come to, roughly: those within each other RE2 refuses itself. */
function countRepeats(source: string): number {
  return [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)]
    .map(([, least, most = ""]) => Math.min(Math.max(Number(least), Number(most)), MAX_REPEATS))
    .reduce((sum, count) => sum + count, 0);
}

/**
 * The pattern as both RE2 and JavaScript's Unicode mode take it; `undefined` when there is no such
 * spelling.
 */
export function cleanPattern(source: string): string | undefined {
  if (source.length > MAX_LENGTH) return undefined;
  const [, literal, flags = ""] = /^\/(\^.*\$)\/([a-z]*)$/s.exec(source) ?? [];
  if (/[^gu]/.test(flags)) return undefined;
  const inner = literal ?? source;
  const pattern = isUnicodePattern(inner) ? inner : mapTokens(inner, respell);
  return isUnicodePattern(pattern) && compilePattern(pattern) !== undefined ? pattern : undefined;
}

function isUnicodePattern(source: string): boolean {
  try {
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}

/** What Unicode mode lets be escaped besides letters and digits (ECMA-262, SyntaxCharacter). */
const ESCAPABLE = /^[\^$\\.*+?()[\]{}|/a-zA-Z0-9]$/;
/** Anchors of Perl, Ruby and Java. */
const ANCHORS: Readonly<Record<string, string>> = { "\\A": "^", "\\Z": "$", "\\z": "$" };
const CLASS_ESCAPE = /^\\[dDsSwWpP]/;

/** White space of JavaScript (ECMA-262, WhiteSpace and LineTerminator); RE2 has only that of ASCII. */
const SPACES = "\\s\\v\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";

/** One part of a pattern, and where it stands. */
interface Token {
  readonly text: string;
  /** Within brackets; the closing one counts. */
  readonly isInClass: boolean;
  readonly before: string;
  readonly after: string;
}

/** Writes a pattern anew, part by part: escapes, counts, and single characters. */
function mapTokens(source: string, write: (token: Token) => string): string {
  const tokens = source.match(/\\[pPxu]\{[^}]*\}|\\[\s\S]|\{\d+(?:,\d*)?\}|[\s\S]/gu) ?? [];
  let isInClass = false;
  return tokens.map((text, index) => {
    const [before, after] = [tokens[index - 1] ?? "", tokens[index + 1] ?? ""];
    const token = { text, isInClass, before, after };
    if (text === "[" || text === "]") isInClass = text === "[";
    return write(token);
  }).join("");
}

/** What RE2 takes for what JavaScript means, or for a little more. */
function translate({ text, isInClass }: Token): string {
  if (text === "\\s") return isInClass ? SPACES : `[${SPACES}]`;
  if (text === "\\S" && !isInClass) return `[^${SPACES}]`;
  const [, least, , most = ""] = /^\{(\d+)(,(\d*))?\}$/.exec(text) ?? [];
  const isCounted = Math.max(Number(least), Number(most)) <= MAX_REPEATS;
  if (least === undefined || isInClass || isCounted) return text;
  return `{${Math.min(Number(least), MAX_REPEATS)},}`;
}

/** Drops escapes that escape nothing, and escapes what stands for itself only outside that mode. */
function respell({ text, isInClass, before, after }: Token): string {
  if (text.length === 2 && text.startsWith("\\")) {
    const escaped = text.slice(1);
    if (ESCAPABLE.test(escaped) || (isInClass && escaped === "-")) {
      return isInClass ? text : ANCHORS[text] ?? text;
    }
    return escaped;
  }
  if (!isInClass) return /^[{}\]]$/.test(text) ? `\\${text}` : text;
  const isBesideClass = CLASS_ESCAPE.test(before) || CLASS_ESCAPE.test(after);
  return text === "-" && isBesideClass ? "\\-" : text;
}
