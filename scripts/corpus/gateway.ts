/**
 * The way out that the plugin is given: one document comes from disk, there are no others, and the
 * request of a call is noted and answered with `{}`. Nothing is dialled.
 *
 * @module
 */
import { Allowlist } from "../../lib/gate/mod.ts";
import {
  type CallContext,
  createContext,
  type HttpAnswer,
  type HttpRequest,
  type Target,
} from "../../lib/protocol/mod.ts";

/** A request that was handed over to be sent. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: HttpRequest["body"];
}

/** A document and the URL it is said to come from. */
export interface ServedDocument {
  readonly url: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Longer than any run takes. */
const LONG_MS = 24 * 60 * 60 * 1000;

/** A context without a network. */
export class Gateway {
  readonly context: CallContext;
  /** The document's own. */
  readonly target: Target;
  readonly #document: ServedDocument;
  /** Where requests are noted while a call is made. */
  #sent: SentRequest[] | undefined;

  constructor(document: ServedDocument) {
    const allowlist = new Allowlist({ allowArbitraryUrls: true });
    // One document is that of a cloud's metadata, at an address that an entry must name. None is dialled.
    allowlist.permit("http://169.254.169.254", "option");
    this.#document = document;
    this.target = allowlist.admit(document.url);
    this.context = {
      ...createContext(allowlist, new AbortController().signal, { timeoutMs: LONG_MS }),
      fetch: (target, request = {}) => Promise.resolve(this.#answer(target, request)),
    };
  }

  /** Makes a call and returns the last request that it handed over, if any. */
  async record(call: () => Promise<unknown>): Promise<SentRequest | undefined> {
    const sent: SentRequest[] = [];
    this.#sent = sent;
    try {
      await call();
    } finally {
      this.#sent = undefined;
    }
    return sent.at(-1);
  }

  #answer({ url }: Target, { method = "GET", headers = [], body }: HttpRequest): HttpAnswer {
    if (url === this.#document.url && method === "GET") {
      return answer(url, 200, this.#document.bytes);
    }
    this.#sent?.push({ url, method, headers, body });
    return this.#sent === undefined
      ? answer(url, 404, new Uint8Array())
      : answer(url, 200, new TextEncoder().encode("{}"));
  }
}

function answer(url: string, status: number, body: Uint8Array<ArrayBuffer>): HttpAnswer {
  return { url, status, reason: "", headers: [["content-type", "application/json"]], body };
}
