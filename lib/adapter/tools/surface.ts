/**
 * All that the adapter offers at one time: tools of methods, by name.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { ToolDescription } from "../../mcp/mod.ts";
import { canonicalText } from "../../schema/json_values.ts";
import { nameMethods } from "./names.ts";
import type { LeftOut, Reading } from "../reading/read_url.ts";
import { type AdapterTool, type FoundMethod, makeTool } from "./tool.ts";

/** A list of tools, and what it costs a client. */
export interface ToolList {
  /** In the order of their names, which does not depend on that of documents. */
  readonly descriptions: readonly ToolDescription[];
  /** Of the list as JSON. */
  readonly bytes: number;
}

/** What the adapter offers. */
export interface Surface {
  readonly readings: readonly Reading[];
  readonly tools: ReadonlyMap<string, AdapterTool>;
  readonly list: ToolList;
  /** Of names, descriptions and schemas; the order of members does not matter. */
  readonly digest: string;
  /** Of all URLs together. */
  readonly leftOut: LeftOut;
}

/** How tools are named. */
export interface SurfaceOptions {
  readonly nameLimit: number;
  /** Names of tools that are no methods. */
  readonly reserved: readonly string[];
}

/** Makes tools of what was read. */
export function makeSurface(
  readings: readonly Reading[],
  { nameLimit, reserved }: SurfaceOptions,
): Surface {
  const methods = distinct(readings.flatMap(({ methods }) => methods));
  const names = nameMethods(methods.map(identityOf), { limit: nameLimit, reserved });
  const tools = methods
    .map((method, index) => makeTool(names[index] ?? "", method))
    .sort((a, b) => a.description.name < b.description.name ? -1 : 1);
  const list = listOf(tools.map(({ description }) => description));
  return {
    readings,
    tools: new Map(tools.map((tool) => [tool.description.name, tool])),
    list,
    digest: createHash("sha256").update(canonicalText(list.descriptions)).digest("hex"),
    leftOut: {
      streaming: sum(readings.map(({ leftOut }) => leftOut.streaming)),
      incoming: sum(readings.map(({ leftOut }) => leftOut.incoming)),
      filtered: sum(readings.map(({ leftOut }) => leftOut.filtered)),
    },
  };
}

/** A list and its size as `tools/list` sends it. */
export function listOf(descriptions: readonly ToolDescription[]): ToolList {
  const json = JSON.stringify({ tools: descriptions });
  return { descriptions, bytes: new TextEncoder().encode(json).length };
}

/** The tool of a method, if it has one. */
export function toolOf(
  { tools }: Surface,
  { url, service, method }: Pick<FoundMethod, "url" | "service" | "method">,
): AdapterTool | undefined {
  return [...tools.values()].find(({ found }) =>
    found.url === url && found.protocol === service.source &&
    found.service.name === service.name && found.method.fullName === method.fullName
  );
}

function identityOf({ url, protocol, service, method }: FoundMethod) {
  const { name, fullName } = method;
  return { url, protocol, service: service.name, method: name, fullName };
}

/** A method that is described twice is one. */
function distinct(methods: readonly FoundMethod[]): FoundMethod[] {
  const byIdentity = new Map<string, FoundMethod>();
  for (const method of methods) {
    const { url, protocol, service, fullName } = identityOf(method);
    const key = [url, protocol, service, fullName].join("\n");
    if (!byIdentity.has(key)) byIdentity.set(key, method);
  }
  return [...byIdentity.values()];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
