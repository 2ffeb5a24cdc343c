/**
 * `bowire.invoke`.
 *
 * @module
 */
import * as z from "zod";
import { redactRecord } from "../../gate/mod.ts";
import { callArguments, callError, failureOf, requestOf } from "../call_shapes.ts";
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
    ...callArguments,
    timeoutMs: z.number().int().min(1).max(600_000).optional().describe(
      "Time limit in milliseconds (default 30000)",
    ),
    maxTimeoutMs: z.number().int().min(1).max(3_600_000).optional().describe(
      "The same when the API tells its progress, which begins the other anew (default 600000)",
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
    error: callError.optional(),
  }),
  isFailure: ({ error }) => error !== undefined,
  async run(host, input, { signal, report }) {
    const { service, method, timeoutMs, maxTimeoutMs } = input;
    const request = { ...requestOf(input), timeoutMs, maxTimeoutMs, onProgress: report };
    const { protocol, invocation } = await host.caller.invoke(request, signal);
    const { status, retryable, durationMs, response, responseBinary } = invocation;
    const error = failureOf(invocation);
    const cut = cutTo(
      response,
      responseBinary,
      input.maxResponseChars ?? DEFAULT_MAX_RESPONSE_CHARS,
    );
    return {
      protocol,
      service,
      method,
      status,
      durationMs,
      ...cut,
      metadata: redactRecord(invocation.metadata),
      retryable,
      ...(error === undefined ? {} : { error }),
    };
  },
});

function cutTo(response: string | null, binary: string | undefined, maxChars: number) {
  const isLong = (response ?? binary ?? "").length > maxChars;
  return {
    response: response === null ? null : response.slice(0, maxChars),
    // A piece of base64 is of no use to anybody.
    ...(binary === undefined || isLong ? {} : { responseBinary: binary }),
    truncated: isLong,
  };
}
