/**
 * What a server says about itself, by whichever version of reflection it has.
 *
 * @module
 */
import { fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { BowireError } from "../../../lib/errors/mod.ts";
import { type CallContext, place, type Target } from "../../../lib/protocol/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { Code } from "../status/codes.ts";
import type { Endpoint } from "../wire/endpoint.ts";
import type { Wire } from "../wire/wire.ts";
import type { WireEnd } from "../wire/wire_end.ts";
import { converse, type Question, type Replies, type Reply } from "./exchange.ts";
import { type Version, VERSIONS } from "./types.ts";

/** Questions of one conversation. */
const MAX_QUESTIONS = 100;
/** How often a conversation that a server broke off is taken up again. */
const MAX_RESUMES = 50;
/** Most files of one server, and rounds in which they are asked for. */
const MAX_FILES = 20_000;
const MAX_ROUNDS = 100;
/** Most bytes of all descriptors of one server. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Longest reason of a server that is repeated. */
const MAX_REASON = 300;

/** That a server has no reflection, or does not let it be used. */
export class NoReflection extends Error {
  constructor(readonly end: WireEnd) {
    super(end.message);
  }
}

/** Descriptors, and what could not be had. */
export interface Reflected {
  readonly files: ReadonlyMap<string, FileDescriptorProto>;
  /** Why a symbol was not described, by its name. */
  readonly missing: ReadonlyMap<string, string>;
}

/** The versions that servers were found to have. */
export type KnownVersions = Map<string, Version>;

/** Asks one server. */
export class Reflection {
  readonly #wire: Wire;
  readonly #endpoint: Endpoint;
  readonly #known: KnownVersions;
  /** Whether the server has replied to anything, so that it has reflection for whoever asks here. */
  #hasReplied = false;
  /** Of the descriptors that came. */
  #bytes = 0;

  constructor(wire: Wire, endpoint: Endpoint, known: KnownVersions) {
    this.#wire = wire;
    this.#endpoint = endpoint;
    this.#known = known;
  }

  /** @throws {NoReflection} */
  async listServices(context: CallContext): Promise<string[]> {
    const [reply] = await this.#ask([{ listServices: "*" }], context);
    return reply !== undefined && "services" in reply ? [...reply.services].sort() : [];
  }

  /**
   * Fetches the files that describe symbols, with all that they import.
   *
   * @param present files that need not be fetched again.
   * @throws {NoReflection}
   */
  async describe(
    symbols: readonly string[],
    present: ReadonlyMap<string, FileDescriptorProto>,
    context: CallContext,
  ): Promise<Reflected> {
    const files = new Map(present);
    const missing = new Map<string, string>();
    const asked = new Set<string>();
    const add = (replies: readonly Reply[], onError: (index: number, reason: string) => void) => {
      for (const [index, reply] of replies.entries()) {
        if ("error" in reply) onError(index, reply.error);
        for (const bytes of "files" in reply ? reply.files : []) {
          this.#count(bytes);
          const file = readFile(bytes);
          if (typeof file === "string") onError(index, file);
          else if (!files.has(file.name)) files.set(file.name, file);
        }
      }
    };
    const wanted = symbols.map((fileContainingSymbol) => ({ fileContainingSymbol }));
    const note = (index: number, reason: string) =>
      missing.set(symbols[index] ?? "", cleanLine(reason, MAX_REASON));
    add(await this.#ask(wanted, context), note);
    for (let round = 0; round < MAX_ROUNDS && files.size < MAX_FILES; round++) {
      const imports = importsOf(files.values()).filter((name) =>
        !files.has(name) && !asked.has(name)
      );
      if (imports.length === 0) break;
      for (const name of imports) asked.add(name);
      const questions = imports.map((fileByFilename) => ({ fileByFilename }));
      add(await this.#ask(questions, context), () => {}); // whoever links the files misses them
    }
    return { files, missing };
  }

  #count({ length }: Uint8Array): void {
    this.#bytes += length;
    if (this.#bytes <= MAX_BYTES) return;
    const { target } = this.#endpoint;
    throw new BowireError(
      "too_large",
      `cannot use the reflection of ${place(target)}: it has more than ${MAX_BYTES} bytes`,
      { hint: "describe the server by schema files: bowire.schema.add" },
    );
  }

  /** A reply to each question. */
  async #ask(questions: readonly Question[], context: CallContext): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (let resumes = 0; replies.length < questions.length;) {
      const batch = questions.slice(replies.length, replies.length + MAX_QUESTIONS);
      const { replies: some, end } = await this.#converse(batch, context);
      replies.push(...some.slice(0, batch.length));
      if (some.length >= batch.length) continue;
      // The server took offence at the question that it did not reply to.
      replies.push({ error: end.message === "" ? `status ${end.code}` : end.message });
      if (++resumes > MAX_RESUMES) break;
    }
    return replies;
  }

  async #converse(questions: readonly Question[], context: CallContext): Promise<Replies> {
    const { key } = this.#endpoint;
    const known = this.#known.get(key);
    let refusal: Replies | undefined;
    for (const version of new Set(known === undefined ? VERSIONS : [known, ...VERSIONS])) {
      const parts = { wire: this.#wire, endpoint: this.#endpoint, version };
      const answer = await converse(parts, questions, context);
      if (answer.replies.length > 0 || answer.end.code === Code.ok) {
        this.#known.set(key, version);
        this.#hasReplied = true;
        return answer;
      }
      if (isLost(answer.end)) throw lost(this.#endpoint.target, answer.end);
      // That a version is not there says less than that it may not be used.
      if (refusal === undefined || isAbsent(refusal.end)) refusal = answer;
      if (!isAbsent(answer.end)) break;
    }
    if (refusal === undefined) throw new Error("there is no version of reflection");
    if (!this.#hasReplied) {
      const isAboutSymbol = questions.every((question) => !("listServices" in question));
      if (!isAboutSymbol) throw new NoReflection(refusal.end);
      await this.listServices(context); // some servers end the conversation at an unknown symbol
    }
    return refusal;
  }
}

/** True when the connection broke off before the server had said anything. */
function isLost({ code, headers, trailers }: WireEnd): boolean {
  const isSilent = Object.keys(headers).length === 0 && Object.keys(trailers).length === 0;
  return code === Code.unavailable && isSilent;
}

function lost(target: Target, { message }: WireEnd): BowireError {
  return new BowireError("unreachable", `cannot call ${place(target)}: ${message}`, {
    hint: "is the server running? It may have been stopped or restarted",
    retryable: true,
  });
}

/** True when another version may be there. */
function isAbsent({ code }: WireEnd): boolean {
  return code === Code.unimplemented || code === Code.unavailable;
}

function readFile(bytes: Uint8Array): FileDescriptorProto | string {
  try {
    return fromBinary(FileDescriptorProtoSchema, bytes);
  } catch {
    return "the descriptor that the server sent cannot be read";
  }
}

/** What files import; the well-known types are on board. */
function importsOf(files: Iterable<FileDescriptorProto>): string[] {
  const imports = [...files].flatMap(({ dependency }) => dependency);
  return [...new Set(imports)].filter((name) => !name.startsWith("google/protobuf/"));
}
