/**
 * A visit of MCP Toolbox, over stdio and over HTTP: a server of no SDK, in two revisions.
 *
 * @module
 */
import { match, strictEqual } from "node:assert/strict";
import { startToolbox, TOOLBOX, toolboxServer } from "../large_mcp_peers.ts";
import { folderOfOwn, type McpWay, openVisit } from "./mcp.ts";
import type { Tally, Tour } from "./visit.ts";

/** The visit. */
export const toolboxTour: Tour = {
  name: "Toolbox",
  needs: Object.values(TOOLBOX),
  packages: [],
  async run(tally) {
    await using folder = await folderOfOwn();
    await visitBy(tally, await toolboxServer(folder.path));
    await using peer = await startToolbox();
    await visitBy(tally, { url: peer.mcpUrl });
  },
};

async function visitBy(tally: Tally, way: McpWay): Promise<void> {
  // It speaks both; over stdio the older is asked for first.
  const revision = "url" in way ? "2026-07-28" : "2025-11-25";
  await using visit = await openVisit(tally, way, { revision, tools: 2 });
  const { call } = visit;
  await call("find_ship", { name: "Bö" }, ({ text }) => {
    // 2^53 + 1, which a double cannot hold.
    strictEqual(text, '{"id":9007199254740993,"name":"Bö","length":12.5,"note":null}');
  });
  await call("find_ship", {}, ({ isError, text }) => {
    strictEqual(isError, true);
    match(text, /parameter "name" is required/);
  }, { validate: false });
  await call("find_ship", { name: 1 }, ({ isError }) => {
    strictEqual(isError, true);
  }, { validate: false });
  await call("rename_ship", { to: "' OR 1 = 1; --" }, ({ isError, text }) => {
    strictEqual(isError, false, text);
  });
  await call("find_ship", { name: "' OR 1 = 1; --" }, ({ text }) => {
    match(text, /^\{"id":9007199254740993,/);
  });
}
