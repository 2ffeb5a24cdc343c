/**
 * MCP over HTTP, request by request, without an SDK.
 *
 * @module
 */

/** The headers that every MCP request has. */
export const MCP_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** The body of an `initialize` request. */
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw client", version: "1.0" },
  },
};

/** An answer that was read. */
export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON-RPC message in it. */
  // deno-lint-ignore no-explicit-any -- tests assert on its parts
  readonly message: any;
}

/** Posts a body: text as it is, anything else as JSON. */
export async function post(
  url: string,
  body: unknown,
  { headers = {}, client }: { headers?: Record<string, string>; client?: Deno.HttpClient } = {},
): Promise<Posted> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...MCP_HEADERS, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(client === undefined ? {} : { client }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, message: messageIn(text) };
}

function messageIn(text: string): unknown {
  const data = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
  return data.startsWith("{") ? JSON.parse(data) : undefined;
}
