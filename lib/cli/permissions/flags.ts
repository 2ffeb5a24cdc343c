/**
 * Needs in the words of `deno run` and of `deno.json`.
 *
 * @module
 */
import type { Needs } from "./needs.ts";

/** Whether a value can stand in a flag: a comma would end it there. */
export function isFlagValue(value: string): boolean {
  return !value.includes(",");
}

/** The flags for `deno run`, one an element, not quoted. */
export function flagsOf({ net, denyNet, read, write, env, run, unstable }: Needs): string[] {
  return [
    "--no-prompt",
    "--ignore-env",
    ...listFlag("--allow-env", env),
    ...listFlag("--allow-read", read),
    ...listFlag("--allow-write", write),
    ...net === "all" ? ["--allow-net"] : listFlag("--allow-net", net),
    ...listFlag("--deny-net", denyNet),
    ...listFlag("--allow-run", run),
    ...unstable.map((feature) => `--unstable-${feature}`),
  ];
}

function listFlag(flag: string, values: readonly string[]): string[] {
  const sayable = values.filter(isFlagValue);
  return sayable.length === 0 ? [] : [`${flag}=${sayable.join(",")}`];
}

/** A flag as one word of a POSIX shell; `isTyped` also when it is not the output of a command. */
export function quoteFlag(flag: string, isTyped: boolean): string {
  // Shells look for files that match what is typed, and some refuse it when there is none.
  const plain = isTyped ? /^[\w@%+=:,./-]*$/ : /^[\w@%+=:,./*[\]-]*$/;
  return plain.test(flag) ? flag : `'${flag.replaceAll("'", `'\\''`)}'`;
}

/** The members of a `deno.json` for `deno run -P=bowire`. */
export function denoJsonOf({ net, denyNet, read, write, env, run, unstable }: Needs) {
  const allowed = net === "all" ? true : net;
  return {
    unstable,
    permissions: {
      bowire: {
        env,
        read,
        write,
        ...(run.length === 0 ? {} : { run }),
        net: denyNet.length === 0 ? allowed : { allow: allowed, deny: denyNet },
      },
    },
  };
}
