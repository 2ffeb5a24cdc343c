// deno-lint-ignore-file no-console -- the suite shows what it says
/**
 * The client that the MCP conformance suite drives: it finds all that a server has, and calls it.
 * The server's URL is the last argument; some scenarios say in a variable what is to be called.
 *
 * @module
 */
import { Allowlist } from "../../lib/gate/mod.ts";
import { createContext } from "../../lib/protocol/mod.ts";
import { isObject, listOf } from "../../lib/schema/json_schema.ts";
import { createMcp } from "../../plugins/mcp/plugin.ts";

const allowlist = new Allowlist();
const url = Deno.args.at(-1) ?? "";
allowlist.permit(url, "flag");
const target = allowlist.admit(`mcp@${url}`);
/** A person who accepts all forms as they are. */
const onQuestion = () => Promise.resolve({ action: "accept", content: "{}" } as const);
const context = () => createContext(allowlist, new AbortController().signal, { onQuestion });
const mcp = createMcp();

/** The arguments with which a method is to be called. */
async function argumentsFor(service: string, method: string): Promise<string[]> {
  const wanted: unknown = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}");
  const calls = isObject(wanted) ? listOf(wanted["toolCalls"]) : [];
  const listed = calls.filter(isObject).filter(({ name }) => name === method);
  if (listed.length > 0) return listed.map((call) => JSON.stringify(call["arguments"]));
  const schema = await mcp.describe?.({ target, service, method, metadata: {} }, context());
  return [schema?.sample ?? "{}"];
}

const found = await mcp.discover({ target, metadata: {}, showInternal: false }, context());
console.error(found.diagnostics.map(({ message }) => message).join("\n"));
for (const { name: service, methods } of found.services) {
  for (const { name: method } of methods) {
    for (const text of await argumentsFor(service, method)) {
      const call = { target, service, method, messages: [text], metadata: {}, validate: false };
      const { status, response } = await mcp.invoke(call, context());
      console.error(`${service}/${method} ${text}: ${status} ${response}`);
    }
  }
}
await mcp.close?.(context());
