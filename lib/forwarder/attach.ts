/**
 * Where the parent is, as `--attach` says it.
 *
 * @module
 */
import { BowireError, messageOf } from "../errors/mod.ts";
import { parseAddress, redactUrl } from "../gate/mod.ts";

/** Where a Bowire serves MCP when an address has no path. */
const DEFAULT_PATH = "/bowire/mcp";
const HOST_AND_PORT = /^(?:\[[0-9a-f:.]+\]|[^\s/@:?#[\]]+):(\d{1,5})$/i;

/**
 * The URL of a parent: `host:port` stands for `http://host:port/bowire/mcp`, an http or https URL for
 * itself.
 *
 * @throws {BowireError} `usage` for anything else.
 */
export function parseAttachEndpoint(raw: string): URL {
  const text = raw.trim();
  if (text === "") refuse(raw, "it is empty");
  const port = HOST_AND_PORT.exec(text)?.[1];
  if (port === undefined) {
    const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
    if (scheme === undefined) refuse(raw, "it is neither host:port nor an http or https URL");
    if (scheme !== "http" && scheme !== "https") refuse(raw, `MCP is not spoken over ${scheme}`);
  } else if (Number(port) < 1 || Number(port) > 65535) {
    refuse(raw, "a port is a number from 1 to 65535");
  }
  try {
    return new URL(parseAddress(port === undefined ? text : `http://${text}${DEFAULT_PATH}`).url);
  } catch (error) {
    refuse(raw, messageOf(error).replace(/^cannot use the URL ".*?": /s, ""));
  }
}

function refuse(raw: string, reason: string): never {
  throw new BowireError("usage", `cannot attach to "${redactUrl(raw).slice(0, 200)}": ${reason}`, {
    hint: "name the parent as localhost:5081, or by its URL, as http://localhost:5081/mcp",
  });
}
