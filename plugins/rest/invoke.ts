/**
 * Calls: from a method's name and a message to the target's answer.
 *
 * @module
 */
import { BowireError } from "../../lib/errors/mod.ts";
import type { Invocation } from "../../lib/model/mod.ts";
import {
  type Call,
  type CallContext,
  readHttpMetadata,
  redactUrl,
} from "../../lib/protocol/mod.ts";
import { statusName, toInvocation } from "./answer.ts";
import type { ApiDocument } from "./document/api_document.ts";
import type { DocumentCache } from "./find/cache.ts";
import { whyNone } from "./find/missing.ts";
import { findMethod } from "./method/lookup.ts";
import { buildAdhocRequest, isAdhoc } from "./request/adhoc.ts";
import { buildRequest, type BuiltRequest } from "./request/build.ts";
import { documentRequest } from "./request/metadata.ts";

/** Calls one method, or the target's own URL when the call names a verb only. */
export async function invoke(
  documents: DocumentCache,
  call: Call,
  context: CallContext,
): Promise<Invocation> {
  const whole = { ...call, metadata: { ...call.ownMetadata, ...call.metadata } };
  if (isAdhoc(call)) {
    const metadata = { ...context.metadataFor(call.target.url), ...whole.metadata };
    return await send(await buildAdhocRequest({ ...call, metadata }, context), context, String);
  }
  const document = await loadDocument(documents, call, context);
  const entry = findMethod(document, call);
  if (entry.incoming !== undefined) {
    throw new BowireError(
      "invalid_argument",
      `cannot call "${entry.name}": the target calls it (a ${entry.incoming}), not its client`,
    );
  }
  const request = await buildRequest({ document, entry, call: whole }, context);
  return await send(request, context, statusName);
}

/**
 * The document that a call is made by.
 *
 * @throws {BowireError} `not_discovered` when the target has none.
 */
export async function loadDocument(
  documents: DocumentCache,
  call: Pick<Call, "target" | "metadata"> & Partial<Pick<Call, "method">>,
  context: CallContext,
): Promise<ApiDocument> {
  const { target, metadata } = call;
  const own = { ...context.metadataFor(target.url), ...metadata };
  const request = documentRequest(readHttpMetadata(own));
  const looks = await documents.load(target, context, { request, isFresh: false });
  const document = looks.at(-1)?.document;
  if (document !== undefined) return document;
  const { reason, hint } = whyNone(looks);
  throw new BowireError(
    "not_discovered",
    `cannot call ${call.method === undefined ? "methods" : `"${call.method}"`} at "${
      redactUrl(target.url)
    }": ${reason}`,
    { hint: hint ?? "give the document's URL, or call a verb such as GET with an empty service" },
  );
}

async function send(
  { target, request, missing = [] }: BuiltRequest,
  context: CallContext,
  nameOf: (status: number) => string,
): Promise<Invocation> {
  const startedMs = performance.now();
  const answer = await context.fetch(target, request);
  return toInvocation(answer, {
    status: nameOf(answer.status),
    url: target.url,
    startedMs,
    missing,
  });
}
