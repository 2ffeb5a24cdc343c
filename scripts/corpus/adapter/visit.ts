/**
 * One document: its operations as tools, and what is wrong with them.
 *
 * @module
 */
import type { Adapter } from "../../../lib/adapter/mod.ts";
import { BowireError } from "../../../lib/errors/mod.ts";
import { createRest } from "../../../plugins/rest/plugin.ts";
import { compareDiscovery, type MethodName } from "../discovery.ts";
import { numberOf } from "../draw.ts";
import { Gateway, type ServedDocument } from "../gateway.ts";
import { isRawObject, objectAt, operationsOf, type RawObject } from "../judge/raw.ts";
import type { CorpusDocument } from "../library.ts";
import { Judge, type Judgement } from "./judge.ts";
import { adaptDocument } from "./surface.ts";

/** What was found in one document; plain data. */
export interface Visit {
  readonly path: string;
  readonly counts: {
    readonly operations: number;
    readonly tools: number;
    /** Webhooks and callbacks, which are no tools. */
    readonly incoming: number;
    /** 1 when the document was read a second time, in reverse order. */
    readonly reversed: number;
    readonly bytes: number;
    readonly bytesWithOutputs: number;
    /** Schemas that no document before had. */
    readonly schemas: number;
  };
  /** The reason of each operation that is no tool. */
  readonly leftOut: readonly string[];
  readonly failures: readonly string[];
  readonly largestSchema: Judgement["largestSchema"];
  readonly elapsedMs: number;
}

/** One in so many documents is read in reverse order as well. */
const REVERSED_SHARE = 10;
/** Most faults of one document that are told. */
const MAX_FAULTS = 10;

const NOTHING: Judgement = {
  faults: [],
  bytes: 0,
  bytesWithOutputs: 0,
  largestSchema: { tool: "", bytes: 0 },
};

/** All of a visit but the document and the time. */
type Found = Omit<Visit, "path" | "elapsedMs">;

const NOTHING_FOUND: Found = {
  counts: {
    operations: 0,
    tools: 0,
    incoming: 0,
    reversed: 0,
    bytes: 0,
    bytesWithOutputs: 0,
    schemas: 0,
  },
  leftOut: [],
  failures: [],
  largestSchema: NOTHING.largestSchema,
};

/** Visits documents, with one memory of the schemas that were judged. */
export class Visitor {
  readonly #judge = new Judge();

  /** Adapts a document, and judges its tools. */
  async visit(document: CorpusDocument): Promise<Visit> {
    const startedMs = performance.now();
    const found = await this.#visit(document).catch((error) => ({
      ...NOTHING_FOUND,
      failures: [`broke: ${error instanceof Error ? error.stack ?? error.message : error}`],
    }));
    return { path: document.path, ...found, elapsedMs: performance.now() - startedMs };
  }

  async #visit({ path, file, url }: CorpusDocument): Promise<Found> {
    const bytes = await Deno.readFile(file);
    const root = parse(bytes);
    const operations = operationsOf(root);
    const gateway = new Gateway({ url, bytes });
    // Its clock stands still, so that the document is loaded once.
    const rest = createRest({ nowMs: () => 0 });
    const found = await compareDiscovery(rest, gateway, operations);
    await using adapter = await orNothing(() => adaptDocument(rest, gateway));
    const list = adapter?.listTools() ?? [];
    const before = this.#judge.schemas;
    const { faults, ...sizes } = list.length === 0 ? NOTHING : this.#judge.judge(list);
    const isReversed = numberOf(path, 1) % REVERSED_SHARE === 0 && list.length > 0;
    const misnamed = isReversed ? await namedOtherwise(adapter, { url, root }) : [];
    return {
      counts: {
        operations: operations.length,
        tools: list.length,
        incoming: adapter?.figures().leftOut.incoming ?? 0,
        reversed: isReversed ? 1 : 0,
        bytes: sizes.bytes,
        bytesWithOutputs: sizes.bytesWithOutputs,
        schemas: this.#judge.schemas - before,
      },
      leftOut: found.leftOut.map((remark) => remark.slice(remark.indexOf(": ") + 2)),
      failures: [
        ...found.lost.map((operation) => `${operation}: lost without a reason`),
        ...found.invented.map((operation) => `${operation}: is not in the document`),
        ...withoutTool(adapter, [...found.methods.values()]),
        ...faults.slice(0, MAX_FAULTS).map(({ tool, what }) => `${tool}: ${what}`),
        ...misnamed,
      ],
      largestSchema: sizes.largestSchema,
    };
  }
}

/** `undefined` for a document in which nothing can be called. */
async function orNothing(open: () => Promise<Adapter>): Promise<Adapter | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof BowireError && error.code === "not_discovered") return undefined;
    throw error;
  }
}

/** Methods without a tool, and tools without a method. */
function withoutTool(adapter: Adapter | undefined, methods: readonly MethodName[]): string[] {
  const wanted = new Set(methods.map(({ service, method }) => JSON.stringify([service, method])));
  const got = new Set(namesByMethod(adapter).keys());
  return [
    ...[...wanted.difference(got)].map((method) => `${method}: is no tool`),
    ...[...got.difference(wanted)].map((method) => `${method}: a tool of no operation`),
  ];
}

/** Names of tools by service and method. */
function namesByMethod(adapter: Adapter | undefined): Map<string, string> {
  return new Map((adapter?.listTools() ?? []).map(({ name, _meta }) => {
    const { service, method } = objectAt(_meta, "bowire/method");
    return [JSON.stringify([service, method]), name];
  }));
}

/** Tools that are called otherwise when the document has its paths in reverse order. */
async function namedOtherwise(
  adapter: Adapter | undefined,
  { url, root }: { url: string; root: RawObject },
): Promise<string[]> {
  const paths = Object.fromEntries(Object.entries(objectAt(root, "paths")).reverse());
  const bytes = new TextEncoder().encode(JSON.stringify({ ...root, paths }));
  const served: ServedDocument = { url, bytes };
  await using other = await adaptDocument(createRest({ nowMs: () => 0 }), new Gateway(served));
  const [one, two] = [adapter, other].map((each) =>
    new Set([...namesByMethod(each)].map(([method, name]) => `${method} is ${name}`))
  );
  return [...(one ?? new Set()).symmetricDifference(two ?? new Set())]
    .slice(0, MAX_FAULTS)
    .map((name) => `${name} in one order of paths alone`);
}

function parse(bytes: Uint8Array<ArrayBuffer>): RawObject {
  const root: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!isRawObject(root)) throw new TypeError("a document is no object");
  return root;
}
