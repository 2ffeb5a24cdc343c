// deno-lint-ignore-file no-console -- it says where it listens
/**
 * Serves the harbour until it is stopped.
 *
 * Run: `deno run --ignore-env --allow-read=samples/grpc_target --allow-net=127.0.0.1
 * samples/grpc_target/main.ts [--port N]`
 *
 * @module
 */
import { parseArgs } from "node:util";
import { startHarbour } from "./server.ts";

const { values } = parseArgs({ args: Deno.args, options: { port: { type: "string" } } });
const { url } = await startHarbour({ port: Number(values.port ?? 0) });
console.log(`Harbour listens on ${url}, by gRPC with reflection`);
