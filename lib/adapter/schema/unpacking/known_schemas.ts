/**
 * Schemas that were seen before, by their text.
 *
 * @module
 */
import type { JsonObject } from "../../../schema/json_schema.ts";
import { SchemaPacker } from "../../../schema/pack.ts";
import { eachSchema, referenceOf } from "../visit.ts";
import { referencesOfSameValue } from "./loops.ts";

/** A schema by itself. */
export interface KnownSchema {
  /** Its references are as they were. */
  readonly portable: JsonObject;
  /** Schemas within it, and itself. */
  readonly nodes: number;
  /** Names of the definitions that it refers to; `undefined` when it refers to anything else. */
  readonly references: readonly string[] | undefined;
  /** Those of them that speak of the same value. */
  readonly ofSameValue: readonly string[];
}

/** How schemas are read. */
export interface KnownOptions {
  readonly prepare: (schema: JsonObject) => JsonObject;
  readonly maxNodes: number;
  readonly toPortable: (packed: JsonObject, name: string | undefined) => JsonObject;
}

/** Names that need no other spelling. */
const PLAIN_NAME = /^(?!__proto__$)(?=[A-Za-z0-9._-]*[A-Za-z0-9])[A-Za-z0-9._-]{1,100}$/;

/** Most characters of schemas that are remembered. */
const MAX_CHARS = 16 * 1024 * 1024;

/** Reads schemas, and remembers them. */
export class KnownSchemas {
  readonly #options: KnownOptions;
  readonly #byText = new Map<string, KnownSchema>();
  #chars = 0;

  constructor(options: KnownOptions) {
    this.#options = options;
  }

  /** A schema that is likely to come again. @param name of the property that it describes. */
  recall(schema: JsonObject, name?: string): KnownSchema {
    const text = JSON.stringify([name, schema]);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    this.#chars += text.length;
    if (this.#chars > MAX_CHARS) this.forget();
    const read = this.read(schema, name);
    this.#byText.set(text, read);
    return read;
  }

  /** Lets go of all that was seen. */
  forget(): void {
    this.#byText.clear();
    this.#chars = 0;
  }

  /** A schema that is not. */
  read(schema: JsonObject, name?: string): KnownSchema {
    const { prepare, maxNodes, toPortable } = this.#options;
    const goals = new Map<string, JsonObject>();
    let isPlain = true;
    const packer = new SchemaPacker((node) => {
      const { $ref, ...beside } = Object(node);
      const goal = referenceOf({ $ref });
      if (goal === undefined || !PLAIN_NAME.test(goal)) {
        isPlain = false;
        return undefined;
      }
      const identity = goals.get(goal) ?? {};
      goals.set(goal, identity);
      return { value: beside, identity, name: goal };
    }, { maxNodes });
    const packed = prepare(packer.pack(schema));
    let nodes = 0;
    eachSchema(packed, () => nodes++);
    let portable: JsonObject | undefined;
    return {
      get portable() {
        return portable ??= toPortable(packed, name);
      },
      nodes: packer.isCut ? Infinity : nodes,
      references: isPlain ? [...goals.keys()] : undefined,
      ofSameValue: referencesOfSameValue(packed),
    };
  }
}
