/**
 * Streams that would not end by themselves, and that end when a server does.
 *
 * @module
 */

/**
 * Whether the answer to a request is a stream of what may happen, rather than of what was asked for:
 * that of a GET (MCP 2025-11-25), or of `subscriptions/listen` (MCP 2026-07-28).
 */
export function isListening({ method, headers }: Request): boolean {
  return method === "GET" || headers.get("mcp-method") === "subscriptions/listen";
}

/** The same answer, whose body ends as if all were said once the signal aborts. */
export function endedBy(response: Response, signal: AbortSignal): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  let end = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      end = () => {
        controller.close();
        reader.cancel().catch(() => {}); // it failed by itself
      };
      if (signal.aborted) end();
      signal.addEventListener("abort", end, { once: true });
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (signal.aborted) return;
      if (!done) return controller.enqueue(value);
      signal.removeEventListener("abort", end);
      controller.close();
    },
    async cancel(reason) {
      signal.removeEventListener("abort", end);
      await reader.cancel(reason);
    },
  });
  return new Response(stream, { status, statusText, headers });
}
