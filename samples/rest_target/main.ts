// deno-lint-ignore-file no-console -- it says where it listens
/**
 * Serves the harbour until it is stopped.
 *
 * Run: `deno run --allow-net=127.0.0.1 samples/rest_target/main.ts [--port N]`
 *
 * @module
 */
import { parseArgs } from "node:util";
import { startRestTarget } from "./server.ts";

const { values } = parseArgs({ args: Deno.args, options: { port: { type: "string" } } });
const { url } = startRestTarget({ port: Number(values.port ?? 0) });
console.log(`Harbour listens on ${url}, its document is at ${url}/openapi.json`);
