/**
 * Types that a server describes by reflection, fetched as they are needed and kept for a while.
 *
 * @module
 */
import type { DescService, Registry } from "@bufbuild/protobuf";
import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { type CallContext, untilAborted } from "../../../lib/protocol/mod.ts";
import type { Reflection } from "../reflection/reflection.ts";
import { buildLibrary, type Library } from "../schema/library.ts";
import type { TypeSource } from "./types_of.ts";

/** Types of one server. */
export class ReflectedTypes implements TypeSource {
  readonly #reflection: Reflection;
  #files: ReadonlyMap<string, FileDescriptorProto> = new Map();
  #library: Library | undefined;
  #services: readonly string[] | undefined;
  #loading: Promise<unknown> | undefined;
  /** Why symbols that were asked for are not described, by name. */
  readonly #missing = new Map<string, string>();

  constructor(reflection: Reflection) {
    this.#reflection = reflection;
  }

  /** @throws {NoReflection} */
  async services(context: CallContext): Promise<readonly string[]> {
    this.#services ??= await this.#reflection.listServices(context);
    return this.#services;
  }

  async service(name: string, context: CallContext): Promise<DescService | undefined> {
    await this.load([name], context);
    return this.library().registry.getService(name);
  }

  async find(typeName: string, context: CallContext): Promise<Registry | undefined> {
    await this.load([typeName], context);
    const { registry } = this.library();
    return registry.get(typeName) === undefined ? undefined : registry;
  }

  /** Fetches symbols that are not known yet; why some are not described is told. */
  async load(
    symbols: readonly string[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, string>> {
    // One after the other: what two want is fetched once.
    while (this.#loading !== undefined) {
      await untilAborted(async () => void await this.#loading, context.signal, 0);
    }
    const loading = this.#load(symbols, context);
    this.#loading = loading.catch(() => {});
    try {
      return await loading;
    } finally {
      this.#loading = undefined;
    }
  }

  async #load(
    symbols: readonly string[],
    context: CallContext,
  ): Promise<ReadonlyMap<string, string>> {
    const { registry } = this.library();
    const unknown = symbols.filter((name) =>
      registry.get(name) === undefined && !this.#missing.has(name)
    );
    if (unknown.length > 0) {
      const { files, missing } = await this.#reflection.describe(unknown, this.#files, context);
      for (const [name, reason] of missing) this.#missing.set(name, reason);
      if (files.size > this.#files.size) {
        this.#files = new Map([...this.#files, ...files]);
        this.#library = undefined;
      }
    }
    return this.#missing;
  }

  library(): Library {
    this.#library ??= buildLibrary([...this.#files.values()]);
    return this.#library;
  }
}
