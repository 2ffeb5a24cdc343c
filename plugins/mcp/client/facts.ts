/**
 * What is settled between a server and us before anything is asked.
 *
 * @module
 */
import { isObject, type JsonObject, textOf } from "../../../lib/schema/json_schema.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { VERSION } from "../../../lib/version.ts";

/** The revision that has no handshake: each request says all of it. */
export const MODERN_VERSION = "2026-07-28";
/** The revisions with a handshake, the newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
];

/** Who we say we are. */
export const CLIENT_INFO = { name: "bowire", title: "Bowire", version: VERSION };

/** What servers may ask of us. Where nobody is there to answer, it is declined. */
export const CLIENT_CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: {},
};

/** A server, as it presents itself. */
export interface ServerFacts {
  /** Revision of the protocol. */
  readonly version: string;
  /** What it offers, by name. */
  readonly capabilities: JsonObject;
  /** Its name and version, as far as it tells them. */
  readonly identity: string;
  /** How to use it; text of the server. */
  readonly instructions: string | undefined;
}

const MAX_NAME_LENGTH = 200;

/** What the answer of `initialize` or `server/discover` says. */
export function readFacts(version: string, result: JsonObject): ServerFacts {
  const meta = isObject(result["_meta"]) ? result["_meta"] : {};
  const info = result["serverInfo"] ?? meta["io.modelcontextprotocol/serverInfo"];
  const named = isObject(info) ? [textOf(info["name"]), textOf(info["version"])] : [];
  return {
    version,
    capabilities: isObject(result["capabilities"]) ? result["capabilities"] : {},
    identity: cleanLine(named.filter((part) => part !== undefined).join(" "), MAX_NAME_LENGTH),
    instructions: textOf(result["instructions"]),
  };
}

/** What each request of the revision without a handshake carries (MCP 2026-07-28, base). */
export function envelope(): JsonObject {
  return {
    "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
    "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
    "io.modelcontextprotocol/clientCapabilities": CLIENT_CAPABILITIES,
  };
}
