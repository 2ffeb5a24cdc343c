/**
 * Parts as one body (RFC 2046, 5.1; RFC 7578).
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { type ContentType, formatContentType } from "../media_type.ts";

/** One part of a multipart body. */
export interface Part {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Joins parts, and adds the boundary between them to the content type. */
export async function joinParts(
  parts: readonly Part[],
  { type, parameters }: ContentType,
): Promise<{ body: Uint8Array<ArrayBuffer>; contentType: string }> {
  const boundary = boundaryFor(parts);
  const pieces = parts.flatMap(({ headers, body }) => [
    `--${boundary}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
    body,
    "\r\n",
  ]);
  return {
    body: await new Blob([...pieces, `--${boundary}--\r\n`]).bytes(),
    contentType: formatContentType({
      type,
      parameters: new Map([...parameters, ["boundary", boundary]]),
    }),
  };
}

/**
 * The value of a `Content-Disposition` header (RFC 7578, 4.2). Names are UTF-8; what would end them
 * is escaped as browsers do (WHATWG HTML, "multipart/form-data encoding algorithm").
 */
export function writeDisposition(
  kind: "form-data" | "attachment",
  { name, fileName }: { name?: string | undefined; fileName?: string | undefined },
): string {
  const parameters = [["name", name], ["filename", fileName]] as const;
  const written = parameters.flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}="${escapeParameter(value)}"`]
  );
  return [kind, ...written].join("; ");
}

function escapeParameter(text: string): string {
  return text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

/** A line that no part holds; that random text is in none of them is likely, and cheap to know. */
function boundaryFor(parts: readonly Part[]): string {
  for (;;) {
    const random = crypto.getRandomValues(Buffer.alloc(16)).toString("hex");
    const boundary = `bowire-${random}`;
    if (!parts.some(({ body }) => holds(body, boundary))) return boundary;
  }
}

function holds(body: Part["body"], text: string): boolean {
  if (typeof body === "string") return body.includes(text);
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(text);
}
