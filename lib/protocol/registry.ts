/**
 * The protocols on board.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import type { Target } from "../gate/mod.ts";
import type { CallContext } from "./context.ts";
import type { Protocol, ProtocolManifest } from "./protocol.ts";

/** A protocol whose code is loaded at its first use. */
export interface Plugin {
  readonly manifest: ProtocolManifest;
  load(): Promise<Protocol>;
}

/** Finds protocols by id, by hint and by URL. */
export class Registry {
  readonly #plugins: readonly Plugin[];
  readonly #loaded = new Map<string, Promise<Protocol>>();

  constructor(plugins: readonly Plugin[]) {
    this.#plugins = plugins;
  }

  /** All manifests, in the order of registration. */
  get manifests(): readonly ProtocolManifest[] {
    return this.#plugins.map((plugin) => plugin.manifest);
  }

  /**
   * The manifest with this id or hint, in any case.
   *
   * @throws {BowireError} `unknown_protocol`, with the known ids.
   */
  find(idOrHint: string): ProtocolManifest {
    const wanted = idOrHint.toLowerCase();
    const found = this.manifests.find((manifest) => manifest.hints.includes(wanted));
    if (found !== undefined) return found;
    const known = this.manifests.map((manifest) => manifest.id);
    throw new BowireError("unknown_protocol", `there is no protocol "${idOrHint}"`, {
      hint: `known are: ${known.join(", ")}`,
      details: { protocols: known },
    });
  }

  /** The protocols that may speak to a target, the surest first; a hint on the URL decides alone. */
  claimants(target: Target): ProtocolManifest[] {
    if (target.hint !== undefined) return [this.find(target.hint)];
    const byClaim = Map.groupBy(this.manifests, (manifest) => manifest.claims(target));
    return [...byClaim.get("certain") ?? [], ...byClaim.get("possible") ?? []];
  }

  /** The one protocol that a target belongs to, judged by its URL; `undefined` when that leaves doubt. */
  ownerOf(target: Target): ProtocolManifest | undefined {
    const claimants = this.claimants(target);
    const certain = claimants.filter((manifest) => manifest.claims(target) === "certain");
    const [first, ...others] = certain.length === 0 ? claimants : certain;
    return others.length === 0 ? first : undefined;
  }

  /** The code of a protocol; loaded once. */
  load(manifest: ProtocolManifest): Promise<Protocol> {
    const known = this.#loaded.get(manifest.id);
    if (known !== undefined) return known;
    const plugin = this.#plugins.find((candidate) => candidate.manifest.id === manifest.id);
    if (plugin === undefined) throw new RangeError(`"${manifest.id}" is not registered`);
    const loading = plugin.load();
    this.#loaded.set(manifest.id, loading);
    return loading;
  }

  /** Lets the protocols go of what they keep; those that fail at it, or take long, are left. */
  async close(context: CallContext): Promise<void> {
    const closing = [...this.#loaded.values()].map(async (loading) =>
      await (await loading).close?.(context)
    );
    const { promise: late, resolve } = Promise.withResolvers<void>();
    context.signal.addEventListener("abort", () => resolve(), { once: true });
    await Promise.race([Promise.allSettled(closing), late]);
  }
}
