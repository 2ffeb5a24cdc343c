/**
 * Bowire among the programs that make tools of an OpenAPI document. It is given a URL, and discovers
 * the document there.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import type { McpCommand } from "../../../tests/peers/mcp_peers.ts";
import { bundle } from "../../bundle.ts";
import type { AdapterPeer, Upstream } from "./peers.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Where Deno keeps the packages that a program from source imports. */
const DENO_DIR = await denoDir();

/** From source and bundled with each method as a tool, and with a search in their place. */
export const BOWIRE: readonly AdapterPeer[] = [
  {
    name: "bowire, bundled",
    async prepare(upstream, folder) {
      const bundled = `${folder}/bundle`;
      await bundle(bundled);
      const flags = ["--no-config", "--unstable-worker-options", "--unstable-no-legacy-abort"];
      return command([...flags, ...permissions(folder), `${bundled}/main.js`], {
        upstream,
        folder,
        tools: "all",
      });
    },
  },
  fromSource("bowire, TypeScript", "all"),
  { ...fromSource("bowire, search", "auto"), isSearch: true },
];

function fromSource(name: string, tools: "all" | "auto"): AdapterPeer {
  return {
    name,
    prepare: (upstream, folder) =>
      Promise.resolve(
        command(["--cached-only", ...permissions(folder), `${ROOT}main.ts`], {
          upstream,
          folder,
          tools,
        }),
      ),
  };
}

function permissions(folder: string): string[] {
  return [
    "--no-prompt",
    "--ignore-env",
    "--allow-env=BOWIRE_*,HOME,USERPROFILE",
    "--allow-read",
    `--allow-write=${folder}`,
    "--allow-net",
  ];
}

function command(
  program: readonly string[],
  { upstream, folder, tools }: { upstream: Upstream; folder: string; tools: "all" | "auto" },
): McpCommand {
  const { documentUrl, baseUrl } = upstream;
  return {
    command: Deno.execPath(),
    args: [
      ...["run", ...program, "--url", documentUrl, "--allow-url", baseUrl],
      ...["--enable-mcp-adapter", "--bind", "stdio", "--tools", tools],
    ],
    env: { DENO_DIR, BOWIRE_DATA_DIR: `${folder}/home` },
  };
}

async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(stdout));
  return String(denoDir);
}
