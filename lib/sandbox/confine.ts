/**
 * What a worker gives up before it loads any plugin or package: standard input and output, which
 * belong to the MCP conversation, and the environment, which many libraries read when they are
 * loaded. What they print goes to standard error.
 *
 * Imported first, for what it does.
 *
 * @module
 */
import { Console } from "node:console";
import { closeSync } from "node:fs";
import process from "node:process";

Object.defineProperty(process, "env", { value: Object.create(null), configurable: true });
Object.defineProperty(process, "stdout", { get: () => process.stderr, configurable: true });
Object.defineProperty(Deno, "stdout", { value: Deno.stderr, configurable: true });
Object.assign(globalThis.console, new Console(process.stderr, process.stderr));

// Their numbers are this thread's own: the main thread's streams stay open.
closeSync(0);
closeSync(1);
