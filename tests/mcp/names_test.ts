import { ok, strictEqual } from "node:assert/strict";
import { wireName } from "../../lib/mcp/names.ts";
import { isSameName, type ToolNameStyle } from "../../lib/mcp/mod.ts";

const CASES: readonly (readonly [style: ToolNameStyle, client: string, isDotted: boolean])[] = [
  ["auto", "", true],
  ["auto", "mcp-inspector", true],
  ["auto", "my-claude-like-client", true],
  ["auto", "claude-code", false],
  ["auto", "Claude Desktop", false],
  ["auto", "Visual Studio Code", false],
  ["auto", "cursor-vscode", false],
  ["auto", "GitHub Copilot", false],
  ["dotted", "claude-code", true],
  ["underscore", "mcp-inspector", false],
  ["underscore", "", false],
];

for (const [style, client, isDotted] of CASES) {
  Deno.test(`wireName in style ${style} for the client "${client}"`, () => {
    strictEqual(
      wireName("bowire.allowlist.show", style, client),
      isDotted ? "bowire.allowlist.show" : "bowire_allowlist_show",
    );
  });
}

Deno.test("isSameName takes dots and underscores, and nothing else", () => {
  ok(isSameName("bowire.allowlist.show", "bowire.allowlist.show"));
  ok(isSameName("bowire_allowlist_show", "bowire.allowlist.show"));
  for (const other of ["bowire.allowlist_show", "Bowire.allowlist.show", "bowire", ""]) {
    strictEqual(isSameName(other, "bowire.allowlist.show"), false, other);
  }
});
