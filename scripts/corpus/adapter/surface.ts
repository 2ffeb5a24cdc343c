/**
 * An adapter over one document: that of the product, but for the network.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { type Adapter, type AdapterOptions, createAdapter } from "../../../lib/adapter/mod.ts";
import { Host } from "../../../lib/host/mod.ts";
import type { Plugin, Protocol } from "../../../lib/protocol/mod.ts";
import type { Gateway } from "../gateway.ts";

/** A folder that is not there: nothing of the operator's own counts. */
const NO_HOME = fileURLToPath(new URL("./no_home", import.meta.url));

/**
 * Adapts the document of a gateway; each method is a tool, and tells what it answers.
 *
 * @throws {BowireError} `not_discovered` when nothing in it can be called.
 */
export async function adaptDocument(
  protocol: Protocol,
  gateway: Gateway,
): Promise<Adapter> {
  const { url } = gateway.target;
  const host = await Host.open(
    { allowArbitraryUrls: true, loadAllowlistFromEnvironments: false, sandbox: "none" },
    { home: NO_HOME, plugins: [pluginOver(protocol, gateway)] },
  );
  const options: AdapterOptions = {
    urls: [url],
    tools: "all",
    outputSchemas: true,
    discoveryTimeoutMs: LONG_MS,
  };
  return await createAdapter(host, options);
}

/** Longer than any document takes, and not longer than a timer can be. */
const LONG_MS = 60 * 60 * 1000;

/** The protocol with the gateway for its way out. */
function pluginOver(protocol: Protocol, { context }: Gateway): Plugin {
  const { manifest } = protocol;
  const dialled: Protocol = {
    manifest,
    discover: (request) => protocol.discover(request, context),
    invoke: (call) => protocol.invoke(call, context),
    describeAll: (request) => protocol.describeAll?.(request, context) ?? Promise.resolve([]),
  };
  return { manifest, load: () => Promise.resolve(dialled) };
}
