/**
 * Discovery: what a server offers, as services.
 *
 * @module
 */
import {
  type CallContext,
  type Discovered,
  type DiscoverRequest,
  PROGRAM_SCHEME,
} from "../../lib/protocol/mod.ts";
import { BowireError } from "../../lib/errors/mod.ts";
import { errandTo, type Parts } from "./parts.ts";
import { explained } from "./refusal.ts";
import { describeServices } from "./surface/services.ts";

/** Lists tools, resources, templates and prompts; nothing where nobody speaks MCP. */
export async function discover(
  parts: Parts,
  request: DiscoverRequest,
  context: CallContext,
): Promise<Discovered> {
  const { target } = request;
  const { connection, asker } = errandTo(parts, request, context);
  try {
    const surface = await explained(
      target,
      context,
      () => parts.surfaces.of(connection, asker, true),
    );
    const { version, identity } = await connection.facts(asker);
    const server = identity === "" ? "a server" : identity;
    const message = `${server}, revision ${version}`;
    return {
      services: describeServices(surface, target.url),
      diagnostics: [...surface.diagnostics, { severity: "note", message }],
    };
  } catch (error) {
    // Whoever named the protocol wants to know why; others looked for some API.
    const isNamed = target.hint !== undefined || target.scheme === PROGRAM_SCHEME;
    const isOther = error instanceof BowireError && error.code === "not_discovered";
    if (isNamed || !isOther) throw error;
    return { services: [], diagnostics: [{ severity: "note", message: error.message }] };
  }
}
