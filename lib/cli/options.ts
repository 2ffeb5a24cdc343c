/**
 * Options that several commands share.
 *
 * @module
 */
import { InvalidArgumentError, Option } from "commander";
import type { SandboxMode } from "../sandbox/mod.ts";

const SANDBOX_MODES: readonly SandboxMode[] = ["auto", "worker", "none"];

/** The repeatable header option. */
export function headerOption(): Option {
  return new Option("-H, --header <name:value>", "send a header or metadata entry (repeatable)")
    .argParser(
      (text: string, known: Record<string, string> = {}) => {
        const colon = text.indexOf(":");
        if (colon < 1) throw new InvalidArgumentError('write it as "Name: value".');
        return { ...known, [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() };
      },
    );
}

/** The headers that were given. */
export function collectHeaders(
  { options: { header } }: { readonly options: Readonly<Record<string, unknown>> },
): Record<string, string> {
  return header !== null && typeof header === "object" ? { ...header } : {};
}

/** The repeatable option that admits URLs beside the one that is called. */
export function allowUrlOption(): Option {
  return new Option(
    "--allow-url <url>",
    "also let the call go to this URL: redirects, servers of a document (repeatable)",
  ).argParser((url: string, known: string[] = []) => [...known, url]);
}

/** The option that says where plugins run. */
export function sandboxOption(): Option {
  return new Option(
    "--sandbox <mode>",
    "run protocols in a worker that Deno lets reach only what is allowed; auto: where it can",
  ).choices(SANDBOX_MODES).default("auto");
}

/** The sandbox mode that was given. The executable always has what a worker takes. */
export function sandboxIn({ sandbox }: Readonly<Record<string, unknown>>): SandboxMode {
  const given = SANDBOX_MODES.find((mode) => mode === sandbox) ?? "auto";
  return given === "auto" && Deno.build.standalone ? "worker" : given;
}
