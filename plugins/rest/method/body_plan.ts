/**
 * How a body is filled: in which media type, and whether by its properties or as a whole.
 *
 * @module
 */
import { isJsonMediaType } from "../../../lib/protocol/mod.ts";
import type { ApiDocument } from "../document/api_document.ts";
import type { Body, Inputs, Media } from "./inputs.ts";
import { isObject, type JsonObject } from "../document/json.ts";
import { isBinary, isOnly, type Shape } from "../document/shape.ts";

/** The way a method's body is made from arguments. */
export interface BodyPlan {
  /** What is sent as `Content-Type`, without parameters. */
  readonly contentType: string;
  readonly schema: unknown;
  readonly shape: Shape;
  /** Encoding Objects by property name. */
  readonly encoding: JsonObject;
  readonly required: boolean;
  /** True when each property is an argument of its own. */
  readonly isSpread: boolean;
  /** True when arguments that nobody declared are properties of the body. */
  readonly takesMore: boolean;
  /** The argument that takes the body whole. */
  readonly wholeName: string;
  /** True for HTML form types. */
  readonly isForm: boolean;
  /** True when the body, or one property of it, is bytes, given as base64. */
  isBinary(property?: string): boolean;
  /** True for a property that only answers have. */
  isReadOnly(property: string): boolean;
}

/** Form without files. */
export const URLENCODED = "application/x-www-form-urlencoded";
/** Form with files. */
export const MULTIPART = "multipart/form-data";
/** Types that are never text, whatever a schema says. */
export const BYTES =
  /^(image|audio|video|font)\/(?!svg)|^application\/(octet-stream|pdf|zip|gzip)$/;

/**
 * Plans the body of a method.
 *
 * @param wanted the media type that the caller asks for.
 * @returns `undefined` when the method takes no body, or none in the type asked for.
 */
export function planBody(
  { parameters, body }: Inputs,
  document: ApiDocument,
  wanted?: string,
): BodyPlan | undefined {
  const choice = body === undefined ? undefined : chooseMedia(body, wanted);
  if (body === undefined || choice === undefined) return undefined;
  const { media, contentType } = choice;
  const shape = document.shapes.of(media.schema);
  const propertyShape = (name: string) => document.shapes.of(shape.properties.get(name));
  const isObjectOnly = isOnly(shape, "object");
  const isForm = [URLENCODED, MULTIPART].includes(contentType);
  const isBytes = isBinary(shape) || BYTES.test(contentType) || isUntyped(shape, contentType);
  const isSpread = isObjectOnly && !isBytes && shape.properties.size > 0;
  const names = new Set([...parameters.map(({ name }) => name), ...shape.properties.keys()]);
  return {
    contentType,
    schema: media.schema,
    encoding: media.encoding,
    shape,
    // Many authors, and Swagger 2 always, say so of a form's fields only.
    required: body.required || isForm && shape.required.size > 0,
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

/** JSON if offered, else a form, else the first type. */
function chooseMedia(
  { media }: Body,
  wanted: string | undefined,
): { media: Media; contentType: string } | undefined {
  if (wanted !== undefined) {
    const match = media.find(({ type }) => type === wanted) ??
      media.find(({ type }) =>
        isRange(type) && wanted.startsWith(type.slice(0, type.indexOf("*")))
      );
    return match === undefined ? undefined : { media: match, contentType: wanted };
  }
  const match = media.find(({ type }) => isJsonMediaType(type)) ??
    media.find(({ type }) => type === "*/*" || type === "application/*") ??
    media.find(({ type }) => type === URLENCODED) ??
    media.find(({ type }) => type === MULTIPART) ??
    media[0];
  if (match === undefined) return undefined;
  const isJsonRange = match.type === "*/*" || match.type === "application/*";
  const anyType = isJsonRange ? "application/json" : "application/octet-stream";
  return { media: match, contentType: isRange(match.type) ? anyType : match.type };
}

/** True for `image/*` and wider, for which a caller may name any type within. */
function isRange(type: string): boolean {
  return type.endsWith("*");
}

/** Bytes have a media type and no schema (OpenAPI 3.1, "Considerations for File Uploads"). */
function isUntyped({ types }: Shape, contentType: string): boolean {
  return types.size === 0 && !isJsonMediaType(contentType) &&
    !/^text\/|[/+]xml$|form/.test(contentType);
}
