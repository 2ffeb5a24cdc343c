// deno-lint-ignore-file no-console -- its output is what is read
/**
 * Clients that call one tool over HTTP for some seconds; prints how many calls a second were
 * answered, as JSON.
 *
 * Run: `deno run --allow-net=127.0.0.1 scripts/bench/forwarder/load.ts URL TOOL REVISION`
 *
 * @module
 */
import { INITIALIZE, MCP_HEADERS } from "../../../tests/fakes/mcp_requests.ts";

const WARM_MS = 2000;
const MEASURED_MS = 4000;
const CLIENTS = 8;

const [url = "", tool = "", revision = ""] = Deno.args;
const params = { name: tool, arguments: {} };
const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params };
const [headers, body] = revision === "2025-11-25"
  ? [await openSession(), JSON.stringify(call)]
  : [standing(), JSON.stringify({ ...call, params: { ...params, _meta: meta() } })];

await callFor(WARM_MS);
console.log(JSON.stringify({ rate: await callFor(MEASURED_MS) }));

async function callFor(durationMs: number): Promise<number> {
  const startedMs = performance.now();
  let calls = 0;
  const client = async () => {
    while (performance.now() - startedMs < durationMs) {
      const response = await fetch(url, { method: "POST", headers, body });
      const text = await response.text();
      if (!text.includes('"content"')) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
      calls++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return calls / ((performance.now() - startedMs) / 1000);
}

async function openSession(): Promise<Record<string, string>> {
  const init = { method: "POST", headers: MCP_HEADERS, body: JSON.stringify(INITIALIZE) };
  const response = await fetch(url, init);
  await response.text();
  return {
    ...MCP_HEADERS,
    "mcp-session-id": response.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": revision,
  };
}

function standing(): Record<string, string> {
  return {
    ...MCP_HEADERS,
    "mcp-protocol-version": revision,
    "mcp-method": "tools/call",
    "mcp-name": tool,
  };
}

function meta() {
  return {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
}
