/**
 * Programs that make tools of an OpenAPI document, started over stdio. `deno task bench:adapter`
 * installs them.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import type { McpCommand } from "../../../tests/peers/mcp_peers.ts";
import { NODE } from "../../../tests/peers/peers.ts";

const PROGRAMS = fileURLToPath(new URL("./programs", import.meta.url));

/** The document and the server that its tools call. */
export interface Upstream {
  /** The path of an OpenAPI document. */
  readonly document: string;
  /** Where the same is served, with the base URL for its server. */
  readonly documentUrl: string;
  /** Where the API is, without a slash at the end. */
  readonly baseUrl: string;
}

/** One of the programs. */
export interface AdapterPeer {
  readonly name: string;
  /** Whether it lists a search in place of the tools. @default false */
  readonly isSearch?: boolean;
  /**
   * Makes the program ready to be started, as often as is wanted.
   *
   * @param folder an empty one, for what has to be generated.
   * @throws {Error} when nothing can be generated of the document.
   */
  prepare(upstream: Upstream, folder: string): Promise<McpCommand>;
}

/** The programs, in the order of their names. */
export const ADAPTER_PEERS: readonly AdapterPeer[] = [
  {
    name: "@ivotoby/openapi-mcp-server",
    prepare({ document, baseUrl }) {
      const program = `${PROGRAMS}/node_modules/@ivotoby/openapi-mcp-server/bin/mcp-server.js`;
      return Promise.resolve(node(
        ...[program, "--transport", "stdio", "--tools", "all"],
        ...["--openapi-spec", document, "--api-base-url", baseUrl],
      ));
    },
  },
  {
    name: "fastmcp",
    prepare: ({ document, baseUrl }) =>
      Promise.resolve(node(`${PROGRAMS}/fastmcp_server.mjs`, document, baseUrl)),
  },
  {
    // A program for each document: what the generation takes is no part of its start.
    name: "openapi-mcp-generator",
    async prepare({ document, baseUrl }, folder) {
      const { success, stderr } = await new Deno.Command(NODE, {
        args: [`${PROGRAMS}/generate_server.mjs`, document, baseUrl, folder],
        stdin: "null",
      }).output();
      if (!success) {
        const said = new TextDecoder().decode(stderr).slice(-2000);
        throw new Error(`cannot generate a server of "${document}": ${said}`);
      }
      return node(`${folder}/server.mjs`);
    },
  },
];

function node(...args: string[]): McpCommand {
  return { command: NODE, args, env: {} };
}
