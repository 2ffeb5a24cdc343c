import { deepStrictEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier?: string };
    readonly isDynamic?: boolean;
  }[];
}

/** The modules that are loaded before the command line runs, by their paths from the root. */
async function loadedAtStart(): Promise<string[]> {
  const root = new URL("../../", import.meta.url);
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "lib/cli/main.ts"],
    cwd: fileURLToPath(root),
    stderr: "null",
  }).output();
  ok(success);
  const { modules }: { modules: Module[] } = JSON.parse(new TextDecoder().decode(stdout));
  const known = new Map(modules.map((module) => [module.specifier, module]));
  const loaded = new Set([new URL("lib/cli/main.ts", root).href]);
  for (const specifier of loaded) {
    for (const { code, isDynamic } of known.get(specifier)?.dependencies ?? []) {
      if (code?.specifier !== undefined && isDynamic !== true) loaded.add(code.specifier);
    }
  }
  return [...loaded].map((specifier) => specifier.replace(root.href, ""));
}

Deno.test("the command line starts without what only some commands take", async () => {
  const loaded = await loadedAtStart();
  ok(loaded.includes("lib/cli/commands/open.ts"));
  const late = /@modelcontextprotocol|minisearch|hono|re2js|lib\/(?:http|adapted)|lib\/mcp\/mod/;
  deepStrictEqual(loaded.filter((module) => late.test(module)), []);
});
