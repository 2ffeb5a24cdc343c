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

/** Most patterns kept; beyond, the oldest is forgotten. */
const MAX_KEPT = 500;
const kept = new Map<string, Pattern | undefined>();

/** `undefined` for what RE2 cannot run: look-around, back-references, repeats over 1,000. */
export function compilePattern(source: string): Pattern | undefined {
  if (kept.has(source)) return kept.get(source);
  const pattern = compile(source);
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(source, pattern);
  return pattern;
}

function compile(source: string): Pattern | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch {
    return undefined;
  }
}

/**
 * The pattern as both RE2 and JavaScript's Unicode mode take it; `undefined` when there is no such
 * spelling.
 */
export function cleanPattern(source: string): string | undefined {
  const inner = /^\/(\^.*\$)\/$/s.exec(source)?.[1] ?? source;
  const pattern = isUnicodePattern(inner) ? inner : respell(inner);
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

/** Drops escapes that escape nothing, and escapes what stands for itself only outside that mode. */
function respell(source: string): string {
  const tokens = source.match(/\\[pPxu]\{[^}]*\}|\\[\s\S]|\{\d+(?:,\d*)?\}|[\s\S]/gu) ?? [];
  let isInClass = false;
  return tokens.map((token, index) => {
    if (token.length > 1 && token.startsWith("\\")) return respellEscape(token, isInClass);
    if (token === "[" && !isInClass) isInClass = true;
    else if (token === "]" && isInClass) isInClass = false;
    else if (isInClass && token === "-") {
      const isBesideClass = CLASS_ESCAPE.test(tokens[index - 1] ?? "") ||
        CLASS_ESCAPE.test(tokens[index + 1] ?? "");
      return isBesideClass ? "\\-" : token;
    } else if (!isInClass && /^[{}\]]$/.test(token)) return `\\${token}`;
    return token;
  }).join("");
}

function respellEscape(token: string, isInClass: boolean): string {
  const anchor = isInClass ? undefined : ANCHORS[token];
  if (anchor !== undefined) return anchor;
  const escaped = token.slice(1);
  const isKept = token.length > 2 || ESCAPABLE.test(escaped) || (isInClass && escaped === "-");
  return isKept ? token : escaped;
}
