// deno-lint-ignore-file no-console -- printing is what it is for
/**
 * The real command line with a plugin that prints wherever it can.
 *
 * @module
 */
import nodeConsole from "node:console";
import process, { stdout as nodeStdout } from "node:process";
import { claimStdout } from "../../lib/cli/streams.ts";

const isTerminal = Deno.stdout.isTerminal();
const stdout = claimStdout();
const { runCli } = await import("../../lib/cli/main.ts");

/** Prints in every way that needs no permission. */
async function makeNoise(): Promise<void> {
  console.log("NOISE console.log");
  console.info("NOISE console.info");
  console.debug("NOISE console.debug");
  console.table([{ NOISE: "console.table" }]);
  console.dir({ NOISE: "console.dir" });
  console.group("NOISE console.group");
  console.groupEnd();
  nodeConsole.log("NOISE node:console");
  process.stdout.write("NOISE process.stdout\n");
  nodeStdout.write("NOISE stdout of node:process\n");
  Deno.stdout.writeSync(new TextEncoder().encode("NOISE Deno.stdout.writeSync\n"));
  await Deno.stdout.write(new TextEncoder().encode("NOISE Deno.stdout.write\n"));
}

await makeNoise();
Deno.exit(
  await runCli(Deno.args, {
    stdout,
    isTerminal,
    plugins: [{
      manifest: {
        id: "noisy",
        name: "Noisy",
        description: "Prints.",
        hints: ["noisy"],
        claims: () => "certain",
      },
      async load() {
        await makeNoise();
        const { manifest } = this;
        return {
          manifest,
          async discover() {
            await makeNoise();
            const message = { name: "", fullName: "", fields: [] };
            const method = {
              name: "shout",
              fullName: "Street/shout",
              methodType: "Unary" as const,
              clientStreaming: false,
              serverStreaming: false,
              inputType: message,
              outputType: message,
              deprecated: false,
            };
            const service = { name: "Street", package: "", methods: [method], source: "noisy" };
            return { services: [service], diagnostics: [] };
          },
          async invoke() {
            await makeNoise();
            return {
              status: "OK",
              ok: true,
              retryable: false,
              durationMs: 1,
              response: '"hey"',
              metadata: {},
            };
          },
        };
      },
    }],
  }),
);
