/**
 * The adapter over what was discovered last.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { BowireError } from "../errors/mod.ts";
import type { Host } from "../host/mod.ts";
import type {
  ListName,
  Prompts,
  ResourceContents,
  Resources,
  ServerIdentity,
  ToolCall,
  ToolDescription,
  ToolOutcome,
} from "../mcp/mod.ts";
import { untilAborted } from "../protocol/mod.ts";
import { isEqual } from "../schema/json_values.ts";
import type { Adapter, Rediscovery } from "./adapter.ts";
import { KeptAnswers } from "./answers/kept_answers.ts";
import { callTool, schemaOf } from "./call_tool.ts";
import type { Settings } from "./options.ts";
import { createPrompts } from "./prompts.ts";
import { readAll } from "./reading/read_all.ts";
import type { Reading } from "./reading/read_url.ts";
import { WholeServices } from "./reading/whole_services.ts";
import { describeService, readService, type ServiceEntry, servicesOf } from "./resources.ts";
import type { MethodIndex } from "./search/index.ts";
import { runSearchTool, SEARCH_TOOL_NAMES } from "./search/search_tools.ts";
import { logChanges } from "./tools/changes.ts";
import { makeSurface, type Surface, toolOf } from "./tools/surface.ts";
import type { AdapterTool } from "./tools/tool.ts";
import { type Figures, figuresOf, identify, reportOf, type View, viewOf } from "./tools/view.ts";

const log = getLogger(["bowire", "adapter"]);

/** What an adapter is made of. */
export interface AdapterParts {
  readonly host: Host;
  readonly settings: Settings;
  /** Ends calls and discoveries that go on. */
  readonly closing: AbortController;
}

/** What is offered at one time. */
interface State {
  readonly surface: Surface;
  readonly view: View;
  readonly services: readonly ServiceEntry[];
  readonly whole: WholeServices;
  /** Made at the first search. */
  index?: Promise<MethodIndex>;
}

/** See {@linkcode Adapter}. */
export class DiscoveredAdapter implements Adapter {
  readonly resources: Resources;
  readonly prompts: Prompts;
  readonly #parts: AdapterParts;
  readonly #kept = new KeptAnswers();
  readonly #listeners = new Set<(list: ListName) => void>();
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #state: State;
  #running: Promise<Rediscovery> | undefined;

  constructor(parts: AdapterParts, readings: readonly Reading[]) {
    this.#parts = parts;
    this.#state = this.#stateOf(readings);
    this.resources = {
      list: () => this.#state.services.map(describeService),
      read: (uri) => this.#read(uri),
    };
    this.prompts = createPrompts({
      services: () => this.#state.services,
      wholeOf: (entry) => this.#wholeOf(entry),
      toolOf: ({ url, service }, method) => toolOf(this.#state.surface, { url, service, method }),
      schemaOf: (tool, signal) => schemaOf(parts, tool, signal),
    });
    const { rediscoverSeconds } = parts.settings;
    if (rediscoverSeconds !== undefined) {
      const timer = setInterval(() => this.#tick(), rediscoverSeconds * 1000);
      Deno.unrefTimer(timer);
      this.#timer = timer;
    }
  }

  get identity(): ServerIdentity {
    const { surface, view } = this.#state;
    return identify(surface, view, this.#parts.settings);
  }

  listTools(): readonly ToolDescription[] {
    return this.#state.view.list.descriptions;
  }

  async callTool(call: ToolCall): Promise<ToolOutcome | undefined> {
    const { surface: { tools }, view } = this.#state;
    const tool = tools.get(call.name);
    if (tool !== undefined) return await this.#call(tool, call);
    if (view.mode === "all") return undefined;
    return await runSearchTool({
      tools,
      find: (query) => this.#find(query),
      schemaOf: (tool, signal) => schemaOf(this.#parts, tool, signal),
      callTool: (tool, call) => this.#call(tool, call),
    }, call);
  }

  onChange(listener: (list: ListName) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  figures(): Figures {
    return figuresOf(this.#state.surface, this.#state.view);
  }

  report(): string {
    const { surface, view } = this.#state;
    return reportOf(surface, view, this.#parts.settings.toolBudget);
  }

  async rediscover(signal?: AbortSignal): Promise<Rediscovery> {
    const running = this.#running ??= this.#rediscover().finally(() => this.#running = undefined);
    running.catch(() => {}); // whoever still waits hears of it
    return await (signal === undefined ? running : untilAborted(() => running, signal));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#parts.closing.abort();
    await this.#running?.catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #stateOf(readings: readonly Reading[]): State {
    const { host, settings, closing } = this.#parts;
    const surface = makeSurface(readings, {
      nameLimit: settings.nameLimit,
      reserved: SEARCH_TOOL_NAMES,
    });
    return {
      surface,
      view: viewOf(surface, settings),
      services: servicesOf(surface, (protocol) => host.registry.find(protocol).name),
      whole: new WholeServices({ host, settings, signal: closing.signal }),
    };
  }

  async #rediscover(): Promise<Rediscovery> {
    const { host, settings, closing } = this.#parts;
    const before = this.#state;
    const { readings, missed } = await readAll(
      { host, settings, signal: closing.signal },
      before.surface.readings,
    );
    const after = this.#stateOf(readings);
    this.#state = after;
    const changed = before.surface.digest !== after.surface.digest;
    if (changed) logChanges(before.surface.tools, after.surface.tools);
    // A search stays the same, whatever it searches.
    const isListChanged = before.view.mode !== after.view.mode ||
      (changed && after.view.mode === "all");
    if (isListChanged) this.#tell("tools");
    if (!isEqual(before.services.map(describeService), after.services.map(describeService))) {
      this.#tell("resources");
    }
    return { changed, missed };
  }

  #tell(list: ListName): void {
    for (const listener of this.#listeners) listener(list);
  }

  #tick(): void {
    this.rediscover().catch((error) => {
      if (this.#parts.closing.signal.aborted) return;
      const isExpected = error instanceof BowireError;
      log[isExpected ? "warn" : "error"]("the APIs stay as they were: {error}", { error });
    });
  }

  async #read(uri: string): Promise<readonly ResourceContents[] | undefined> {
    const entry = this.#state.services.find((service) => service.uri === uri);
    const contents = entry === undefined
      ? this.#kept.read(uri)
      : readService(await this.#wholeOf(entry));
    return contents === undefined ? undefined : [contents];
  }

  async #wholeOf(entry: ServiceEntry): Promise<ServiceEntry> {
    return { ...entry, service: await this.#state.whole.service(entry) };
  }

  #call(tool: AdapterTool, call: ToolCall): Promise<ToolOutcome> {
    const { host, settings, closing } = this.#parts;
    return callTool({ host, settings, kept: this.#kept, closing: closing.signal }, tool, call);
  }

  async #find(query: string): Promise<readonly string[]> {
    const state = this.#state;
    state.index ??= indexOf(state);
    return (await state.index).find(query);
  }
}

async function indexOf({ surface: { readings, tools }, whole }: State): Promise<MethodIndex> {
  const places = readings.flatMap(({ url, services }) =>
    services.map((service) => ({ url, service }))
  );
  const [{ MethodIndex }, methods] = await Promise.all([
    import("./search/index.ts"), // loaded when it is needed: not every API is searched
    whole.methods(places),
  ]);
  return new MethodIndex(
    tools.values().map(({ name, title, found }) => ({
      name,
      title,
      found: { ...found, method: methods.get(found.method) ?? found.method },
    })),
  );
}
