/**
 * A method and a message as an HTTP request to an admitted URL.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import {
  type Call,
  type CallContext,
  type HttpMetadata,
  type HttpRequest,
  readHttpMetadata,
  redactUrl,
  setHeader,
  type Target,
} from "../../../lib/protocol/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { MAX_NAME_LENGTH } from "../../../lib/schema/messages/limits.ts";
import type { ReadFile } from "../body/bytes.ts";
import { encodeBody } from "../body/encode.ts";
import { parseContentType } from "../body/media_type.ts";
import type { ApiDocument } from "../document/api_document.ts";
import { type BodyPlan, planBodies } from "../method/body_plan.ts";
import { type Inputs, inputsOf } from "../method/inputs.ts";
import type { MethodEntry } from "../method/methods.ts";
import { acceptOf } from "../method/outputs.ts";
import type { Parameter } from "../method/parameter.ts";
import { requirementsOf } from "../method/security.ts";
import { baseUrls } from "../method/servers.ts";
import { sortArguments } from "./arguments.ts";
import { writeArgument } from "./content.ts";
import { missingCredentials, placeCredentials } from "./credentials.ts";
import { fitArguments } from "./fit.ts";
import { readMessage } from "./message.ts";
import { DEFAULT_HEADERS } from "./metadata.ts";
import { buildUrl } from "./url.ts";
import { validateArguments } from "./validate.ts";

/** A request and where it goes. */
export interface BuiltRequest {
  readonly target: Target;
  readonly request: HttpRequest;
  /** The credentials that the method asks for and the request lacks, in words. */
  readonly missing?: readonly string[];
}

/** A method and a call of it. */
export interface MethodCall {
  readonly document: ApiDocument;
  readonly entry: MethodEntry;
  readonly call: Call;
}

/**
 * Builds the request of a call, for the first server of the document that the allowlist has.
 *
 * @throws {BowireError} `invalid_argument`, or `url_not_allowed` when the allowlist has none of the
 * servers.
 */
export async function buildRequest(
  methodCall: MethodCall,
  context: CallContext,
): Promise<BuiltRequest> {
  const { document, entry, call } = methodCall;
  const { serverVariables } = readHttpMetadata(call.metadata);
  const lists = [entry.operation["servers"], entry.pathItem["servers"], document.root["servers"]];
  let refusal: BowireError | undefined;
  for (const base of baseUrls(lists, document.url, serverVariables)) {
    try {
      return await buildFor(base, methodCall, context);
    } catch (error) {
      if (!(error instanceof BowireError) || error.code !== "url_not_allowed") throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

async function buildFor(
  base: string,
  { document, entry, call }: MethodCall,
  context: CallContext,
): Promise<BuiltRequest> {
  const requirements = requirementsOf(entry, document);
  const metadata = readHttpMetadata({
    ...placeCredentials(context.metadataFor(base), requirements),
    ...placeCredentials(call.metadata, requirements),
  });
  const inputs = inputsOf(entry, document);
  const message = readMessage(call);
  const { plan, sorted } = fitArguments(
    plansFor({ document, entry, call }, inputs, metadata),
    (plan) =>
      sortArguments({ name: entry.fullName, inputs, plan }, message, {
        metadata,
        isStrict: call.validate,
      }),
  );
  if (call.validate) await validateArguments({ document, entry, inputs, plan }, sorted);
  const { query, tls } = metadata;
  const url = buildUrl(base, entry, { parameters: sorted.parameters, query });
  const target = context.admit(url, `servers entry of ${redactUrl(document.url)}`);
  const headers = buildHeaders(sorted.parameters, metadata, acceptOf(entry, document));
  const request = {
    method: entry.verb,
    ...(tls === undefined ? {} : { tls }),
    ...await withBody(headers, plan, { value: sorted.body, readFile: context.readFile }),
    headers: [...headers],
  };
  return { target, request, missing: missingCredentials(requirements, url, request) };
}

/** The body of a request, whose content type is set. */
async function withBody(
  headers: Map<string, string>,
  plan: BodyPlan | undefined,
  { value, readFile }: { value: unknown; readFile: ReadFile },
): Promise<Pick<HttpRequest, "body">> {
  if (plan === undefined || value === undefined) return {};
  const form = { ...plan, contentType: headers.get("content-type") ?? plan.written };
  const { body, contentType } = await encodeBody(value, form, readFile);
  setHeader(headers, "content-type", contentType);
  return { body };
}

/** What may be sent where the document has forgotten that there is a body. */
const UNDECLARED_BODY = {
  required: false,
  media: [{ type: "*/*", written: "*/*", schema: { type: "object" }, rules: {} }],
  description: undefined,
};

/** The plans for the caller's content type, if the caller names one, else for all that there are. */
function plansFor(
  { document, entry, call }: MethodCall,
  inputs: Inputs,
  metadata: HttpMetadata,
): BodyPlan[] {
  const wanted = metadata.headers.get("content-type");
  const type = wanted === undefined ? undefined : parseContentType(wanted).type;
  const mayHaveBody = !call.validate && !["GET", "HEAD"].includes(entry.verb);
  const body = inputs.body ?? (mayHaveBody ? UNDECLARED_BODY : undefined);
  const plans = planBodies({ ...inputs, body }, document, type);
  if (plans.length === 0 && inputs.body !== undefined) {
    const offered = inputs.body.media.map(({ type }) => cleanLine(type, MAX_NAME_LENGTH));
    throw new BowireError(
      "invalid_argument",
      `cannot call "${entry.fullName}" with the content type "${wanted}"`,
      { hint: `it takes: ${offered.join(", ")}`, details: { offered } },
    );
  }
  return plans;
}

function buildHeaders(
  parameters: ReadonlyMap<Parameter, unknown>,
  metadata: HttpMetadata,
  accept: string,
): Map<string, string> {
  const headers = new Map([...DEFAULT_HEADERS, ["accept", accept]]);
  const cookies: string[] = [];
  for (const [parameter, value] of parameters) {
    if (parameter.place !== "header" && parameter.place !== "cookie") continue;
    const text = writeArgument(parameter, value);
    if (text === undefined) continue;
    if (parameter.place === "header") setHeader(headers, parameter.name, text);
    else cookies.push(text);
  }
  for (const [name, value] of metadata.headers) headers.set(name, value);
  if (cookies.length > 0) {
    const given = headers.get("cookie");
    setHeader(headers, "cookie", [...given === undefined ? [] : [given], ...cookies].join("; "));
  }
  return headers;
}
