// deno-lint-ignore-file no-console -- it says where it listens
/**
 * Serves the harbour office over MCP until it is stopped.
 *
 * Run: `deno run --allow-net=127.0.0.1 samples/mcp_target/main.ts [--port N]`
 *
 * @module
 */
import { parseArgs } from "node:util";
import { startMcpTarget } from "./server.ts";

const { values } = parseArgs({ args: Deno.args, options: { port: { type: "string" } } });
const { url } = startMcpTarget({ port: Number(values.port ?? 5190) });
console.log(`Harbour office takes MCP messages at ${url}`);
