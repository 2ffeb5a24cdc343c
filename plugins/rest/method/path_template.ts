/**
 * Path templates: what stands in them besides text, also where authors go beyond the standard.
 *
 * @module
 */

/** A template in its parts. */
export interface PathTemplate {
  /** Without the query; begins with a slash. */
  readonly path: string;
  /** The `name=value` pairs of a query that the template ends in. */
  readonly pairs: readonly string[];
}

/** What stands between braces. */
export interface Variable {
  readonly name: string;
  /** True when the value may have several segments, as in `{rest*}`. */
  readonly isRest: boolean;
}

/** Splits a template. A fragment is left out: it only tells methods of one path apart. */
export function splitTemplate(template: string): PathTemplate {
  // Names may have the marks in them.
  const masked = template.replace(/\{[^{}]*\}/g, (variable) => "_".repeat(variable.length));
  const [beforeHash = ""] = masked.split("#", 1);
  const [beforeMark = ""] = beforeHash.split("?", 1);
  const path = template.slice(0, beforeMark.length);
  const query = template.slice(beforeMark.length + 1, beforeHash.length);
  return {
    path: path.startsWith("/") ? path : `/${path}`,
    pairs: query.split("&").filter((pair) => pair !== ""),
  };
}

/** The variables of a template or of a part of one. */
export function variablesOf(template: string, isKnown: (name: string) => boolean): Variable[] {
  return Array.from(template.matchAll(VARIABLE), ([, text = ""]) => readVariable(text, isKnown));
}

/** A template, or a part of one, with texts in the places of its variables. */
export function fillTemplate(
  template: string,
  { isKnown, textOf }: {
    isKnown: (name: string) => boolean;
    textOf: (variable: Variable) => string;
  },
): string {
  return template.replace(VARIABLE, (_, text: string) => textOf(readVariable(text, isKnown)));
}

const VARIABLE = /\{([^{}]+)\}/g;

/** Unless a parameter has just that name, marks of routers are read: `{id?}`, `{id:int}`, `{+rest}`. */
function readVariable(text: string, isKnown: (name: string) => boolean): Variable {
  const [, before = "", name = "", after = ""] = /^([+*]*)([^:?*+]*)(.*)$/s.exec(text) ?? [];
  if (isKnown(text) || name === "") return { name: text, isRest: false };
  return { name, isRest: before !== "" || /^([*+]|:path$)/.test(after) };
}
