import { deepStrictEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("vanishing.ts", import.meta.url));
/**
 * Most files that are open after 2,000 clients. Fifty were there at once, and of each connection to
 * the parent, which is kept for a while, this process has both ends.
 */
const MAX_FILES = 400;
/** How much more memory than after the first round may be in use after the last. */
const MAX_MORE_BYTES = 2 * 1024 * 1024;

for (
  const [role, what] of [["server", "a server of sessions"], ["forwarder", "a forwarder"]] as const
) {
  Deno.test({
    name: `C62 ${what} is as it was after each 500 clients that vanish`,
    ignore: Deno.build.os !== "linux", // where open files can be counted
    async fn() {
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--cached-only", "--quiet", "-A", "--v8-flags=--expose-gc", PROGRAM, role],
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      deepStrictEqual([code, text(stderr)], [0, ""]);
      const rounds = JSON.parse(text(stdout));
      const [first, last] = [rounds[0], rounds.at(-1)];
      ok(last.openFiles <= MAX_FILES, text(stdout));
      ok(last.heapBytes <= first.heapBytes + MAX_MORE_BYTES, text(stdout));
    },
  });
}
