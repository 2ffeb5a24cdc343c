/**
 * Streams that would not end by themselves, and that end when a server does.
 *
 * @module
 */

/**
 * Whether an answer is a stream of what may happen, rather than of what was asked for: that of a GET
 * (MCP 2025-11-25), or of `subscriptions/listen` (MCP 2026-07-28).
 */
export function isListening({ method, headers }: Request, response: Response): boolean {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  return isStream && (method === "GET" || headers.get("mcp-method") === "subscriptions/listen");
}

/** The same answer, whose body ends as if all were said once the signal aborts. */
export function endedBy(response: Response, signal: AbortSignal): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  let end = () => {};
  const forget = () => signal.removeEventListener("abort", end);
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      end = () => controller.terminate();
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    },
    flush: forget,
    cancel: forget,
  });
  return new Response(body.pipeThrough(cut), { status, statusText, headers });
}
