/**
 * The end of a call in Bowire's words.
 *
 * @module
 */
import type { StreamEnd } from "../../../lib/model/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import type { Codec, Decoded } from "../json/mod.ts";
import type { WireEnd } from "../wire/wire_end.ts";
import { Code, codeName, isRetryable } from "./codes.ts";
import { statusJson } from "./status_message.ts";

/** Most unknown fields and notes that are told. */
const MAX_REMARKS = 20;

/** What the server said: status, headers, trailers (their names after `_trailer:`), details. */
export async function endedWith(end: WireEnd, codec: Codec): Promise<StreamEnd> {
  const { code, message, headers, trailers } = end;
  const ok = code === Code.ok;
  const status = codeName(code);
  return {
    status,
    ok,
    retryable: !ok && isRetryable(code),
    response: ok ? null : await statusJson(end, codec),
    metadata: {
      ...headers,
      ...Object.fromEntries(
        Object.entries(trailers).map(([name, value]) => [`_trailer:${name}`, value]),
      ),
    },
    ...(ok ? {} : { hint: hintFor(code, message) }),
  };
}

function hintFor(code: number, message: string): string {
  const said = message === "" ? "the server gave no reason" : `it says: ${cleanLine(message, 300)}`;
  if (code === Code.unauthenticated) return `${said}; send credentials as metadata`;
  if (code === Code.unimplemented) return `${said}; does this server offer the method?`;
  return said;
}

/** What is odd about the messages of a call, each told once. */
export class Remarks {
  readonly #unknown = new Set<string>();
  readonly #notes = new Set<string>();

  /** Notes a sentence. */
  add(note: string): void {
    if (this.#notes.size < MAX_REMARKS) this.#notes.add(note);
  }

  /** Takes in what was noticed about a message, and hands it on. */
  collect(decoded: Decoded): Decoded {
    for (const field of decoded.unknownFields) {
      if (this.#unknown.size < MAX_REMARKS) this.#unknown.add(field);
    }
    for (const note of decoded.notes) this.add(note);
    return decoded;
  }

  /** All of it as metadata, empty when there is nothing. */
  get metadata(): Readonly<Record<string, string>> {
    return {
      ...(this.#unknown.size === 0 ? {} : { unknown_fields: [...this.#unknown].join("; ") }),
      ...(this.#notes.size === 0 ? {} : { notes: [...this.#notes].join("; ") }),
    };
  }
}
