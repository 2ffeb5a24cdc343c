/**
 * A body's value as the bytes or text of its media type.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { isJsonMediaType } from "../../../lib/protocol/mod.ts";
import type { BodyForm, EncodedBody } from "./body_form.ts";
import { type Content, isContentObject, readContent, type ReadFile } from "./bytes.ts";
import { declaredCharset, encodeCharset } from "./charset.ts";
import { typeOfFile } from "./file_types.ts";
import { inlineBytes } from "./inline_bytes.ts";
import {
  firstWithin,
  isJsonSequence,
  isMultipart,
  isRange,
  isWithin,
  isXml,
  OCTETS,
  parseContentType,
  URLENCODED,
} from "./media_type.ts";
import { encodeParts } from "./parts/encode_parts.ts";
import { writeText } from "./text.ts";

/**
 * Encodes a value for a media type.
 *
 * @param readFile reads the files that stand in the place of bytes.
 * @throws {BowireError} `invalid_argument` when the value does not fit the type, `file_failed`.
 */
export async function encodeBody(
  value: unknown,
  form: BodyForm,
  readFile: ReadFile,
): Promise<EncodedBody> {
  const offered = form.contentType;
  const contentType = isRange(offered) ? firstWithin(offered) : offered;
  const { type, parameters } = parseContentType(contentType);
  const isContent = isContentObject(value, form.document.shapes.of(form.schema));
  if (isMultipart(type)) return await encodeMultipart(value, { ...form, contentType }, readFile);
  const mayBeBytes = isRange(offered) || !isJsonMediaType(type);
  if (mayBeBytes && (isContent || form.isBinary())) {
    const content = await readContent(value, JSON.stringify(form.wholeName), readFile);
    return { body: content.bytes, contentType: typeFor(content, offered) };
  }
  const text = writeText(await inline(value, form, { type, readFile }), { ...form, contentType });
  const charset = parameters.get("charset") ?? (isXml(type) ? declaredCharset(text) : undefined);
  return { body: encodeCharset(text, charset, { isForm: type === URLENCODED }), contentType };
}

async function encodeMultipart(
  value: unknown,
  form: BodyForm,
  readFile: ReadFile,
): Promise<EncodedBody> {
  if (typeof value !== "string") {
    const encode = (item: unknown, itemForm: BodyForm) => encodeBody(item, itemForm, readFile);
    return await encodeParts(value, form, { readFile, encode });
  }
  if (parseContentType(form.contentType).parameters.has("boundary")) {
    return { body: value, contentType: form.contentType };
  }
  throw new BowireError(
    "invalid_argument",
    `cannot send ${
      JSON.stringify(form.wholeName)
    } as text: nothing tells the boundary of its parts`,
    { hint: "give an object, or the Content-Type with its boundary as metadata" },
  );
}

/** The type of bytes: the one that is offered, unless it leaves open what they are. */
function typeFor({ contentType, fileName = "" }: Content, offered: string): string {
  if (!isRange(offered) && offered !== OCTETS) return offered;
  if (contentType !== undefined) return contentType;
  const byName = typeOfFile(fileName);
  return byName !== undefined && isRange(offered) && isWithin(byName, offered) ? byName : OCTETS;
}

async function inline(
  value: unknown,
  { schema, document, wholeName }: BodyForm,
  { type, readFile }: { type: string; readFile: ReadFile },
): Promise<unknown> {
  // Authors write the schema of one value of a sequence as well as that of them all.
  const isOfItem = isJsonSequence(type) && Array.isArray(value) &&
    !document.shapes.of(schema).types.has("array");
  return await inlineBytes(value, {
    schema: isOfItem ? { items: schema } : schema,
    shapes: document.shapes,
    readFile,
    what: JSON.stringify(wholeName),
    isForm: type === URLENCODED,
  });
}
