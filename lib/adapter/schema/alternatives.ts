/**
 * Schemas put together, as plainly as they can be.
 *
 * @module
 */
import { isObject, type JsonObject, listOf } from "../../schema/json_schema.ts";
import { canonicalText } from "../../schema/json_values.ts";
import { saysNothing } from "./keywords.ts";
import { isAnnotation } from "./types.ts";

/** Schemas that speak of the same value; `undefined` stands for one that none satisfies. */
export type Forms = readonly (JsonObject | undefined)[];

/**
 * Keywords, and schemas of the same value besides.
 *
 * @returns `undefined` when no value satisfies them all.
 */
export function combine(
  keywords: JsonObject,
  { parts, choices }: { readonly parts: Forms; readonly choices: readonly Forms[] },
): JsonObject | undefined {
  const all: JsonObject[] = [];
  const open: (readonly JsonObject[])[] = [];
  for (const part of parts) {
    if (part === undefined) return undefined;
    all.push(part);
  }
  for (const choice of choices) {
    const forms = distinct(choice);
    const [form, ...others] = forms;
    if (form === undefined) return undefined;
    if (forms.some(saysNothing)) continue;
    if (others.length === 0) all.push(form);
    else open.push(forms);
  }
  const [first, ...more] = open;
  const limiting = [
    ...all.filter((part) => !saysNothing(part)),
    ...more.map((forms) => ({ anyOf: forms })),
  ];
  const [only, ...others] = limiting;
  if (only !== undefined && others.length === 0 && first === undefined) {
    const isBare = Object.keys(keywords).every(isAnnotation);
    if (isBare) return { ...only, ...keywords };
  }
  return {
    ...keywords,
    ...(first === undefined ? {} : { anyOf: first }),
    ...(only === undefined ? {} : { allOf: limiting }),
  };
}

/** Annotations of a value that has one of several forms. */
export function alternatives(annotations: JsonObject, forms: Forms): JsonObject {
  return combine(annotations, { parts: [], choices: [forms] }) ?? { not: {} };
}

/** The forms that some value has, each once, those within a form beside the others. */
function distinct(forms: Forms): JsonObject[] {
  const flat = forms.flatMap((form) => {
    if (form === undefined) return [];
    return Object.keys(form).join() === "anyOf" ? listOf(form["anyOf"]).filter(isObject) : [form];
  });
  return [...new Map(flat.map((form) => [canonicalText(form), form])).values()];
}
