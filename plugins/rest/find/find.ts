/**
 * Where a target keeps its API document: at the target's own URL or at one of the usual places.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import {
  type CallContext,
  type HttpAnswer,
  redactUrl,
  type Target,
} from "../../../lib/protocol/mod.ts";
import { type DocumentRequest, PLAIN_REQUEST } from "../request/metadata.ts";
import { ApiDocument } from "../document/api_document.ts";
import { readDocument, readPart } from "../document/parse.ts";
import { readParts } from "../document/parts.ts";
import { MAX_DOCUMENT_BYTES, type Source, sourceOf } from "./source.ts";

/** One URL that was looked at, and what was there. */
export interface Look {
  /** Fit to be shown. */
  readonly url: string;
  readonly status?: number;
  readonly document?: ApiDocument;
  /** All that the document was made of, itself first. */
  readonly sources?: readonly Source[];
  /** False when a part could not be read, which may be otherwise the next time. */
  readonly isWhole?: boolean;
  readonly error?: BowireError;
  /** How the server wants to be asked (`WWW-Authenticate`), when it refused. */
  readonly challenge?: string;
}

/** In the order of preference. */
const USUAL_PLACES = [
  "/openapi.json",
  "/openapi/v1.json",
  "/swagger/v1/swagger.json",
  "/swagger.json",
  "/v3/api-docs",
  "/v3/api-docs.yaml",
  "/api-docs",
  "/openapi.yaml",
  "/openapi.yml",
  "/swagger.yaml",
  "/swagger/doc.json",
  "/schema/swagger.json",
  "/__admin/docs/swagger",
  "/openapi",
  "/api/openapi.json",
  "/api/docs",
];

/** For one usual place, in milliseconds. */
const PROBE_TIMEOUT_MS = 3000;
/** For one part, in milliseconds, so that one that hangs does not keep the others back. */
const PART_TIMEOUT_MS = 8000;

// With these answers the target is there, only not at this URL or not for everyone.
const PASSABLE = new Set(["url_not_allowed", "too_large", "too_many_redirects"]);

/**
 * Looks for a document.
 *
 * @returns all that was looked at; the document, if there is one, is in the last look.
 * @throws {BowireError} when the target cannot be reached or its document cannot be read.
 */
export async function findDocument(
  target: Target,
  request: DocumentRequest,
  context: CallContext,
): Promise<readonly Look[]> {
  const own = await look(target, request, context);
  if (own.document !== undefined) return [own];
  if (own.error !== undefined && !PASSABLE.has(own.error.code)) throw own.error;
  const probes = await Promise.all(
    usualPlaces(target, context).map((place) => look(place, request, context, PROBE_TIMEOUT_MS)),
  );
  const looks = [own, ...probes];
  const found = probes.find(({ document }) => document !== undefined);
  if (found !== undefined) return [...looks.filter((other) => other !== found), found];
  const failure = looks.map(({ error }) => error).find((error) =>
    error !== undefined &&
    (error === own.error || ["bad_document", "cancelled"].includes(error.code))
  );
  if (failure !== undefined) throw failure;
  return looks;
}

/** The usual places below the target's path, then those at its origin, as far as admitted. */
function usualPlaces(target: Target, context: CallContext): Target[] {
  const { pathname } = new URL(target.url);
  // Below a file there is nothing; its folder is the place to look.
  const folder = pathname.replace(/\/[^/]*\.(json|ya?ml|html?)$/i, "").replace(/\/+$/, "");
  const urls = [...new Set([folder, ""])]
    .flatMap((base) => USUAL_PLACES.map((place) => withPath(target.url, base + place)))
    .filter((url) => url !== target.url);
  return urls.flatMap((url) => {
    try {
      return [context.admit(url, "usual place of an API document")];
    } catch (error) {
      if (error instanceof BowireError) return [];
      throw error;
    }
  });
}

/** The URL with another path, and nothing behind that. */
function withPath(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = path;
  [url.search, url.hash] = ["", ""];
  return url.href;
}

async function look(
  target: Target,
  request: DocumentRequest,
  context: CallContext,
  timeoutMs?: number,
): Promise<Look> {
  const url = redactUrl(target.url);
  try {
    const answer = await context.fetch(target, {
      ...request,
      maxBytes: MAX_DOCUMENT_BYTES,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    const { status } = answer;
    const found = status >= 200 && status < 300
      ? await toDocument(answer, { target, request }, context)
      : undefined;
    const challenge = answer.headers.find(([name]) => name === "www-authenticate")?.[1];
    return { url, status, ...found, ...(challenge === undefined ? {} : { challenge }) };
  } catch (error) {
    if (error instanceof BowireError) return { url, error };
    throw error;
  }
}

/** An answer and the parts that it refers to as one document. */
async function toDocument(
  answer: HttpAnswer,
  { target, request }: { target: Target; request: DocumentRequest },
  context: CallContext,
): Promise<Pick<Look, "document" | "sources" | "isWhole"> | undefined> {
  const read = readDocument(answer);
  if (read === undefined) return undefined;
  const sources = [await sourceOf(target, request, answer)];
  const parts = await readParts(read.places, read.url, async (place) => {
    const part = context.admit(place, `$ref of ${redactUrl(read.url)}`);
    // Credentials are for the server that they were given for.
    const sent = part.origin === target.origin ? request : PLAIN_REQUEST;
    const partAnswer = await context.fetch(part, {
      ...sent,
      maxBytes: MAX_DOCUMENT_BYTES,
      timeoutMs: PART_TIMEOUT_MS,
    });
    sources.push(await sourceOf(part, sent, partAnswer));
    return readPart(partAnswer, read.claim);
  });
  // What was not read for want of time is not for the next caller to miss.
  if (context.signal.aborted) throw notFinished(read.url, context.signal);
  return {
    document: new ApiDocument(read.root, read.url, parts),
    sources,
    isWhole: parts.failures.size === 0,
  };
}

function notFinished(url: string, { reason }: AbortSignal): BowireError {
  const isLate = reason instanceof DOMException && reason.name === "TimeoutError";
  const message = `the API document at "${redactUrl(url)}" was not read to its end`;
  return new BowireError(isLate ? "timeout" : "cancelled", message, { retryable: isLate });
}
