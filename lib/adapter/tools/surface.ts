/**
 * All that the adapter offers at one time: tools of methods, by name.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { ToolDescription } from "../../mcp/mod.ts";
import { canonicalText } from "../../schema/json_values.ts";
import { keyOf, nameMethods } from "./names.ts";
import type { LeftOut, Reading } from "../reading/read_url.ts";
import { outputUnpacker } from "../schema/output.ts";
import { inputUnpacker } from "../schema/portable.ts";
import { LONG_TEXTS, SHORT_TEXTS } from "../schema/texts.ts";
import { type AdapterTool, type FoundMethod, makeTool, type ToolStyle } from "./tool.ts";

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

/** Lists of more tools than these are kept short: some clients show a model all of them. */
const MANY_TOOLS = 256;

/** Makes tools of what was read. */
export function makeSurface(
  readings: readonly Reading[],
  { nameLimit, reserved }: SurfaceOptions,
): Surface {
  const methods = distinct(readings.flatMap(({ methods }) => methods));
  const names = nameMethods(methods.map(identityOf), { limit: nameLimit, reserved });
  const isLong = methods.length > MANY_TOOLS;
  const texts = isLong ? SHORT_TEXTS : LONG_TEXTS;
  const style: ToolStyle = {
    texts,
    tellsClosed: !isLong,
    inputs: inputUnpacker(texts),
    outputs: outputUnpacker(),
    tellsUrl: readings.length > 1,
  };
  const tools = methods
    .map((method, index) => makeTool(names[index] ?? "", method, style))
    .sort((a, b) => a.name < b.name ? -1 : 1);
  return new MadeSurface(readings, { tools, style });
}

/** What it takes schemas for is made when it is asked for. */
class MadeSurface implements Surface {
  readonly readings: readonly Reading[];
  readonly tools: ReadonlyMap<string, AdapterTool>;
  readonly leftOut: LeftOut;
  readonly #style: ToolStyle;
  #list: ToolList | undefined;
  #digest: string | undefined;

  constructor(
    readings: readonly Reading[],
    { tools, style }: { tools: readonly AdapterTool[]; style: ToolStyle },
  ) {
    this.readings = readings;
    this.#style = style;
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.leftOut = {
      streaming: sum(readings.map(({ leftOut }) => leftOut.streaming)),
      incoming: sum(readings.map(({ leftOut }) => leftOut.incoming)),
      filtered: sum(readings.map(({ leftOut }) => leftOut.filtered)),
    };
  }

  get list(): ToolList {
    if (this.#list !== undefined) return this.#list;
    this.#list = listOf([...this.tools.values()].map(({ description }) => description));
    for (const unpacker of [this.#style.inputs, this.#style.outputs]) unpacker.forget();
    return this.#list;
  }

  get digest(): string {
    return this.#digest ??= createHash("sha256").update(canonicalText(this.list.descriptions))
      .digest("hex");
  }
}

/** A list and its size as `tools/list` sends it. */
export function listOf(descriptions: readonly ToolDescription[]): ToolList {
  return { descriptions, bytes: Buffer.byteLength(JSON.stringify({ tools: descriptions })) };
}

/** The tool of a method, if it has one. */
export function toolOf(
  { tools }: Surface,
  { url, service, method }: Pick<FoundMethod, "url" | "service" | "method">,
): AdapterTool | undefined {
  return [...tools.values()].find(({ found }) =>
    found.url === url && found.protocol === service.source &&
    found.service.name === service.name && found.method.name === method.name &&
    found.method.fullName === method.fullName
  );
}

function identityOf({ url, protocol, service, method }: FoundMethod) {
  const { name, fullName, httpPath: path } = method;
  return { url, protocol, service: service.name, method: name, fullName, path };
}

/** A method that is described twice is one. */
function distinct(methods: readonly FoundMethod[]): FoundMethod[] {
  const byIdentity = new Map<string, FoundMethod>();
  for (const method of methods) {
    const key = keyOf(identityOf(method));
    if (!byIdentity.has(key)) byIdentity.set(key, method);
  }
  return [...byIdentity.values()];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
