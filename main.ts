/**
 * The executable: arguments in, exit code out. As a module it is the library.
 *
 * @module
 */
export * from "./mod.ts";

if (import.meta.main) {
  const { claimStdout } = await import("./lib/cli/streams.ts");
  // Before anything else can print: over stdio, one stray line ends the conversation.
  const isTerminal = Deno.stdout.isTerminal();
  const stdout = claimStdout();
  const { runCli } = await import("./lib/cli/main.ts");
  const { plugins, worker } = await import("./plugins/mod.ts");
  Deno.exit(await runCli(Deno.args, { stdout, isTerminal, plugins, worker }));
}
