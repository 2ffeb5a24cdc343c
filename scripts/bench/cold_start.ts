// deno-lint-ignore-file no-console -- a bench prints its table
/**
 * Cold start over stdio: from spawning the process to the answer to `initialize`. Bowire from
 * TypeScript and bundled, side by side with the MCP project's own example server under Node, taken
 * in turns in one run. Aims: 150 ms from TypeScript, 100 ms bundled.
 *
 * Run: `deno task bench` (installs the example server first)
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { NODE, SERVER_EVERYTHING } from "../../tests/peers/peers.ts";
import { bundle } from "../bundle.ts";
import { median } from "./numbers.ts";

const ROUNDS = 21;
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
});

const root = fileURLToPath(new URL("../..", import.meta.url));
const home = await Deno.makeTempDir();
await bundle(`${home}/bundle`);
const permissions = [
  "--no-prompt",
  "--ignore-env",
  "--allow-env=BOWIRE_*,HOME,USERPROFILE",
  `--allow-read=${home}`,
  `--allow-write=${home}`,
  "--allow-net",
];
const candidates: readonly { name: string; command: string; args: string[] }[] = [
  {
    name: "bowire, TypeScript",
    command: Deno.execPath(),
    args: ["run", "--cached-only", ...permissions, `${root}main.ts`, "mcp", "serve"],
  },
  {
    name: "bowire, bundled",
    command: Deno.execPath(),
    args: [
      "run",
      "--no-config",
      ...permissions,
      `${home}/bundle/main.js`,
      "mcp",
      "serve",
    ],
  },
  {
    name: "server-everything, Node",
    command: NODE,
    args: [SERVER_EVERYTHING, "stdio"],
  },
];

const times = new Map<string, number[]>(candidates.map(({ name }) => [name, []]));
for (let round = 0; round <= ROUNDS; round++) {
  for (const { name, command, args } of candidates) {
    const elapsedMs = await measure(command, args);
    if (round > 0) times.get(name)?.push(elapsedMs); // the first round fills the caches
  }
}
await Deno.remove(home, { recursive: true });

const reference = median(times.get("server-everything, Node") ?? []);
console.log(`cold start to the initialize answer over stdio, ${ROUNDS} rounds in turns\n`);
console.log(
  `${"".padEnd(26)}${"min".padStart(9)}${"median".padStart(9)}${"max".padStart(9)}   ratio`,
);
for (const [name, values] of times) {
  const [min, mid, max] = [Math.min(...values), median(values), Math.max(...values)].map((ms) =>
    `${ms.toFixed(0)} ms`.padStart(9)
  );
  console.log(`${name.padEnd(26)}${min}${mid}${max}   ${(median(values) / reference).toFixed(2)}`);
}

async function measure(command: string, args: string[]): Promise<number> {
  const start = performance.now();
  const child = new Deno.Command(command, {
    args,
    env: { BOWIRE_DATA_DIR: home },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(`${INITIALIZE}\n`));
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const elapsedMs = performance.now() - start;
  if (!new TextDecoder().decode(value).includes('"serverInfo"')) {
    throw new Error(`${command} did not answer initialize`);
  }
  await writer.close();
  reader.releaseLock();
  await child.stdout.cancel();
  await child.status;
  return elapsedMs;
}
