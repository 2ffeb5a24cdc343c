/**
 * A small MCP server to explore: tools, resources and prompts of a harbour office, over streamable
 * HTTP in every revision of the protocol.
 *
 * @module
 */
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

/** A running target; disposing it stops the listener. */
export interface McpTarget extends AsyncDisposable {
  /** The URL at which it takes messages. */
  readonly url: string;
}

const RULES = "Keep to the right. Three knots at most.";

/**
 * Starts the server on 127.0.0.1.
 *
 * @param options.port 0 takes a free one. @default 0
 */
export function startMcpTarget(options: { readonly port?: number } = {}): McpTarget {
  const handler = createMcpHandler(createServer);
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: options.port ?? 0,
    onListen: () => {},
    handler: (request) =>
      new URL(request.url).pathname === "/mcp"
        ? handler.fetch(request)
        : new Response("MCP is at /mcp", { status: 404 }),
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    async [Symbol.asyncDispose]() {
      await handler.close();
      await server.shutdown();
    },
  };
}

/** One a request, as the protocol wants it. */
function createServer(): McpServer {
  const server = new McpServer({ name: "harbour-office", version: "1.0.0" });
  server.registerTool("echo", {
    title: "Echo",
    description: "Says what it was told.",
    inputSchema: z.object({ text: z.string() }),
    annotations: { readOnlyHint: true },
  }, ({ text }) => ({ content: [{ type: "text", text }] }));
  server.registerTool("add", {
    title: "Add",
    description: "Adds two integers.",
    inputSchema: z.object({ a: z.number().int(), b: z.number().int() }),
    outputSchema: z.object({ sum: z.number().int() }),
    annotations: { readOnlyHint: true, idempotentHint: true },
  }, ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
    structuredContent: { sum: a + b },
  }));
  server.registerTool(
    "moor",
    {
      description: "Finds a berth for a ship, or says that there is none.",
      inputSchema: z.object({ name: z.string(), lengthM: z.number().positive() }),
      annotations: { destructiveHint: false },
    },
    ({ name, lengthM }) =>
      lengthM > 200
        ? {
          content: [{ type: "text", text: `no berth is long enough for ${name}` }],
          isError: true,
        }
        : { content: [{ type: "text", text: `${name} lies at berth 7` }] },
  );
  server.registerResource("rules", "harbour://rules", {
    title: "Rules of the harbour",
    mimeType: "text/plain",
  }, (uri) => ({ contents: [{ uri: uri.href, mimeType: "text/plain", text: RULES }] }));
  server.registerPrompt("greet", {
    description: "A greeting for a captain.",
    argsSchema: z.object({ captain: z.string() }),
  }, ({ captain }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Greet Captain ${captain}.` } }],
  }));
  return server;
}
