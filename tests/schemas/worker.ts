/** Runs the plugins of these tests. */
import { serveDialer } from "../../lib/sandbox/serve.ts";
import { plugins } from "./desk.ts";

serveDialer(plugins);
