/**
 * Values as the parts of a multipart body (OpenAPI 3.1 and 3.2, Encoding Object).
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { isObject, type JsonObject, listOf, textOf } from "../document/json.ts";
import { isBinary, type Shape } from "../document/shape.ts";
import { type BodyForm, type EncodedBody, schemaOfItem } from "./body_form.ts";
import {
  alphabetOf,
  type Content,
  holdsBytes,
  isContentObject,
  readContent,
  type ReadFile,
  toBase64,
} from "./bytes.ts";
import { typeOfFile } from "./file_types.ts";
import {
  defaultType,
  type FieldItem,
  fieldsOf,
  type FormField,
  hasStyle,
  itemsOf,
  writeStyled,
} from "./form.ts";
import {
  firstWithin,
  isRange,
  isWithin,
  MULTIPART,
  OCTETS,
  parseContentType,
} from "./media_type.ts";
import { joinParts, type Part, writeDisposition } from "./multipart.ts";
import { partHeaders } from "./part_headers.ts";

/** What parts are made with. */
export interface PartTools {
  readonly readFile: ReadFile;
  /** Encodes the content of a part, which may be a body of any type. */
  encode(value: unknown, form: BodyForm): Promise<EncodedBody>;
}

/** A value that becomes one part. */
interface PartSeed extends FieldItem {
  readonly rule: JsonObject;
  /** Absent for a part that goes by its position. */
  readonly name?: string;
  /** The value, for messages. */
  readonly what: string;
}

/** The content of a part with what its headers say of it. */
interface PartContent {
  readonly body: Part["body"];
  readonly contentType?: string | undefined;
  readonly fileName?: string | undefined;
  readonly transferEncoding?: string | undefined;
  readonly headers?: JsonObject;
}

/** The encodings that a part may name (RFC 2045, 6.1). */
const TRANSFER_ENCODING = /^(7bit|8bit|binary|quoted-printable|base64)$/i;

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
      schema: schemaOfItem(shape, index) ?? rules["itemSchema"],
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
  if (isFormData(form) && hasStyle(rule) && !isFile) return toStyledParts(field);
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
  if (disposition === undefined && isFormData(form)) {
    throw new BowireError(
      "invalid_argument",
      `cannot send ${what} as a part of ${MULTIPART}: it has no name`,
      { hint: "give an object with a member for each field" },
    );
  }
  headers.delete("content-disposition");
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

function isFormData({ contentType }: BodyForm): boolean {
  return parseContentType(contentType).type === MULTIPART;
}

function dispositionOf(name: string | undefined, fileName: string | undefined): string | undefined {
  if (name !== undefined) return writeDisposition("form-data", { name, fileName });
  return fileName === undefined ? undefined : writeDisposition("attachment", { fileName });
}

async function toContent(
  { value, schema, rule, name, what }: PartSeed,
  form: BodyForm,
  { readFile, encode }: PartTools,
): Promise<PartContent> {
  const shape = form.document.shapes.of(schema);
  const offered = (textOf(rule["contentType"]) ?? "").split(",").map((type) => type.trim())
    .filter((type) => type !== "");
  const encoding = textOf(shape.keywords["contentEncoding"]);
  if (isContentObject(value, shape) || encoding === undefined && isBytesPart(shape, offered)) {
    return describeBytes(await readContent(value, what, readFile), { shape, offered, name });
  }
  if (encoding !== undefined && typeof value === "string") {
    return { body: value, contentType: pickType(offered) ?? OCTETS, ...transfer(encoding) };
  }
  const contentType = pickType(offered) ?? defaultType(value);
  const isPlain = offered.length === 0 && contentType === "text/plain";
  const encoded = await encode(value, {
    ...form,
    // Plain text needs no type in a form (RFC 7578, 4.4), and is ASCII elsewhere (RFC 2046, 4.1.2).
    contentType: isPlain && !isFormData(form) ? "text/plain; charset=utf-8" : contentType,
    schema,
    rules: rule,
    wholeName: name ?? form.wholeName,
    isBinary: () => false,
  });
  return isPlain && isFormData(form) ? { body: encoded.body } : encoded;
}

function isBytesPart(shape: Shape, [first]: readonly string[]): boolean {
  if (first === undefined) return isBinary(shape);
  return holdsBytes(shape, isRange(first) ? firstWithin(first) : parseContentType(first).type);
}

function describeBytes(
  content: Content,
  { shape, offered, name }: { shape: Shape; offered: readonly string[]; name: string | undefined },
): PartContent {
  const { bytes, fileName = name, headers } = content;
  const byName = typeOfFile(content.fileName ?? "");
  const contentType = content.contentType ?? pickType(offered, byName) ??
    (offered.length === 0 ? byName : undefined) ?? OCTETS;
  const encoding = textOf(shape.keywords["contentEncoding"]);
  const alphabet = encoding === undefined ? undefined : alphabetOf(shape);
  const about = { contentType, fileName, headers };
  if (alphabet === undefined) return { ...about, body: bytes };
  return { ...about, body: toBase64(content, alphabet), ...transfer(alphabet) };
}

/** "Equivalent to" such a header (OpenAPI 3.1), though forms do better without (RFC 7578, 4.7). */
function transfer(encoding: string): { transferEncoding?: string } {
  return TRANSFER_ENCODING.test(encoding) ? { transferEncoding: encoding } : {};
}

/** The type among those that an Encoding Object lists: the wanted one, else the first. */
function pickType(offered: readonly string[], wanted?: string): string | undefined {
  const fit = wanted === undefined
    ? undefined
    : offered.find((type) => isWithin(wanted, parseContentType(type).type));
  if (fit !== undefined) return isRange(fit) ? wanted : fit;
  return offered.find((type) => !isRange(type));
}
