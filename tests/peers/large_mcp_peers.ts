/**
 * MCP servers that `deno task foreign` visits: they are too large for the gate. Each needs files
 * that may be missing, and a folder of its own for what it writes.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { LARGE_PROGRAMS } from "./large_peers.ts";
import type { McpCommand, RunningMcpPeer } from "./mcp_peers.ts";
import { NODE } from "./peers.ts";
import { startPeer } from "./start_peer.ts";

/** The program, what runs it, and the browser that it drives. */
export const PLAYWRIGHT = {
  program: `${LARGE_PROGRAMS}/node_modules/@playwright/mcp/cli.js`,
  node: NODE,
  browser: "/usr/bin/chromium",
};

/** The program. */
export const TOOLBOX = {
  program: `${LARGE_PROGRAMS}/node_modules/@toolbox-sdk/server-linux-x64/bin/toolbox`,
};

/** The program. */
export const AZURE = {
  program: `${LARGE_PROGRAMS}/node_modules/@azure/mcp-linux-x64/dist/azmcp`,
};

/**
 * Playwright, a browser for agents: TypeScript, 25 tools that share one page, images, and answers
 * that are Markdown.
 *
 * @param home where the browser and its pictures are kept.
 */
export function playwrightServer(home: string): McpCommand {
  const { node, program, browser } = PLAYWRIGHT;
  return {
    command: node,
    args: [
      [program, "--headless", "--isolated", "--executable-path", browser],
      // Root has no other choice.
      ["--no-sandbox", "--output-dir", `${home}/pictures`],
    ].flat(),
    // The browser is a shell script that starts another.
    env: { HOME: home, PATH: "/usr/bin:/bin" },
  };
}

/**
 * Azure's server: C#, of the SDK for .NET, 61 tools in a list of 75 kB; nearly all of them want a
 * login.
 *
 * @param home where it unpacks 40 MB of libraries.
 */
export function azureServer(home: string): McpCommand {
  return {
    command: AZURE.program,
    args: ["server", "start"],
    // Without a place for data of its own, .NET takes the folder that it is started in.
    env: { HOME: home, XDG_DATA_HOME: home, AZURE_MCP_COLLECT_TELEMETRY: "false" },
  };
}

/**
 * MCP Toolbox, tools that are statements of SQL: Go, of no SDK, speaks revision 2026-07-28 and the
 * four before it. It has the tools `find_ship` and `rename_ship` upon a table with one ship.
 *
 * @param home where its settings and its table are kept.
 */
export async function toolboxServer(home: string): Promise<McpCommand> {
  return { command: TOOLBOX.program, args: [...await prepareToolbox(home), "--stdio"], env: {} };
}

/**
 * The server of {@linkcode toolboxServer} over streamable HTTP, whose answers are JSON and no
 * stream; it has no sessions.
 *
 * @throws {Error} when it ends or does not answer within half a minute.
 */
export async function startToolbox(): Promise<RunningMcpPeer> {
  const peer = await startPeer({ path: "/" }, async (home, port) => [
    TOOLBOX.program,
    ...await prepareToolbox(home),
    ...["--address", "127.0.0.1", "--port", `${port}`],
  ]);
  return { ...peer, mcpUrl: `${peer.url}/mcp` };
}

/** @returns the arguments that both ways to reach it have in common. */
async function prepareToolbox(home: string): Promise<string[]> {
  using database = new DatabaseSync(`${home}/harbour`);
  database.exec(`
    CREATE TABLE ships (id INTEGER, name TEXT, length REAL, note TEXT);
    INSERT INTO ships VALUES (9007199254740993, 'Bö', 12.5, NULL);
  `);
  const statement = { kind: "sqlite-sql", source: "harbour" };
  const text = (name: string, more = {}) => ({ name, type: "string", description: name, ...more });
  const settings = {
    sources: { harbour: { kind: "sqlite", database: `${home}/harbour` } },
    tools: {
      find_ship: {
        ...statement,
        description: "Finds ships by their name.",
        parameters: [text("name")],
        statement: "SELECT id, name, length, note FROM ships WHERE name = ?",
      },
      rename_ship: {
        ...statement,
        description: "Gives a ship another name.",
        parameters: [text("to"), text("from", { default: "Bö" })],
        statement: "UPDATE ships SET name = ? WHERE name = ?",
      },
    },
  };
  // JSON is YAML.
  await Deno.writeTextFile(`${home}/tools.yaml`, JSON.stringify(settings));
  return ["--disable-version-check", "--config", `${home}/tools.yaml`];
}
