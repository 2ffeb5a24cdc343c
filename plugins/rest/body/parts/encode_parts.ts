/**
 * Values as the parts of a multipart body (OpenAPI 3.1 and 3.2, Encoding Object).
 *
 * @module
 */
import { BowireError } from "../../../../lib/errors/mod.ts";
import { isObject, listOf } from "../../document/json.ts";
import { isBinary } from "../../../../lib/schema/shapes/shape.ts";
import { type BodyForm, type EncodedBody, schemaOfItem } from "../body_form.ts";
import { isContentObject } from "../bytes.ts";
import { fieldsOf, type FormField, hasStyle, itemsOf, writeStyled } from "../form.ts";
import { isFormData, MULTIPART, parseContentType } from "../media_type.ts";
import { type PartSeed, type PartTools, toContent } from "./content.ts";
import { partHeaders } from "./headers.ts";
import { joinParts, type Part, writeDisposition } from "./join.ts";

/**
 * Encodes a multipart body: one part for each field of an object, or for each item of a list.
 *
 * @throws {BowireError} `invalid_argument` when a value does not fit its part, `file_failed`.
 */
export async function encodeParts(
  value: unknown,
  form: BodyForm,
  tools: PartTools,
): Promise<EncodedBody> {
  const { type, parameters } = parseContentType(form.contentType);
  const parts: Part[] = [];
  const seeds = Array.isArray(value) ? seedsByPosition(value, form) : undefined;
  for (const seed of seeds ?? []) parts.push(await toPart(seed, form, tools));
  for (const field of seeds === undefined ? fieldsOf(value, form) : []) {
    parts.push(...await toNamedParts(field, form, tools));
  }
  // The type of the root, which is the first part (RFC 2387, 3.1).
  const root = type === "multipart/related" && !parameters.has("type")
    ? [["type", parseContentType(typeOfPart(parts[0])).type] as const]
    : [];
  return await joinParts(parts, { type, parameters: new Map([...parameters, ...root]) });
}

function typeOfPart(part: Part | undefined): string {
  return part?.headers.find(([name]) => name === "Content-Type")?.[1] ?? "text/plain";
}

/** OpenAPI 3.2, "Encoding By Position". */
function seedsByPosition(values: readonly unknown[], form: BodyForm): PartSeed[] {
  const { schema, rules, document, wholeName } = form;
  const shape = document.shapes.of(schema);
  const prefix = listOf(rules["prefixEncoding"]);
  return values.map((value, index) => {
    const rule = prefix[index] ?? rules["itemEncoding"];
    return {
      value,
      schema: schemaOfItem(shape, index),
      rule: isObject(rule) ? rule : {},
      what: `${JSON.stringify(wholeName)}[${index}]`,
    };
  });
}

/** OpenAPI 3.2, "Encoding By Name"; also for other types than forms, as OpenAPI 3.1 allows. */
async function toNamedParts(field: FormField, form: BodyForm, tools: PartTools): Promise<Part[]> {
  const { name, rule } = field;
  const items = itemsOf(field, form);
  const { shapes } = form.document;
  const isFile = items.some(({ value, schema }) =>
    isBinary(shapes.of(schema)) || isContentObject(value, shapes.of(schema))
  );
  if (isFormData(form.contentType) && hasStyle(rule) && !isFile) return toStyledParts(field);
  const parts: Part[] = [];
  for (const item of items) {
    parts.push(await toPart({ ...item, name, rule, what: JSON.stringify(name) }, form, tools));
  }
  return parts;
}

/** The names and values of a query, without percent-encoding (OpenAPI 3.1, Appendix C). */
function toStyledParts({ name, value, rule }: FormField): Part[] {
  const pairs = writeStyled(name, value, { ...rule, allowReserved: false });
  return pairs.split("&").filter((pair) => pair !== "").map((pair) => {
    const [name = "", body = ""] = pair.split("=", 2).map(decodeURIComponent);
    return { headers: [["Content-Disposition", writeDisposition("form-data", { name })]], body };
  });
}

async function toPart(seed: PartSeed, form: BodyForm, tools: PartTools): Promise<Part> {
  const { rule, name, what } = seed;
  const content = await toContent(seed, form, tools);
  const headers = new Map(partHeaders(rule, content.headers ?? {}, { ...form, what }));
  const disposition = dispositionOf(name, content.fileName) ?? headers.get("content-disposition");
  if (disposition === undefined && isFormData(form.contentType)) {
    throw new BowireError(
      "invalid_argument",
      `cannot send ${what} as a part of ${MULTIPART}: it has no name`,
      { hint: "give an object with a member for each field" },
    );
  }
  headers.delete("content-disposition");
  if (content.transferEncoding !== undefined) headers.delete("content-transfer-encoding");
  const own = [
    ["Content-Disposition", disposition],
    ["Content-Type", content.contentType],
    ["Content-Transfer-Encoding", content.transferEncoding],
  ] as const;
  return {
    headers: [
      ...own.flatMap(([key, value]): [string, string][] =>
        value === undefined ? [] : [[key, value]]
      ),
      ...headers,
    ],
    body: content.body,
  };
}

function dispositionOf(name: string | undefined, fileName: string | undefined): string | undefined {
  if (name !== undefined) return writeDisposition("form-data", { name, fileName });
  return fileName === undefined ? undefined : writeDisposition("attachment", { fileName });
}
