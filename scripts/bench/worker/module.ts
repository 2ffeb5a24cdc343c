/**
 * The worker of the bench.
 *
 * @module
 */
import { serveDialer } from "../../../lib/sandbox/serve.ts";
import { candidates } from "./dialers.ts";

serveDialer(candidates);
