/**
 * A method and a message as an HTTP request to an admitted URL.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import {
  type Call,
  type CallContext,
  type HttpRequest,
  redactUrl,
  type Target,
} from "../../../lib/protocol/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import type { ApiDocument } from "../document/api_document.ts";
import { type BodyPlan, planBody } from "../method/body_plan.ts";
import { bareMediaType, type Inputs, inputsOf, type Parameter } from "../method/inputs.ts";
import { MAX_NAME_LENGTH, type MethodEntry } from "../method/methods.ts";
import { sortArguments } from "./arguments.ts";
import { encodeBody } from "./body.ts";
import { readMessage } from "./message.ts";
import { DEFAULT_HEADERS, type Metadata, readMetadata, setHeader } from "./metadata.ts";
import { writeParameter } from "./parameters.ts";
import { buildUrl } from "./url.ts";

/** A request and where it goes. */
export interface BuiltRequest {
  readonly target: Target;
  readonly request: HttpRequest;
}

/**
 * Builds the request of a call.
 *
 * @throws {BowireError} `invalid_argument`, or `url_not_allowed` when the document names a server
 * that the allowlist has not.
 */
export function buildRequest(
  document: ApiDocument,
  entry: MethodEntry,
  { call, context }: { call: Call; context: CallContext },
): BuiltRequest {
  const metadata = readMetadata(call.metadata);
  const inputs = inputsOf(entry, document);
  const plan = planFor(document, entry, { inputs, metadata });
  const callee = { name: entry.fullName, inputs, plan };
  const sorted = sortArguments(callee, readMessage(call), metadata);
  const url = buildUrl(document, entry, { parameters: sorted.parameters, query: metadata.query });
  const target = context.admit(url, `servers entry of ${redactUrl(document.url)}`);
  const headers = buildHeaders(sorted.parameters, metadata);
  if (plan === undefined || sorted.body === undefined) {
    return { target, request: { method: entry.verb, headers: [...headers] } };
  }
  const body = encodeBody(sorted.body, plan);
  // A multipart body's boundary is made when it is sent, and its header with it.
  if (body instanceof FormData) headers.delete("content-type");
  else if (!headers.has("content-type")) headers.set("content-type", plan.contentType);
  return { target, request: { method: entry.verb, headers: [...headers], body } };
}

/** The plan for the caller's content type, if the method has a body and the caller names a type. */
function planFor(
  document: ApiDocument,
  entry: MethodEntry,
  { inputs, metadata }: { inputs: Inputs; metadata: Metadata },
): BodyPlan | undefined {
  const wanted = metadata.headers.get("content-type");
  const plan = planBody(inputs, document, wanted === undefined ? undefined : bareMediaType(wanted));
  if (plan === undefined && inputs.body !== undefined) {
    const offered = inputs.body.media.map(({ type }) => cleanLine(type, MAX_NAME_LENGTH));
    throw new BowireError(
      "invalid_argument",
      `cannot call "${entry.fullName}" with the content type "${wanted}"`,
      { hint: `it takes: ${offered.join(", ")}`, details: { offered } },
    );
  }
  return plan;
}

function buildHeaders(
  parameters: ReadonlyMap<Parameter, unknown>,
  metadata: Metadata,
): Map<string, string> {
  const headers = new Map(DEFAULT_HEADERS);
  const cookies: string[] = [];
  for (const [parameter, value] of parameters) {
    const text = writeParameter(parameter, value);
    if (parameter.place === "header") setHeader(headers, parameter.name, text);
    if (parameter.place === "cookie" && text !== "") cookies.push(text.replaceAll("&", "; "));
  }
  for (const [name, value] of metadata.headers) headers.set(name, value);
  if (cookies.length > 0) {
    const given = metadata.headers.get("cookie");
    headers.set("cookie", [...given === undefined ? [] : [given], ...cookies].join("; "));
  }
  return headers;
}
