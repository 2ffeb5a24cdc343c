/**
 * How a body is filled: in which media type, and whether by its properties or as a whole.
 *
 * @module
 */
import { isJsonMediaType } from "../../../lib/protocol/mod.ts";
import type { BodyForm } from "../body/body_form.ts";
import { holdsBytes } from "../body/bytes.ts";
import {
  firstWithin,
  isMultipart,
  isRange,
  isWithin,
  MULTIPART,
  URLENCODED,
} from "../body/media_type.ts";
import type { ApiDocument } from "../document/api_document.ts";
import { isObject } from "../document/json.ts";
import { isBinary, isOnly, type Shape } from "../../../lib/schema/shapes/shape.ts";
import type { Inputs } from "./inputs.ts";
import type { Media } from "./media.ts";

/** The way a method's body is made from arguments. */
export interface BodyPlan extends BodyForm {
  /** Without parameters; may be a range. */
  readonly contentType: string;
  /** The content type as the document writes it, with parameters. */
  readonly written: string;
  readonly shape: Shape;
  readonly required: boolean;
  /** True when each property is an argument of its own. */
  readonly isSpread: boolean;
  /** True when arguments that nobody declared are properties of the body. */
  readonly takesMore: boolean;
  /** The argument that takes the body whole. */
  readonly wholeName: string;
  /** True for types whose properties are fields or parts. */
  readonly isForm: boolean;
  /** True when the body, or one property of it, is bytes. */
  isBinary(property?: string): boolean;
  /** True for a property that only answers have. */
  isReadOnly(property: string): boolean;
}

/**
 * Plans the body of a method in the type that comes first.
 *
 * @returns `undefined` when the method takes no body.
 */
export function planBody(inputs: Inputs, document: ApiDocument): BodyPlan | undefined {
  const [first] = inputs.body === undefined ? [] : inPreference(inputs.body.media);
  return first === undefined ? undefined : planFor(first, inputs, document);
}

/**
 * Plans the body of a method in each of its types: JSON first, then a form, then as the document
 * has them.
 *
 * @param wanted the media type that the caller asks for.
 * @returns none when the method takes no body, or none in the type asked for.
 */
export function planBodies(inputs: Inputs, document: ApiDocument, wanted?: string): BodyPlan[] {
  if (inputs.body === undefined) return [];
  const media = inPreference(inputs.body.media);
  if (wanted === undefined) return media.map((one) => planFor(one, inputs, document));
  const match = media.find(({ type }) => type === wanted) ??
    media.find(({ type }) => isWithin(wanted, type));
  if (match === undefined) return [];
  return [planFor({ ...match, type: wanted, written: wanted }, inputs, document)];
}

function inPreference(media: readonly Media[]): Media[] {
  return media.map((one) => one.type === "" ? { ...one, type: "*/*", written: "*/*" } : one)
    .toSorted((a, b) => rankOf(a.type) - rankOf(b.type));
}

function rankOf(type: string): number {
  if (isJsonMediaType(type) && !isRange(type)) return 0;
  const ranks = ["application/*+json", "*/*", "application/*", URLENCODED, MULTIPART];
  return ranks.includes(type) ? 1 + ranks.indexOf(type) : 1 + ranks.length;
}

function planFor(media: Media, { parameters, body }: Inputs, document: ApiDocument): BodyPlan {
  const { type, written, rules } = media;
  const isForm = type === URLENCODED || isMultipart(type);
  const given = document.shapes.of(media.schema);
  // Nothing but fields can travel in a form, whatever its author wrote; other parts need no names.
  const isMistaken = [URLENCODED, MULTIPART].includes(type) && given.types.size > 0 &&
    !given.types.has("object");
  const schema = isMistaken ? { type: "object" } : media.schema;
  const shape = isMistaken ? document.shapes.of(schema) : given;
  const propertyShape = (name: string) => document.shapes.of(shape.properties.get(name));
  const isObjectOnly = isOnly(shape, "object");
  const isBytes = holdsBytes(shape, isRange(type) ? firstWithin(type) : type);
  const isSpread = isObjectOnly && !isBytes && shape.properties.size > 0;
  const names = new Set([...parameters.map(({ name }) => name), ...shape.properties.keys()]);
  return {
    contentType: type,
    written,
    schema,
    rules,
    document,
    shape,
    // Many authors, and Swagger 2 always, say so of a form's fields only.
    required: body?.required === true || isForm && shape.required.size > 0,
    isSpread,
    takesMore: isObjectOnly && !isBytes &&
      (isSpread
        ? shape.additional === true || isObject(shape.additional)
        : shape.additional !== false),
    wholeName: ["body", "requestBody"].find((name) => !names.has(name)) ?? "wholeBody",
    isForm,
    isReadOnly: (name) => propertyShape(name).keywords["readOnly"] === true,
    isBinary(name) {
      if (name === undefined) return isBytes;
      const property = propertyShape(name);
      return isBinary(isOnly(property, "array") ? document.shapes.of(property.items) : property);
    },
  };
}
