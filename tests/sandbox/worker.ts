/** Runs the plugins of the tests. */
import { serveDialer } from "../../lib/sandbox/serve.ts";
import { plugins } from "./plugins.ts";

serveDialer(plugins);
