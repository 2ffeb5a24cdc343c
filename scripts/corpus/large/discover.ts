// deno-lint-ignore-file no-console -- a program speaks on the terminal
/**
 * Discovers a document twice in one process and prints what it took, as JSON.
 *
 * Run: `deno run --allow-net=127.0.0.1 discover.ts URL`
 *
 * @module
 */
import { resourceUsage } from "node:process";
import { Allowlist } from "../../../lib/gate/mod.ts";
import { createContext } from "../../../lib/protocol/mod.ts";
import { createRest } from "../../../plugins/rest/plugin.ts";

const [url = ""] = Deno.args;
const allowlist = new Allowlist();
allowlist.permit(url, "option");
const rest = createRest();

const cold = await discover();
const coldMib = resourceUsage().maxRSS / 1024;
const again = await discover();
console.log(
  JSON.stringify({
    methods: cold.methods,
    coldMs: cold.elapsedMs,
    coldMib,
    againMs: again.elapsedMs,
  }),
);

async function discover(): Promise<{ methods: number; elapsedMs: number }> {
  const startedMs = performance.now();
  const { services } = await rest.discover(
    { target: allowlist.admit(url), metadata: {}, showInternal: false },
    createContext(allowlist, new AbortController().signal),
  );
  const elapsedMs = performance.now() - startedMs;
  const methods = services.flatMap((service) => service.methods)
    .filter(({ isIncoming }) => isIncoming !== true).length;
  return { methods, elapsedMs };
}
