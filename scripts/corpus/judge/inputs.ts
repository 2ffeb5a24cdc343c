/**
 * What an operation takes, as its document writes it.
 *
 * @module
 */
import { follow, isRawObject, listAt, objectAt, type RawObject, type RawOperation } from "./raw.ts";

/** One parameter. */
export interface RawParameter {
  readonly name: string;
  readonly place: "path" | "query" | "header" | "cookie";
  readonly style: string;
  readonly explode: boolean;
  readonly required: boolean;
  /** True when the value travels as JSON text, since the parameter has `content`. */
  readonly isJson: boolean;
  readonly schema: unknown;
  /** The Parameter Object. */
  readonly definition: RawObject;
}

/** One form of the body. */
export interface RawMedia {
  /** As written. */
  readonly type: string;
  readonly schema: unknown;
  readonly encoding: RawObject;
}

/** All that an operation takes. */
export interface RawInputs {
  readonly parameters: readonly RawParameter[];
  readonly media: readonly RawMedia[];
  readonly isBodyRequired: boolean;
}

const DEFAULT_STYLES = { path: "simple", query: "form", header: "simple", cookie: "form" } as const;

/** Reads parameters and body; those of the operation override those of its path item. */
export function rawInputsOf(root: RawObject, { operation, pathItem }: RawOperation): RawInputs {
  const parameters = new Map<string, RawParameter>();
  for (const holder of [pathItem, operation]) {
    for (const node of listAt(holder, "parameters")) {
      const parameter = toParameter(follow(root, node));
      if (parameter !== undefined) {
        parameters.set(`${parameter.place} ${parameter.name}`, parameter);
      }
    }
  }
  const body = follow(root, operation["requestBody"]);
  return {
    parameters: [...parameters.values()],
    media: Object.entries(objectAt(body, "content")).map(([type, media]) => ({
      type,
      schema: objectAt(media)["schema"],
      encoding: objectAt(media, "encoding"),
    })),
    isBodyRequired: isRawObject(body) && body["required"] === true,
  };
}

function toParameter(node: unknown): RawParameter | undefined {
  if (!isRawObject(node)) return undefined;
  const { name, in: place } = node;
  if (typeof name !== "string" || !isPlace(place)) return undefined;
  const style = typeof node["style"] === "string" ? node["style"] : DEFAULT_STYLES[place];
  const [content] = Object.values(objectAt(node, "content"));
  return {
    name,
    place,
    style,
    explode: typeof node["explode"] === "boolean" ? node["explode"] : style === "form",
    required: node["required"] === true || place === "path",
    isJson: content !== undefined,
    schema: content === undefined ? node["schema"] : objectAt(content)["schema"],
    definition: node,
  };
}

function isPlace(value: unknown): value is RawParameter["place"] {
  return typeof value === "string" && Object.hasOwn(DEFAULT_STYLES, value);
}
