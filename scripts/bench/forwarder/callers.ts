/**
 * Clients that call one tool of the fixture, with nothing between the clock and the wire.
 *
 * @module
 */
import { INITIALIZE, MCP_HEADERS } from "../../../tests/fakes/mcp_requests.ts";
import { McpSession } from "../adapter/session.ts";

/** The tool that is called, and a part of what it answers. */
const TOOL = "test_simple_text";
const ANSWER = "This is a simple text response for testing.";

/** Someone who calls. */
export interface Caller {
  /** @throws {Error} for another answer than that of the tool. */
  call(): Promise<void>;
}

/** A client over HTTP, with a session where the server gives one. */
export async function callOverHttp(url: string): Promise<Caller> {
  const opened = await post(url, INITIALIZE);
  await opened.text();
  const session = opened.headers.get("mcp-session-id");
  const headers = {
    "mcp-protocol-version": "2025-11-25",
    ...(session === null ? {} : { "mcp-session-id": session }),
  };
  const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
  await (await post(url, initialized, headers)).text();
  const params = { name: TOOL, arguments: {} };
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params };
  return {
    call: async () => check(await (await post(url, call, headers)).text()),
  };
}

function post(
  url: string,
  message: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { ...MCP_HEADERS, ...headers },
    body: JSON.stringify(message),
  });
}

/** A client over the standard input and output of a command. */
export async function callOverStdio(
  [command = "", ...args]: readonly string[],
): Promise<Caller & AsyncDisposable> {
  const session = new McpSession({ command, args, env: Deno.env.toObject() });
  await session.initialize();
  return {
    async call() {
      const { result } = await session.request("tools/call", { name: TOOL, arguments: {} });
      check(JSON.stringify(result));
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

function check(answer: string): void {
  if (!answer.includes(ANSWER)) throw new Error(`it answered ${answer.slice(0, 500)}`);
}
