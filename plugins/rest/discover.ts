/**
 * Discovery: from a target to the services of its API document.
 *
 * @module
 */
import type {
  CallContext,
  Diagnostic,
  Discovered,
  DiscoverRequest,
} from "../../lib/protocol/mod.ts";
import { cleanLine } from "../../lib/schema/clean_text.ts";
import type { ApiDocument } from "./document/api_document.ts";
import type { DocumentCache } from "./document/cache.ts";
import { describeServices } from "./describe.ts";
import type { Look } from "./document/find.ts";
import { documentHeaders, readMetadata } from "./request/metadata.ts";

/** Most details of one diagnostic. */
const MAX_DETAILS = 20;

/** Lists the services at a target, none when it has no API document. */
export async function discover(
  documents: DocumentCache,
  { target, metadata }: DiscoverRequest,
  context: CallContext,
): Promise<Discovered> {
  const headers = documentHeaders(readMetadata(metadata));
  const looks = await documents.load(target, context, { headers, isFresh: true });
  const document = looks.at(-1)?.document;
  if (document === undefined) return { services: [], diagnostics: [noDocument(looks)] };
  const services = describeServices(document, target.url);
  return { services, diagnostics: remarksOn(document) };
}

function noDocument(looks: readonly Look[]): Diagnostic {
  const isLocked = looks.every(({ status }) => status === 401 || status === 403);
  return {
    severity: "note",
    message: isLocked
      ? "every URL of an API document asks for credentials: give them as metadata"
      : "no OpenAPI or Swagger document here",
    details: looks.map(({ url, status, error }) => `${url}: ${status ?? error?.code}`),
  };
}

function remarksOn(document: ApiDocument): Diagnostic[] {
  const remarks: Diagnostic[] = [];
  if (document.methods.length === 0) {
    remarks.push({ severity: "note", message: "the API document has no methods" });
  }
  const { dangling } = document.references;
  if (dangling.length > 0) {
    remarks.push({
      severity: "note",
      message: `${dangling.length} references lead nowhere in the API document`,
      details: dangling.slice(0, MAX_DETAILS).map((reference) => cleanLine(reference, 300)),
    });
  }
  return remarks;
}
