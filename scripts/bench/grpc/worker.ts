/**
 * The worker of the bench: the built-in plugins, and one that tells how much memory it holds.
 *
 * @module
 */
import { serveDialer } from "../../../lib/sandbox/serve.ts";
import { candidates } from "./plugins.ts";

serveDialer(candidates);
