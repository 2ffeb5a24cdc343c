/**
 * The types that messages mention by name: those at hand, and those asked for.
 *
 * @module
 */
import type { DescExtension, DescMessage, Registry } from "@bufbuild/protobuf";

/** What messages are read and written by. */
export interface Codec {
  /** Types for Any, and extensions. */
  readonly registry: Registry;
  /**
   * Asked for the full name of a type or an extension that the registry lacks; resolves to a
   * registry that has it, or to `undefined`. What it rejects with ends the reading or writing.
   */
  readonly find?: (typeName: string) => Promise<Registry | undefined>;
}

/** Most names that are asked for in one message. */
const MAX_ASKED = 50;

/** The types at hand; it remembers what was looked up in vain. */
export class Types {
  /** Full names of what is not at hand. */
  readonly missing: Set<string> = new Set();
  readonly #registries: readonly Registry[];

  /** Earlier registries come first. */
  constructor(registries: readonly Registry[]) {
    this.#registries = registries;
  }

  /** The message type that a type URL of Any names: what stands after the last slash. */
  messageOf(typeUrl: string): DescMessage | undefined {
    const name = typeUrl.slice(typeUrl.lastIndexOf("/") + 1);
    return this.#first(name, (registry) => registry.getMessage(name));
  }

  /** The extension of a full name, when it extends that type. */
  extension(type: DescMessage, name: string): DescExtension | undefined {
    const found = this.#first(name, (registry) => registry.getExtension(name));
    return found?.extendee.typeName === type.typeName ? found : undefined;
  }

  /** The extension of a type that has that number. */
  extensionAt(type: DescMessage, no: number): DescExtension | undefined {
    for (const registry of this.#registries) {
      const found = registry.getExtensionFor(type, no);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #first<T>(name: string, look: (registry: Registry) => T | undefined): T | undefined {
    for (const registry of this.#registries) {
      const found = look(registry);
      if (found !== undefined) return found;
    }
    this.missing.add(name);
    return undefined;
  }
}

/** Runs the attempt, and again as long as types that it lacked are found. */
export async function withTypes<T>(codec: Codec, attempt: (types: Types) => T): Promise<T> {
  const registries = [codec.registry];
  const asked = new Set<string>();
  for (;;) {
    const types = new Types(registries);
    const end = settle(() => attempt(types));
    const found = await findAll(codec, { names: types.missing, asked });
    if (found.length === 0) return end();
    registries.push(...found);
  }
}

/** Runs now; what it returned or threw comes out when the result is called. */
function settle<T>(run: () => T): () => T {
  try {
    const value = run();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

async function findAll(
  { find }: Codec,
  { names, asked }: { readonly names: ReadonlySet<string>; readonly asked: Set<string> },
): Promise<Registry[]> {
  const found: Registry[] = [];
  for (const name of names) {
    if (find === undefined || asked.has(name) || asked.size >= MAX_ASKED) continue;
    asked.add(name);
    const registry = await find(name);
    if (registry !== undefined) found.push(registry);
  }
  return found;
}
