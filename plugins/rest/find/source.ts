/**
 * Where a document came from, and whether what lies there is still the same.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { BowireError } from "../../../lib/errors/mod.ts";
import type { CallContext, HttpAnswer, HttpRequest, Target } from "../../../lib/protocol/mod.ts";
import type { DocumentRequest } from "../request/metadata.ts";

/** One resource that was read. */
export interface Source {
  readonly target: Target;
  /** What it was asked for with. */
  readonly request: DocumentRequest;
  /** Bytes of its body. */
  readonly size: number;
  /** Its validators as request headers (RFC 9110, 13.1); none when it came without. */
  readonly conditions: NonNullable<HttpRequest["headers"]>;
  /** SHA-256 of its body, for a resource without validators. */
  readonly digest: string | undefined;
}

/** Largest document, in bytes. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

const NOT_MODIFIED = 304;

/** Notes what an answer says of its resource. */
export async function sourceOf(
  target: Target,
  request: DocumentRequest,
  answer: HttpAnswer,
): Promise<Source> {
  const valueOf = (wanted: string) => answer.headers.find(([name]) => name === wanted)?.[1];
  const [etag, modified] = [valueOf("etag"), valueOf("last-modified")];
  const conditions = [
    ...etag === undefined ? [] : [["if-none-match", etag] as const],
    ...modified === undefined || etag !== undefined
      ? []
      : [["if-modified-since", modified] as const],
  ];
  const digest = conditions.length > 0 ? undefined : await digestOf(answer);
  return { target, request, size: answer.body.byteLength, conditions, digest };
}

/** True when the resource is as it was; false when it is not, or cannot be read. */
export async function isUnchanged(source: Source, context: CallContext): Promise<boolean> {
  try {
    const answer = await context.fetch(source.target, {
      ...source.request,
      headers: [...source.request.headers ?? [], ...source.conditions],
      maxBytes: MAX_DOCUMENT_BYTES,
    });
    if (answer.status === NOT_MODIFIED) return true;
    if (answer.status !== 200) return false;
    // Some servers have validators and never answer 304.
    const { conditions, digest } = await sourceOf(source.target, source.request, answer);
    return digest === source.digest && String(conditions) === String(source.conditions);
  } catch (error) {
    if (error instanceof BowireError) return false;
    throw error;
  }
}

async function digestOf({ body }: HttpAnswer): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", body)).toString("base64");
}
