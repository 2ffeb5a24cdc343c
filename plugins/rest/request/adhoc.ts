/**
 * Calls that need no document: an HTTP verb and the target's own URL.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { type Call, type CallContext, readHttpMetadata } from "../../../lib/protocol/mod.ts";
import { encodeBody } from "../body/encode.ts";
import { isBytesType, parseContentType } from "../body/media_type.ts";
import { ApiDocument } from "../document/api_document.ts";
import { isObject } from "../document/json.ts";
import { NO_PARTS } from "../document/references.ts";
import type { BuiltRequest } from "./build.ts";
import { readMessage } from "./message.ts";
import { DEFAULT_HEADERS } from "./metadata.ts";
import { writeParameter } from "./parameters.ts";
import { appendQuery, writePair } from "./url.ts";

const VERBS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** What there is to know of a body that nobody describes. */
const NO_DOCUMENT = new ApiDocument({}, "", NO_PARTS);

/** True for a call of a verb rather than of a method. */
export function isAdhoc({ service, method }: Call): boolean {
  return service === "" && VERBS.includes(method.toUpperCase());
}

/**
 * Builds the request of an ad-hoc call.
 *
 * @throws {BowireError} `invalid_argument` when the message does not fit the verb.
 */
export async function buildAdhocRequest(
  call: Call,
  context: CallContext,
): Promise<BuiltRequest> {
  const method = call.method.toUpperCase();
  const metadata = readHttpMetadata(call.metadata);
  const headers = new Map([...DEFAULT_HEADERS, ...metadata.headers]);
  const message = readMessage(call);
  // fetch refuses to send a body with the first two.
  const isBodiless = ["GET", "HEAD"].includes(method) ||
    method === "DELETE" && !metadata.headers.has("content-type");
  const pairs = metadata.query.map(writePair);
  if (isBodiless) pairs.unshift(...queryOf(method, message));
  const url = appendQuery(call.target.url, pairs);
  const target = url === call.target.url ? call.target : context.admit(url, "query of the call");
  const hasBody = !isBodiless && call.messages.some((text) => text.trim() !== "");
  const tls = metadata.tls === undefined ? {} : { tls: metadata.tls };
  if (!hasBody) return { target, request: { method, headers: [...headers], ...tls } };
  const wanted = headers.get("content-type") ?? "application/json";
  const { body, contentType } = await encodeBody(message, {
    contentType: wanted,
    schema: undefined,
    rules: {},
    wholeName: "message",
    document: NO_DOCUMENT,
    isBinary: () => isBytesType(parseContentType(wanted).type),
  }, context.readFile);
  headers.set("content-type", contentType);
  return { target, request: { method, headers: [...headers], body, ...tls } };
}

/** One query parameter a member; structures within lists and objects are JSON text. */
function queryOf(method: string, message: unknown): string[] {
  if (!isObject(message)) {
    throw new BowireError(
      "invalid_argument",
      `cannot call ${method} with a body: the message is not a JSON object of query parameters`,
    );
  }
  return Object.entries(message).filter(([, value]) => value !== null).map(([name, value]) =>
    writeParameter({
      name,
      place: "query",
      style: "form",
      explode: true,
      allowReserved: false,
      isJson: isObject(value),
    }, value)
  ).filter((pair) => pair !== "");
}
