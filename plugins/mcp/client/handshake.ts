/**
 * Finds out which revision a server speaks, and who it is.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { isObject, type JsonObject, listOf, textOf } from "../../../lib/schema/json_schema.ts";
import { HttpRefusal } from "../wire/http_refusal.ts";
import { type Message, RpcCode } from "../wire/message.ts";
import type { Answered } from "../wire/wire.ts";
import {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  readFacts,
  type ServerFacts,
} from "./facts.ts";
import { RpcFailure } from "./failure.ts";

/** Speaks with a server before its revision is known. */
export interface Greeter {
  /** @param version none before the server has named one. */
  send(message: Message, version: string | undefined): Promise<Answered>;
  notify(message: Message, version: string): Promise<void>;
}

/**
 * Asks in the way of both eras, the likelier one first.
 *
 * @param isHttp false for a program, which may wait for the handshake and say nothing until then.
 * @throws {BowireError} when it cannot be reached, `not_discovered` when it speaks no revision of ours.
 * @throws {HttpRefusal | RpcFailure} when it does not speak MCP, or will not.
 */
export async function meet(greeter: Greeter, isHttp: boolean): Promise<ServerFacts> {
  const ways = isHttp ? [discover, initialize] : [initialize, discover];
  const failures = new Map<unknown, unknown>();
  for (const way of ways) {
    try {
      return await way(greeter);
    } catch (error) {
      if (!isDifferentEra(error)) throw error;
      failures.set(way, error);
    }
  }
  const [probed, shaken] = [failures.get(discover), failures.get(initialize)];
  throw isOfModernEra(probed) || isUnknownMethod(shaken) ? probed : shaken;
}

/** The result of an answer. @throws {RpcFailure} */
export function resultOf({ reply }: Answered): JsonObject {
  if ("error" in reply) throw new RpcFailure(reply.error);
  return reply.result;
}

/** @throws {RpcFailure} besides, when the server has other revisions only. */
async function discover({ send }: Greeter): Promise<ServerFacts> {
  const message = { method: "server/discover", params: {} };
  const first = await send(message, MODERN_VERSION);
  // One that does not know the revision may name it all the same, having changed its mind.
  const answered = namesVersion(first, MODERN_VERSION)
    ? await send(message, MODERN_VERSION)
    : first;
  const result = resultOf(answered);
  const versions = listOf(result["supportedVersions"]);
  if (versions.includes(MODERN_VERSION)) return readFacts(MODERN_VERSION, result);
  const known = versions.map(textOf).join(", ");
  throw new RpcFailure({
    code: RpcCode.unsupportedVersion,
    message: `the server has other revisions of MCP only: ${known}`,
  });
}

async function initialize({ send, notify }: Greeter): Promise<ServerFacts> {
  const [newest = ""] = LEGACY_VERSIONS;
  const params = {
    protocolVersion: newest,
    capabilities: CLIENT_CAPABILITIES,
    clientInfo: CLIENT_INFO,
  };
  const result = resultOf(await send({ method: "initialize", params }, undefined));
  const version = textOf(result["protocolVersion"]) ?? "";
  if (!LEGACY_VERSIONS.includes(version)) {
    throw new BowireError(
      "not_discovered",
      `cannot speak with the server: it has revision "${cleanLine(version, 40)}" of MCP only`,
      { hint: `Bowire has ${[MODERN_VERSION, ...LEGACY_VERSIONS].join(", ")}` },
    );
  }
  await notify({ method: "notifications/initialized", params: {} }, version);
  return readFacts(version, result);
}

/** True for a refusal of a revision that names it as one of those that would do. */
function namesVersion({ reply }: Answered, version: string): boolean {
  if (!("error" in reply) || reply.error.code !== RpcCode.unsupportedVersion) return false;
  const { data } = reply.error;
  return isObject(data) && listOf(data["supported"]).includes(version);
}

/** True for an error that may only mean that the server is of the other era. */
function isDifferentEra(error: unknown): boolean {
  if (error instanceof RpcFailure) return true;
  return error instanceof HttpRefusal && !error.isAboutCredentials;
}

/** True for an error that no server has which began with a handshake. */
function isOfModernEra(error: unknown): boolean {
  return error instanceof RpcFailure && error.code <= -32020 && error.code >= -32029;
}

function isUnknownMethod(error: unknown): boolean {
  return error instanceof RpcFailure && error.isUnknownMethod;
}
