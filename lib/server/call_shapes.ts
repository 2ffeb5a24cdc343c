/**
 * What the tools that call a method have in common: their arguments, and how they tell of a failure.
 *
 * @module
 */
import * as z from "zod";
import type { InvokeRequest } from "../call/mod.ts";
import { BowireError, messageOf } from "../errors/mod.ts";
import type { Invocation } from "../model/mod.ts";

/** The arguments that say what is called, and with what. */
export const callArguments = {
  url: z.string().min(1).describe("Target URL, as given to bowire.discover"),
  service: z.string().describe("Service name; empty for a plain HTTP call"),
  method: z.string().min(1).describe("Method name, as discovered"),
  protocol: z.string().optional().describe("Id of the protocol, when the URL alone does not tell"),
  body: z.unknown().optional().meta({
    description:
      "The method's arguments: an object, or JSON text (text keeps numbers beyond 2^53 exact everywhere). " +
      "For client-streaming and duplex methods, an array is the sequence of messages",
    anyOf: [{ type: "object" }, { type: "array", items: { type: "object" } }, { type: "string" }],
  }),
  metadata: z.record(z.string(), z.string()).optional().describe("Request headers"),
  validate: z.boolean().optional().describe(
    "Whether arguments that break the method's schema are refused unsent (default true)",
  ),
};

const callInput = z.object(callArguments);

/** A failure of the target, or on the way to it, as part of a result. */
export const callError = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  hint: z.string().optional(),
});

/**
 * The call that the arguments describe.
 *
 * @throws {BowireError} `invalid_argument` when the body is text but not JSON.
 */
export function requestOf(
  { url, service, method, protocol, body, metadata, validate }: z.output<typeof callInput>,
): InvokeRequest {
  const isAbsent = body === undefined || body === null || body === "";
  const messages = isAbsent ? [] : [toMessage(body)];
  return { url, service, method, protocol, messages, metadata, validate };
}

/** What an error status is told as; `undefined` when the target did what was asked. */
export function failureOf(
  { ok, status, retryable, hint }: Pick<Invocation, "ok" | "status" | "retryable" | "hint">,
): z.output<typeof callError> | undefined {
  if (ok) return undefined;
  const message = `the target answered ${status}`;
  return { code: "call_failed", message, retryable, ...(hint === undefined ? {} : { hint }) };
}

/** Arguments as JSON text: text is taken as it is, so that its numbers stay exact. */
function toMessage(body: unknown): string {
  if (typeof body !== "string") return JSON.stringify(body);
  try {
    JSON.parse(body);
    return body;
  } catch (error) {
    throw new BowireError(
      "invalid_argument",
      `cannot use "body": it is not JSON (${messageOf(error)})`,
      {
        hint: 'pass an object, or JSON text such as {"id": 1}; a plain text needs quotes around it',
      },
    );
  }
}
