/**
 * Calls: from a method's name and a message to the target's answer.
 *
 * @module
 */
import { BowireError } from "../../lib/errors/mod.ts";
import type { Invocation } from "../../lib/model/mod.ts";
import { type Call, type CallContext, redactUrl } from "../../lib/protocol/mod.ts";
import { statusName, toInvocation } from "./answer.ts";
import type { DocumentCache } from "./document/cache.ts";
import { findMethod } from "./method/lookup.ts";
import { buildAdhocRequest, isAdhoc } from "./request/adhoc.ts";
import { buildRequest, type BuiltRequest } from "./request/build.ts";
import { documentHeaders, readMetadata } from "./request/metadata.ts";

/** Calls one method, or the target's own URL when the call names a verb only. */
export async function invoke(
  documents: DocumentCache,
  call: Call,
  context: CallContext,
): Promise<Invocation> {
  if (isAdhoc(call)) return await send(buildAdhocRequest(call, context), context, String);
  const headers = documentHeaders(readMetadata(call.metadata));
  const looks = await documents.load(call.target, context, { headers, isFresh: false });
  const document = looks.at(-1)?.document;
  if (document === undefined) {
    throw new BowireError(
      "not_discovered",
      `cannot call "${call.method}": "${redactUrl(call.target.url)}" has no API document`,
      { hint: "give the document's URL, or call a verb such as GET with an empty service" },
    );
  }
  const request = buildRequest(document, findMethod(document, call), { call, context });
  return await send(request, context, statusName);
}

async function send(
  { target, request }: BuiltRequest,
  context: CallContext,
  nameOf: (status: number) => string,
): Promise<Invocation> {
  const startedMs = performance.now();
  const answer = await context.fetch(target, request);
  return toInvocation(answer, { status: nameOf(answer.status), url: target.url, startedMs });
}
