/**
 * What a plugin may do to the world: admit a URL, fetch from it and connect to it.
 *
 * @module
 */
import type { Socket } from "node:net";
import { BowireError } from "../errors/mod.ts";
import { type Allowlist, originOf, parseAddress, type Target } from "../gate/mod.ts";
import type { Progress, TargetAnswer, TargetQuestion } from "../model/mod.ts";
import { AllowedFiles, type NamedFile } from "../store/mod.ts";
import { type Lookup, lookupHost } from "./addresses.ts";
import type { Send } from "./apps.ts";
import { type Deadline, fixedTime } from "./deadline.ts";
import { openProgram, type Program, type Programs } from "./program.ts";
import { place, refusalOf } from "./dial_errors.ts";
import type { HttpAnswer, HttpRequest, HttpStream } from "./http/exchange.ts";
import { fetchStream, fetchWhole } from "./http/requests.ts";
import { openNodeSocket, openSocket } from "./socket.ts";

/** The guarded way out for one call. */
export interface CallContext {
  /** Aborts when the caller gives up or the call's time is over. */
  readonly signal: AbortSignal;
  /** Aborts when the caller gives up, whatever time is left. */
  readonly givenUp: AbortSignal;
  /** For the whole call, as far as signs of life have not put off its end, in milliseconds. */
  readonly timeoutMs: number;
  /** How much of it is left, in whole milliseconds. */
  leftMs(): number;
  /**
   * Admits a URL that a document or server supplied.
   *
   * @param via what supplied it, for the refusal.
   * @throws {BowireError} `url_not_allowed` or `invalid_url`.
   */
  admit(url: string, via: string): Target;
  /**
   * One HTTP exchange with an admitted target. Redirects are followed by hand, each hop admitted
   * and the addresses behind its name judged; the caller's headers do not cross to another origin.
   *
   * @throws {BowireError} `invalid_url`, `url_not_allowed`, `unreachable`, `timeout`, `cancelled`,
   * `too_large`, `too_many_redirects` or `permission_denied`.
   */
  fetch(target: Target, request?: HttpRequest): Promise<HttpAnswer>;
  /**
   * The same, with the body read as it comes. Whoever asks for it reads it to its end, or stops.
   *
   * @throws {BowireError} as `fetch` does, while the body is read as well.
   */
  open(target: Target, request?: HttpRequest): Promise<HttpStream>;
  /**
   * A TCP connection to an admitted target, for protocols with sockets of their own. The address
   * that was reached is judged before a byte is sent; whoever asks for the connection closes it.
   *
   * @throws {BowireError} `invalid_url`, `url_not_allowed`, `unreachable`, `timeout`, `cancelled` or
   * `permission_denied`.
   */
  connect(target: Target): Promise<Deno.TcpConn>;
  /**
   * The same as a socket of node, for libraries that speak on such.
   *
   * @throws {BowireError} as `connect` does.
   */
  connectNode(target: Target): Promise<Socket>;
  /** Tells whoever waits how far the call is: a sign of life, which puts off the end of its time. */
  report(progress: Progress): void;
  /**
   * Asks the person behind the call, whose time does not count against that of the call. Where there
   * is nobody, the answer is a refusal that says so.
   */
  ask(question: TargetQuestion): Promise<TargetAnswer>;
  /**
   * Starts a program of this machine that the operator named, at the address `stdio://NAME`; whoever
   * starts it ends it.
   *
   * @throws {BowireError} `file_failed` when it cannot be started, `permission_denied`, or
   * `invalid_argument` where programs cannot be started.
   */
  openProgram(target: Target): Program;
  /** Ids of the schemas that were added for the target, for `loadSchema`. */
  readonly schemas: readonly string[];
  /**
   * What `readSchema` made of the files of one schema.
   *
   * @throws {BowireError} `file_failed`.
   */
  loadSchema(id: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Headers and reserved entries that the active environment has for the origin of a URL. */
  metadataFor(url: string): Readonly<Record<string, string>>;
  /**
   * Reads a file that a call sends, from the folders the operator allowed.
   *
   * @throws {BowireError} `file_failed`.
   */
  readFile(path: string): Promise<NamedFile>;
  /**
   * Lists the files below a folder of those that the operator allowed: their paths within it, in
   * order, links passed over.
   *
   * @throws {BowireError} `file_failed`.
   */
  listFiles(folder: string): Promise<readonly string[]>;
}

export const DEFAULT_TIMEOUT_MS = 30_000;

/** What a context is made of besides the gate. */
export interface ContextOptions {
  /** For all exchanges of the call together, in milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** Stands for `timeoutMs` and `elapsedMs` where the end can be put off. */
  readonly deadline?: Deadline | undefined;
  /** How much of that time is over, in milliseconds. @default 0 */
  readonly elapsedMs?: number | undefined;
  /** What the active environment adds, and for which origin. @default nothing */
  readonly ambient?: Ambient | undefined;
  /** The files that may be sent. @default none */
  readonly files?: Files | undefined;
  /** Ids of the schemas that were added for the target. @default none */
  readonly schemas?: readonly string[] | undefined;
  /** Loads one of them. */
  readonly loadSchema?: ((id: string) => Promise<Uint8Array<ArrayBuffer>>) | undefined;
  /** Finds the addresses of a host. @default the resolver of the system */
  readonly lookup?: Lookup | undefined;
  /** Hears how far the call is. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Puts questions of the target to the person behind the call. @default nobody is there */
  readonly onQuestion?: AskPerson | undefined;
  /** The programs that may be started, by the name in their address. @default none */
  readonly programs?: Programs | undefined;
  /** Answers requests in place of the network, which is not reached then. @default the network does */
  readonly send?: Send | undefined;
}

/** Puts a question to a person. */
export type AskPerson = (question: TargetQuestion) => Promise<TargetAnswer>;

/** What is answered where nobody can be asked. */
export const UNATTENDED: TargetAnswer = { action: "decline", isUnattended: true };

/** The files that calls may read. */
export type Files = Pick<AllowedFiles, "read" | "list">;

/** Metadata for all calls to one origin. */
export interface Ambient {
  /** `scheme://host:port`. */
  readonly origin: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Makes the context of one call. Its time starts now, unless some of it is over. */
export function createContext(
  allowlist: Allowlist,
  signal: AbortSignal,
  {
    timeoutMs = DEFAULT_TIMEOUT_MS,
    elapsedMs = 0,
    deadline,
    ambient,
    files = new AllowedFiles([]),
    schemas = [],
    loadSchema = noSchema,
    lookup = lookupHost,
    onProgress,
    onQuestion = () => Promise.resolve(UNATTENDED),
    programs = {},
    send,
  }: ContextOptions = {},
): CallContext {
  const time = deadline ?? fixedTime({ timeoutMs, elapsedMs });
  const limit = AbortSignal.any([signal, time.signal]);
  const bounds = { allowlist, lookup, signal, limit, time, send };
  const connecting = async <T>(target: Target, open: OpenSocket<T>): Promise<T> => {
    try {
      if (send !== undefined) throw noSocket(target);
      return await open(allowlist, target, limit);
    } catch (error) {
      throw refusalOf(error, target, { signal, bound: limit, limitMs: time.limitMs });
    }
  };
  return {
    signal: limit,
    givenUp: signal,
    get timeoutMs() {
      return time.limitMs;
    },
    leftMs: () => time.leftMs,
    schemas,
    loadSchema,
    admit: (url, via) => allowlist.admit(url, via),
    metadataFor: (url) => originOf(parseAddress(url)) === ambient?.origin ? ambient.metadata : {},
    readFile: (path) => files.read(path),
    listFiles: (folder) => files.list(folder),
    report(progress) {
      deadline?.extend();
      onProgress?.(progress);
    },
    async ask(question) {
      deadline?.hold();
      const answer = await onQuestion(question);
      deadline?.extend();
      return answer;
    },
    openProgram: (target) => openProgram(target, programs),
    fetch: (target, request = {}) => fetchWhole(target, request, bounds),
    open: (target, request = {}) => fetchStream(target, request, bounds),
    connect: (target) => connecting(target, openSocket),
    connectNode: (target) => connecting(target, openNodeSocket),
  };
}

type OpenSocket<T> = (allowlist: Allowlist, target: Target, signal: AbortSignal) => Promise<T>;

function noSocket(target: Target): BowireError {
  return new BowireError(
    "invalid_url",
    `cannot connect to ${place(target)}: no socket leads there`,
  );
}

function noSchema(): Promise<never> {
  const message = "cannot load a schema: none was added";
  return Promise.reject(new BowireError("file_failed", message));
}
