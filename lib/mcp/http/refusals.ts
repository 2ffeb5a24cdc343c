/**
 * Requests by HTTP that are answered without any message being looked at.
 *
 * @module
 */

/** An answer with a status of HTTP and an error of JSON-RPC, to nobody by name. */
export function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}

/** The answer to whoever shows the id of a session that is not theirs, or not open any more. */
export function sessionNotFound(): Response {
  return refusal(404, -32001, "Session not found: initialize again");
}
