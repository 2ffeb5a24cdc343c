/**
 * Discovery: from a target to the services of its API document.
 *
 * @module
 */
import {
  type CallContext,
  type Diagnostic,
  type Discovered,
  type DiscoverRequest,
  readHttpMetadata,
} from "../../lib/protocol/mod.ts";
import { cleanLine } from "../../lib/schema/clean_text.ts";
import type { ApiDocument } from "./document/api_document.ts";
import type { DocumentCache } from "./find/cache.ts";
import { describeServices } from "./describe/services.ts";
import { whyNone } from "./find/missing.ts";
import { documentRequest } from "./request/metadata.ts";

/** Most references of one document that are named. */
const MAX_DANGLING = 20;
/** Most operations that are named. */
const MAX_LEFT_OUT = 1000;

/** What was found in a document, which is remembered as long as the document is. */
const known = new WeakMap<ApiDocument, Discovered>();
/** The same without the fields of messages. */
const knownBriefly = new WeakMap<ApiDocument, Discovered>();

/** Lists the services at a target, none when it has no API document. */
export async function discover(
  documents: DocumentCache,
  { target, metadata, isBrief = false }: DiscoverRequest,
  context: CallContext,
): Promise<Discovered> {
  const request = documentRequest(
    readHttpMetadata({ ...context.metadataFor(target.url), ...metadata }),
  );
  const looks = await documents.load(target, context, { request, isFresh: true });
  const document = looks.at(-1)?.document;
  if (document === undefined) {
    const details = looks.map(({ url, status, error }) => `${url}: ${status ?? error?.code}`);
    const { reason, hint } = whyNone(looks);
    const message = hint === undefined ? reason : `${reason}: ${hint}`;
    return { services: [], diagnostics: [{ severity: "note", message, details }] };
  }
  const memory = isBrief ? knownBriefly : known;
  const found = memory.get(document) ?? {
    services: describeServices(document, target.url, { isBrief }),
    diagnostics: remarksOn(document),
  };
  memory.set(document, found);
  return found;
}

function remarksOn(document: ApiDocument): Diagnostic[] {
  const remarks: Diagnostic[] = [];
  if (document.methods.length === 0) {
    remarks.push({ severity: "note", message: "the API document has no methods" });
  }
  const { leftOut } = document;
  if (leftOut.length > 0) {
    remarks.push({
      severity: "note",
      message: `${leftOut.length} operations cannot be called`,
      details: leftOut.slice(0, MAX_LEFT_OUT).map(({ what, reason }) => `${what}: ${reason}`),
    });
  }
  const { dangling } = document.references;
  if (dangling.length > 0) {
    remarks.push({
      severity: "note",
      message: `${dangling.length} references of the API document lead nowhere`,
      details: dangling.slice(0, MAX_DANGLING).map((reference) => cleanLine(reference, 300)),
    });
  }
  return remarks;
}
