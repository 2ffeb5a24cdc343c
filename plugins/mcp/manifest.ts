/**
 * What the core knows of the MCP protocol without loading its code.
 *
 * @module
 */
import {
  PROGRAM_SCHEME,
  type ProtocolManifest,
  speaksHttp,
  type Target,
} from "../../lib/protocol/mod.ts";

/** MCP servers over streamable HTTP, and those that are programs of this machine. */
export const manifest: ProtocolManifest = {
  id: "mcp",
  name: "MCP",
  description: "Servers of the Model Context Protocol: their tools, resources and prompts.",
  hints: ["mcp"],
  claims(target) {
    if (target.scheme === PROGRAM_SCHEME) return "certain";
    if (!speaksHttp(target)) return "no";
    if (/\/mcp\/?$/i.test(new URL(target.url).pathname)) return "certain";
    // Any other URL would be sent a POST by everybody who looks for an API there.
    return wordsOf(target).includes("mcp") ? "possible" : "no";
  },
};

/** The words of host and path. */
function wordsOf({ url }: Target): string[] {
  const { hostname, pathname } = new URL(url);
  return `${hostname}${pathname}`.toLowerCase().split(/[^a-z0-9]+/);
}
