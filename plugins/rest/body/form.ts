/**
 * Forms: their fields, and how they are written as one text (OpenAPI 3.1, Encoding Object).
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { isObject, type JsonObject, textOf } from "../document/json.ts";
import { isStyle } from "../method/parameter.ts";
import { writeParameter } from "../request/parameters.ts";
import { type BodyForm, schemaOfItem } from "./body_form.ts";

/** One value of a form: a field, or one item of a field that is a list. */
export interface FieldItem {
  readonly value: unknown;
  readonly schema: unknown;
}

/** A field of a form. */
export interface FormField extends FieldItem {
  readonly name: string;
  /** The Encoding Object, empty when there is none. */
  readonly rule: JsonObject;
}

/**
 * A form's fields in the order of the document, those that it does not know last; null is left out.
 *
 * @throws {BowireError} `invalid_argument` when the value is no object.
 */
export function fieldsOf(value: unknown, form: BodyForm): FormField[] {
  const { contentType, schema, rules, document } = form;
  if (!isObject(value)) {
    throw new BowireError(
      "invalid_argument",
      `cannot send the body as ${contentType}: it is no object with a member for each field`,
    );
  }
  const { properties, additional } = document.shapes.of(schema);
  const encoding = new Map(Object.entries(isObject(rules["encoding"]) ? rules["encoding"] : {}));
  const names = new Set([...properties.keys(), ...Object.keys(value)]);
  return [...names].filter((name) => Object.hasOwn(value, name) && value[name] !== null)
    .map((name) => {
      const rule = encoding.get(name);
      return {
        name,
        value: value[name],
        schema: properties.get(name) ?? additional,
        rule: isObject(rule) ? rule : {},
      };
    });
}

/** A field's values: one for each item of a list (RFC 7578, 4.3), null left out. */
export function itemsOf({ value, schema }: FieldItem, { document }: BodyForm): FieldItem[] {
  if (!Array.isArray(value)) return [{ value, schema }];
  const shape = document.shapes.of(schema);
  return value.map((item, index) => ({ value: item, schema: schemaOfItem(shape, index) }))
    .filter((item) => item.value !== null);
}

/** The type of a value that no Encoding Object speaks of: structures are JSON. */
export function defaultType(value: unknown): "application/json" | "text/plain" {
  return Array.isArray(value) || isObject(value) ? "application/json" : "text/plain";
}

/** True when an Encoding Object has a style, so that its content type is ignored. */
export function hasStyle({ style, explode, allowReserved }: JsonObject): boolean {
  return [style, explode, allowReserved].some((member) => member !== undefined);
}

/** A field as `name=value` pairs with `&` between them, by the style of its Encoding Object. */
export function writeStyled(name: string, value: unknown, rule: JsonObject): string {
  const style = isStyle(rule["style"]) ? rule["style"] : "form";
  return writeParameter({
    name,
    place: "query",
    style,
    explode: typeof rule["explode"] === "boolean" ? rule["explode"] : style === "form",
    allowReserved: rule["allowReserved"] === true,
  }, value);
}

/**
 * Writes a form as `application/x-www-form-urlencoded`. Fields without a style are written as
 * browsers do, a space as `+` (WHATWG URL; so do the examples of OpenAPI 3.1 and 3.2); fields with
 * one as parameters of a query are, a space as `%20` (RFC 6570). Every reader of forms takes both.
 *
 * @param write writes a field of the content type that its Encoding Object names.
 * @throws {BowireError} `invalid_argument` when the value is no object.
 */
export function writeForm(
  value: unknown,
  form: BodyForm,
  write: (value: unknown, form: BodyForm) => string,
): string {
  return fieldsOf(value, form).flatMap((field) => {
    const { name, rule } = field;
    if (hasStyle(rule)) return [writeStyled(name, field.value, rule)];
    return itemsOf(field, form).map((item) => {
      const contentType = textOf(rule["contentType"])?.split(",", 1)[0] ?? defaultType(item.value);
      const text = write(item.value, {
        ...form,
        contentType,
        schema: item.schema,
        rules: rule,
        wholeName: name,
      });
      return new URLSearchParams([[name, text]]).toString();
    });
  }).filter((pair) => pair !== "").join("&");
}
