/**
 * A value as the content of one part, and what its headers say of it.
 *
 * @module
 */
import { type JsonObject, textOf } from "../../document/json.ts";
import { isBinary, type Shape } from "../../../../lib/schema/shapes/shape.ts";
import type { BodyForm, EncodedBody } from "../body_form.ts";
import {
  type Content,
  holdsBytes,
  isContentObject,
  readContent,
  type ReadFile,
  toBase64,
} from "../bytes.ts";
import { typeOfFile } from "../file_types.ts";
import { defaultType, type FieldItem } from "../form.ts";
import {
  firstWithin,
  isFormData,
  isRange,
  isWithin,
  OCTETS,
  parseContentType,
} from "../media_type.ts";
import { fixedHeader } from "./headers.ts";
import type { Part } from "./join.ts";

/** What parts are made with. */
export interface PartTools {
  readonly readFile: ReadFile;
  /** Encodes the content of a part, which may be a body of any type. */
  encode(value: unknown, form: BodyForm): Promise<EncodedBody>;
}

/** A value that becomes one part. */
export interface PartSeed extends FieldItem {
  readonly rule: JsonObject;
  /** Absent for a part that goes by its position. */
  readonly name?: string;
  /** The value, for messages. */
  readonly what: string;
}

/** The content of a part with what its headers say of it. */
export interface PartContent {
  readonly body: Part["body"];
  readonly contentType?: string | undefined;
  readonly fileName?: string | undefined;
  readonly transferEncoding?: string | undefined;
  readonly headers?: JsonObject;
}

/** The encodings that a part may name (RFC 2045, 6.1). */
const TRANSFER_ENCODING = /^(7bit|8bit|binary|quoted-printable|base64)$/i;

/**
 * Makes the content of a part.
 *
 * @throws {BowireError} `invalid_argument` when the value does not fit the part, `file_failed`.
 */
export async function toContent(
  { value, schema, rule, name, what }: PartSeed,
  form: BodyForm,
  { readFile, encode }: PartTools,
): Promise<PartContent> {
  const shape = form.document.shapes.of(schema);
  const offered = (textOf(rule["contentType"]) ?? "").split(",").map((type) => type.trim())
    .filter((type) => type !== "");
  const encoding = encodingOf(shape, rule, form);
  if (isContentObject(value, shape) || encoding === undefined && isBytesPart(shape, offered)) {
    return describeBytes(await readContent(value, what, readFile), { encoding, offered, name });
  }
  if (encoding !== undefined && typeof value === "string") {
    return { body: value, contentType: pickType(offered) ?? OCTETS, ...transfer(encoding) };
  }
  const contentType = pickType(offered) ?? defaultType(value);
  const isPlain = offered.length === 0 && contentType === "text/plain";
  const encoded = await encode(value, {
    ...form,
    // Plain text needs no type in a form (RFC 7578, 4.4), and is ASCII elsewhere (RFC 2046, 4.1.2).
    contentType: isPlain && !isFormData(form.contentType)
      ? "text/plain; charset=utf-8"
      : contentType,
    schema,
    rules: rule,
    wholeName: name ?? form.wholeName,
    isBinary: () => false,
  });
  return isPlain && isFormData(form.contentType) ? { body: encoded.body } : encoded;
}

function isBytesPart(shape: Shape, [first]: readonly string[]): boolean {
  if (first === undefined) return isBinary(shape);
  return holdsBytes(shape, isRange(first) ? firstWithin(first) : parseContentType(first).type);
}

function describeBytes(
  content: Content,
  { encoding, offered, name }: {
    encoding: string | undefined;
    offered: readonly string[];
    name: string | undefined;
  },
): PartContent {
  const { bytes, fileName = name, headers } = content;
  const byName = typeOfFile(content.fileName ?? "");
  const contentType = content.contentType ?? pickType(offered, byName) ??
    (offered.length === 0 ? byName : undefined) ?? OCTETS;
  const about = { contentType, fileName, headers };
  if (encoding !== "base64" && encoding !== "base64url") return { ...about, body: bytes };
  return { ...about, body: toBase64(content, encoding), ...transfer(encoding) };
}

/** The encoding of a text that is bytes, by its schema or by a header that must say so. */
function encodingOf(shape: Shape, rule: JsonObject, form: BodyForm): string | undefined {
  const encoding = textOf(shape.keywords["contentEncoding"])?.toLowerCase();
  const header = fixedHeader(rule, "content-transfer-encoding", form.document);
  return encoding ?? (header?.toLowerCase() === "base64" ? "base64" : undefined);
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
