/**
 * `bowire allowlist show|permit`.
 *
 * @module
 */
import type { Command } from "commander";
import { allowlistPermit, allowlistShow } from "../../server/mod.ts";
import { ExitCode, type Session } from "../session.ts";
import { printTable } from "../table.ts";
import { addVerb } from "../tool_command.ts";

/** Adds the commands around the allowlist. */
export function addAllowlistCommands(program: Command, session: Session): void {
  const allowlist = program.command("allowlist").description(
    "Show or extend the list of URLs that agents may reach.",
  );

  addVerb(allowlist, allowlistShow, session, {
    usage: "show",
    summary:
      "Show the URLs that agents may reach, as `bowire mcp serve --allow-invoke` would have them.",
    hostOptions: () => ({ loadAllowlistFromTypedUrls: true }),
    show({ entries, ignored }, { terminal }) {
      if (entries.length === 0) terminal.print("The allowlist is empty: agents reach nothing.");
      printTable(terminal, entries.map(({ url, source }) => [url, source]));
      for (const { value, reason } of ignored) terminal.warn(`passed over "${value}": ${reason}`);
    },
  });

  addVerb(allowlist, allowlistPermit, session, {
    usage: "permit <url>",
    summary:
      "Remember a URL, so that `bowire mcp serve --allow-invoke` lets agents reach it and everything below.",
    without: ["url"],
    examples: ["bowire allowlist permit https://api.example.com/v1"],
    toInput: ({ positional: [url] }) => ({ url }),
    show({ url, addedToFile, note }, session) {
      if (note === undefined) {
        return session.terminal.print(
          addedToFile ? `permitted ${url}` : `${url} was permitted already`,
        );
      }
      session.terminal.warn(`not kept: the permission ${note}`);
      session.exitCode = ExitCode.failed;
    },
  });
}
