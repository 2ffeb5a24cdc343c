/**
 * The worker that runs the built-in protocols behind Deno's net permission.
 *
 * @module
 */
import { serveDialer } from "../lib/sandbox/serve.ts";
import { plugins } from "./mod.ts";

serveDialer(plugins);
