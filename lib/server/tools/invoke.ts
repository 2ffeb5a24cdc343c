/**
 * `bowire.invoke`.
 *
 * @module
 */
import { z } from "zod";
import { BowireError, messageOf } from "../../errors/mod.ts";
import { redactRecord } from "../../gate/mod.ts";
import { defineTool } from "../tool.ts";

/** Most characters of a response in one result, about 50,000 tokens. */
export const DEFAULT_MAX_RESPONSE_CHARS = 200_000;

/** Makes one unary call. */
export const invokeTool = defineTool({
  name: "bowire.invoke",
  title: "Call a method",
  description:
    "Call one unary method of an API and return its answer. Find service, method and fields with bowire.discover. " +
    "Without a description document, leave service empty and give an HTTP verb as method: the URL is then called as it is.",
  access: "call",
  input: z.strictObject({
    url: z.string().min(1).describe("Target URL, as given to bowire.discover"),
    service: z.string().describe("Service name; empty for a plain HTTP call"),
    method: z.string().min(1).describe("Method name, as discovered"),
    protocol: z.string().optional().describe(
      "Id of the protocol, when the URL alone does not tell",
    ),
    body: z.unknown().optional().meta({
      description:
        "The method's arguments: an object, or JSON text (text keeps numbers beyond 2^53 exact everywhere)",
      anyOf: [{ type: "object" }, { type: "array", items: { type: "object" } }, { type: "string" }],
    }),
    metadata: z.record(z.string(), z.string()).optional().describe("Request headers"),
    timeoutMs: z.number().int().min(1).max(600_000).optional().describe(
      "Time limit in milliseconds (default 30000)",
    ),
    validate: z.boolean().optional().describe(
      "Whether arguments that break the method's schema are refused unsent (default true)",
    ),
    maxResponseChars: z.number().int().min(1).optional().describe(
      `Cut the response after so many characters (default ${DEFAULT_MAX_RESPONSE_CHARS})`,
    ),
  }),
  output: z.object({
    protocol: z.string(),
    service: z.string(),
    method: z.string(),
    status: z.string().describe("OK, or the name of what went wrong"),
    durationMs: z.number(),
    response: z.string().nullable().describe("The answer, JSON as text; null when empty or binary"),
    responseBinary: z.string().optional().describe(
      "The answer's bytes in base64 when they are not text",
    ),
    metadata: z.record(z.string(), z.string()).describe("Response headers and protocol notes"),
    retryable: z.boolean().describe("Whether the same call may succeed later"),
    truncated: z.boolean(),
    error: z.object({
      code: z.string(),
      message: z.string(),
      retryable: z.boolean(),
      hint: z.string().optional(),
    }).optional(),
  }),
  isFailure: ({ error }) => error !== undefined,
  async run(host, input, signal) {
    const { url, service, method, protocol, metadata, timeoutMs, validate } = input;
    const { protocol: used, invocation } = await host.caller.invoke({
      url,
      service,
      method,
      messages: [toMessage(input.body)],
      protocol,
      metadata,
      timeoutMs,
      validate,
    }, signal);
    const { status, ok, retryable, durationMs, response, responseBinary, hint } = invocation;
    const cut = cutTo(
      response,
      responseBinary,
      input.maxResponseChars ?? DEFAULT_MAX_RESPONSE_CHARS,
    );
    return {
      protocol: used,
      service,
      method,
      status,
      durationMs,
      ...cut,
      metadata: redactRecord(invocation.metadata),
      retryable,
      ...(ok ? {} : {
        error: {
          code: "call_failed",
          message: `the target answered ${status}`,
          retryable,
          ...(hint === undefined ? {} : { hint }),
        },
      }),
    };
  },
});

/** Arguments as JSON text: text is taken as it is, so that its numbers stay exact. */
function toMessage(body: unknown): string {
  if (body === undefined || body === null || body === "") return "{}";
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

function cutTo(response: string | null, binary: string | undefined, maxChars: number) {
  const isLong = (response ?? binary ?? "").length > maxChars;
  return {
    response: response === null ? null : response.slice(0, maxChars),
    // A piece of base64 is of no use to anybody.
    ...(binary === undefined || isLong ? {} : { responseBinary: binary }),
    truncated: isLong,
  };
}
