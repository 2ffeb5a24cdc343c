/**
 * An adapter over APIs on loopback.
 *
 * @module
 */
import { deepEqual, ok } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Adapter, type AdapterOptions, createAdapter } from "../../lib/adapter/mod.ts";
import { Host } from "../../lib/host/mod.ts";
import type { ContentOutcome, ToolCall, ToolOutcome } from "../../lib/mcp/mod.ts";
import type { Plugin } from "../../lib/protocol/mod.ts";
import { plugins as builtIn } from "../../plugins/mod.ts";
import { Home } from "../fakes/home.ts";

/** An adapter, the host below it, and what goes with both. */
export interface Bench extends AsyncDisposable {
  readonly adapter: Adapter;
  readonly host: Host;
}

/** Opens an adapter; whatever stands below its URLs is allowed. */
export async function openAdapter(
  options: AdapterOptions,
  plugins: readonly Plugin[] = builtIn,
): Promise<Bench> {
  await using stack = new AsyncDisposableStack();
  const host = stack.use(await openHost(options.urls, plugins));
  const adapter = stack.use(await createAdapter(host, options));
  const kept = stack.move();
  return { adapter, host, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Opens a host with a home folder of its own. */
export async function openHost(
  urls: readonly string[],
  plugins: readonly Plugin[] = builtIn,
): Promise<Host> {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await Home.make());
  const allowed = urls.map((url) => new URL(url.replace(/^\w+@/, "")).origin);
  const options = { allowedServerUrls: allowed, sandbox: "none" } as const;
  const host = await Host.open(options, { home: home.path, plugins });
  const kept = stack.move();
  const dispose = host[Symbol.asyncDispose].bind(host);
  host[Symbol.asyncDispose] = async () => {
    await dispose();
    await kept.disposeAsync();
  };
  return host;
}

/** Calls a tool as some client. */
export function call(
  { adapter }: Bench,
  name: string,
  more: Partial<Omit<ToolCall, "name">> = {},
): Promise<ToolOutcome | undefined> {
  const signal = new AbortController().signal;
  return adapter.callTool({
    name,
    arguments: {},
    signal,
    principal: "test",
    mayAsk: false,
    ...more,
  });
}

/** The same, for a tool that answers with blocks. */
export async function callFor(
  bench: Bench,
  name: string,
  more: Partial<Omit<ToolCall, "name">> = {},
): Promise<ContentOutcome> {
  const outcome = await call(bench, name, more);
  ok(outcome?.kind === "content", `${name} answered ${outcome?.kind}`);
  return outcome;
}

/** The text of an outcome's blocks. */
export function textOf({ content }: ContentOutcome): string {
  return content.map((block) => block.type === "text" ? block.text : `[${block.type}]`).join("\n");
}

/** Names of the tools in the list. */
export function namesOf({ adapter }: Bench): string[] {
  return adapter.listTools().map(({ name }) => name);
}

/** Keywords that clients refuse at the root of a tool's schema. */
const REFUSED_AT_ROOT = ["oneOf", "anyOf", "allOf", "not", "if", "$ref", "$schema"];

/** Fails unless every client takes the schema: strict Ajv, and what Inspector calls unportable. */
export function assertPortable(schema: unknown): void {
  const plain = JSON.parse(JSON.stringify(schema));
  deepEqual(plain.type, "object");
  deepEqual(REFUSED_AT_ROOT.filter((keyword) => keyword in plain), []);
  new Ajv2020({ strict: true, strictRequired: false, validateFormats: false }).compile(plain);
  walk(plain);
}

function walk(node: unknown): void {
  if (Array.isArray(node)) node.forEach(walk);
  if (typeof node !== "object" || node === null) return;
  for (const [keyword, value] of Object.entries(node)) {
    if (["enum", "const", "default", "examples", "required"].includes(keyword)) continue;
    if (keyword === "type") ok(!Array.isArray(value), `types: ${value}`);
    if (keyword === "$ref") ok(String(value).startsWith("#/$defs/"), `reference: ${value}`);
    if (["items", "not", "contains"].includes(keyword)) ok(typeof value !== "boolean", keyword);
    walk(value);
  }
}
