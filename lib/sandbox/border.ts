/**
 * What crosses the border between the main thread and the worker that runs the plugins: plain data,
 * by structured clone.
 *
 * @module
 */
import { BowireError, type ErrorCode } from "../errors/mod.ts";
import type { Frame, Progress, TargetQuestion } from "../model/mod.ts";
import type {
  Ambient,
  Call,
  DescribeAllRequest,
  DescribeRequest,
  DiscoverRequest,
  SchemaRef,
  SchemaRequest,
} from "../protocol/mod.ts";

/** A request without its target, which crosses as a URL and is admitted again inside. */
type Crossing<Request> = Omit<Request, "target">;

/** What is asked of a protocol. */
export type Question =
  | { readonly operation: "discover"; readonly request: Crossing<DiscoverRequest> }
  | { readonly operation: "describe"; readonly request: Crossing<DescribeRequest> }
  | { readonly operation: "describeAll"; readonly request: Crossing<DescribeAllRequest> }
  | { readonly operation: "readSchema"; readonly request: Crossing<SchemaRequest> }
  | { readonly operation: "invoke" | "subscribe"; readonly request: Crossing<Call> };

/** One call as it crosses. */
export type Order = Question & {
  /** Id of the protocol. */
  readonly protocol: string;
  /** Canonical, with the hint. */
  readonly url: string;
  /** For the whole call, in milliseconds. */
  readonly timeoutMs: number;
  /** The same where the target shows signs of life. */
  readonly maxTimeoutMs: number | undefined;
  /** When the call began, by the wall clock: each thread's own clock has a zero of its own. */
  readonly startedAtMs: number;
  readonly ambient: Ambient | undefined;
  /** The schemas that were added for the target. */
  readonly schemas: readonly SchemaRef[];
};

/** What a plugin may have done by the main thread. */
export type Favour = "readFile" | "listFiles" | "loadSchema" | "lookup";

/** What somebody waits for, each with a number of its own. */
export type Request =
  | { readonly favour: Favour; readonly argument: string }
  /** Of the call with this id. */
  | { readonly favour: "question"; readonly call: number; readonly question: TargetQuestion };

/** From the main thread to the worker. */
export type Inbound =
  /** Entries that the allowlist has got; all of them in the first message. */
  | { readonly kind: "allow"; readonly urls: readonly string[]; readonly arbitrary: boolean }
  | { readonly kind: "call"; readonly id: number; readonly order: Order }
  /** The next frame is wanted. */
  | { readonly kind: "more"; readonly id: number }
  | { readonly kind: "abort"; readonly id: number }
  | { readonly kind: "answer"; readonly id: number; readonly outcome: Outcome }
  | { readonly kind: "ping" }
  /** Let go of everything: the worker is about to be ended. */
  | { readonly kind: "close" };

/** From the worker to the main thread. */
export type Outbound =
  | { readonly kind: "ready" }
  /** `memo` marks a value that is kept: the next time it crosses as its number alone. */
  | { readonly kind: "done"; readonly id: number; readonly outcome: Outcome; readonly memo?: Memo }
  | { readonly kind: "frame"; readonly id: number; readonly frame: Frame }
  | { readonly kind: "progress"; readonly id: number; readonly progress: Progress }
  | { readonly kind: "ask"; readonly id: number } & Request
  /** All protocols have said their last word. */
  | { readonly kind: "closed" }
  /** What nobody caught, in words for the log. After an exception the worker is of no more use. */
  | { readonly kind: "uncaught"; readonly text: string; readonly isFatal: boolean }
  | { readonly kind: "pong"; readonly memoryBytes: number };

/** The number of a large value, and the one that is forgotten in its favour. */
export interface Memo {
  readonly number: number;
  readonly forget?: number | undefined;
}

/** How something ended. */
export type Outcome = { readonly value: unknown } | { readonly error: PlainError };

/** An error as data: an expected one with all its parts, or a defect for the log. */
export type PlainError =
  | {
    readonly code: ErrorCode;
    readonly message: string;
    readonly hint: string | undefined;
    readonly details: Readonly<Record<string, unknown>> | undefined;
    readonly retryable: boolean;
  }
  | { readonly stack: string };

/** Takes apart whatever was thrown. */
export function toPlainError(thrown: unknown): PlainError {
  try {
    if (!(thrown instanceof BowireError)) return { stack: textOf(thrown) };
    const { code, message, hint, details, retryable } = thrown;
    return { code, message, hint, details, retryable };
  } catch {
    return { stack: textOf(thrown) }; // it only seems to be one
  }
}

/** Whatever was thrown in words, where it was thrown included. */
export function textOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.stack ?? thrown.message : thrown);
  } catch {
    return "something without words was thrown";
  }
}

/** Puts an error together again. */
export function fromPlainError(plain: PlainError): Error {
  if ("stack" in plain) {
    const error = new Error("a plugin broke");
    error.stack = plain.stack;
    return error;
  }
  const { code, message, hint, details, retryable } = plain;
  return new BowireError(code, message, {
    retryable,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  });
}

/** The value of an outcome, or its error thrown. */
export function unwrap(outcome: Outcome): unknown {
  if ("error" in outcome) throw fromPlainError(outcome.error);
  return outcome.value;
}

/** Runs something and notes how it ended. */
export async function outcomeOf(run: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await run() };
  } catch (thrown) {
    return { error: toPlainError(thrown) };
  }
}
