/**
 * A visit of Azure's MCP server, of the SDK for .NET, as somebody without a login.
 *
 * @module
 */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { AZURE, azureServer } from "../large_mcp_peers.ts";
import { folderOfOwn, openVisit } from "./mcp.ts";
import type { Tour } from "./visit.ts";

/** The visit. */
export const azureTour: Tour = {
  name: "Azure",
  needs: Object.values(AZURE),
  packages: [],
  async run(tally) {
    await using folder = await folderOfOwn();
    const expected = { revision: "2025-11-25", tools: 61 };
    await using visit = await openVisit(tally, azureServer(folder.path), expected);
    const { call } = visit;
    const practices = (parameters: Record<string, string>) => ({
      intent: "read",
      command: "get_azure_bestpractices_get",
      parameters,
    });
    const general = practices({ resource: "general", action: "code-generation" });
    await call("get_azure_bestpractices", general, ({ isError, text }) => {
      const { status, results } = JSON.parse(text);
      deepStrictEqual([isError, status, results.length], [false, 200, 1]);
    });
    const unknown = practices({ resource: "ships", action: "all" });
    await call("get_azure_bestpractices", unknown, ({ isError, text }) => {
      deepStrictEqual([isError, JSON.parse(text).status], [true, 400]);
    });
    // What a login would be needed for ends before it.
    await call("group_list", {}, ({ isError, text }) => {
      strictEqual(isError, true);
      match(text, /Missing Required options: --subscription/);
    }, { validate: false });
  },
};
