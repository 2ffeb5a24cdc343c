/**
 * Where the types of each server come from: schema files that were added for it, else its
 * reflection.
 *
 * @module
 */
import type { CallContext } from "../../../lib/protocol/mod.ts";
import { type KnownVersions, Reflection } from "../reflection/reflection.ts";
import type { Endpoint } from "../wire/endpoint.ts";
import type { Wire } from "../wire/wire.ts";
import { readDescriptorSets, typesOfFiles } from "./from_files.ts";
import { ReflectedTypes } from "./reflected.ts";
import type { TypeSource } from "./types_of.ts";

/** How long types that a server described are good, in milliseconds. */
const FRESH_MS = 60_000;
/** Most servers, and sets of schema files, that are remembered. */
const MAX_KEPT = 32;

interface Kept<Source> {
  readonly source: Source;
  readonly expiresMs: number;
}

/** The sources of one plugin. */
export class Sources {
  readonly #wire: Wire;
  readonly #nowMs: () => number;
  readonly #versions: KnownVersions = new Map();
  readonly #reflected = new Map<string, Kept<ReflectedTypes>>();
  readonly #fromFiles = new Map<string, Promise<TypeSource>>();

  constructor(wire: Wire, nowMs: () => number) {
    this.#wire = wire;
    this.#nowMs = nowMs;
  }

  /** The types of schema files, when some were added for the target. */
  async fromFiles({ schemas, loadSchema }: CallContext): Promise<TypeSource | undefined> {
    if (schemas.length === 0) return undefined;
    const key = schemas.join();
    const loading = this.#fromFiles.get(key) ?? load(schemas, loadSchema);
    keep(this.#fromFiles, key, loading);
    try {
      return await loading;
    } catch (error) {
      this.#fromFiles.delete(key);
      throw error;
    }
  }

  /**
   * What a server describes itself.
   *
   * @param isFresh true to ask it again for all.
   */
  reflected(endpoint: Endpoint, isFresh: boolean): ReflectedTypes {
    // Which types a server describes may depend on who asks.
    const key = JSON.stringify([
      endpoint.key,
      endpoint.prefix,
      endpoint.variant,
      endpoint.metadata,
    ]);
    const kept = this.#reflected.get(key);
    if (!isFresh && kept !== undefined && kept.expiresMs > this.#nowMs()) return kept.source;
    const reflection = new Reflection(this.#wire, endpoint, this.#versions);
    const source = new ReflectedTypes(reflection);
    keep(this.#reflected, key, { source, expiresMs: this.#nowMs() + FRESH_MS });
    return source;
  }

  /** The source for a call. */
  async of(endpoint: Endpoint, context: CallContext): Promise<TypeSource> {
    return await this.fromFiles(context) ?? this.reflected(endpoint, false);
  }
}

async function load(
  ids: readonly string[],
  loadSchema: CallContext["loadSchema"],
): Promise<TypeSource> {
  const sets = [];
  for (const id of ids) sets.push({ name: id, bytes: await loadSchema(id) });
  return typesOfFiles(readDescriptorSets(sets));
}

/** Remembers a value as the latest one; the oldest gives way. */
function keep<T>(values: Map<string, T>, key: string, value: T): void {
  values.delete(key);
  values.set(key, value);
  const [oldest] = values.keys();
  if (values.size > MAX_KEPT && oldest !== undefined) values.delete(oldest);
}
