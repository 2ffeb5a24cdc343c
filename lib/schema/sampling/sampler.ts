/**
 * Values made to satisfy schemas: those that the author wrote where they fit, small ones elsewhere.
 *
 * @module
 */
import type { JsonObject } from "../json_schema.ts";
import { Evaluator } from "../validation/evaluator.ts";
import { type Demands, demandsOf, impliedType, typesOf, writtenValues } from "./demands.ts";
import { type Around, buildList, buildObject, type Maker } from "./members.ts";
import { candidateNumbers } from "./numbers.ts";
import { sampleText } from "./texts.ts";

/** What samples are like. */
export interface SamplerOptions {
  readonly seed: number;
  /** Whether optional properties are there too. */
  readonly optionals: boolean;
  /** Whether they may have several forms of a `oneOf`. */
  readonly mayOverlap: boolean;
}

/** Most values within each other. */
const MAX_DEPTH = 16;
/** Levels on which optional properties are written out. */
const MAX_OPTIONAL_DEPTH = 4;
/** Values made before optional properties are left out, and before the sample is given up. */
const [MAX_OPTIONAL_VALUES, MAX_VALUES] = [500, 5000];

/** Makes values for the schemas of one root. */
export class Sampler implements Maker {
  readonly #options: SamplerOptions;
  readonly #evaluator: Evaluator;
  #values = 0;

  /** Makes a sampler for schemas whose references lead into `root`. */
  constructor(root: JsonObject, options: SamplerOptions) {
    this.#options = options;
    this.#evaluator = new Evaluator(root, options);
  }

  /** A value for a schema; `undefined` when none was found. */
  sample(schema: unknown): unknown {
    return this.make([schema], { depth: 0, goals: new Set(), variant: 0 });
  }

  /** Whether optional properties are written out here. */
  hasOptionals({ depth }: Around): boolean {
    return this.#options.optionals && depth < MAX_OPTIONAL_DEPTH &&
      this.#values < MAX_OPTIONAL_VALUES;
  }

  /** A value that satisfies all schemas. */
  make(schemas: readonly unknown[], around: Around): unknown {
    if (around.depth > MAX_DEPTH || ++this.#values > MAX_VALUES) return undefined;
    const demands = demandsOf(schemas, this.#evaluator.resolve);
    if (demands === undefined) return undefined;
    const accepts = (value: unknown) =>
      schemas.every((schema) => this.#evaluator.accepts(schema, value));
    return this.#choose(demands, { around, accepts });
  }

  /** Tries the forms of each choice in turn. */
  #choose(
    { nodes, choices, goals }: Demands,
    context: { around: Around; accepts: (value: unknown) => boolean },
  ): unknown {
    const { around, accepts } = context;
    const written = writtenValues(nodes, around.variant).find(accepts);
    if (written !== undefined) return written;
    const [forms, ...others] = choices;
    if (forms === undefined) {
      const value = this.#build(nodes, { ...around, goals: around.goals.union(goals) });
      return value !== undefined && accepts(value) ? value : undefined;
    }
    for (const form of this.#inOrder(forms, around)) {
      const value = this.#choose({
        nodes: [...nodes, ...form.nodes],
        choices: [...form.choices, ...others],
        goals: goals.union(form.goals),
      }, context);
      if (value !== undefined || this.#values > MAX_VALUES) return value;
    }
    return undefined;
  }

  /** Forms that recur last, and before them those that are only null. */
  #inOrder(forms: readonly unknown[], { goals }: Around): Demands[] {
    const rank = (form: Demands) => {
      if (!goals.isDisjointFrom(form.goals)) return 2;
      return typesOf(form.nodes)?.join() === "null" ? 1 : 0;
    };
    return forms.map((form) => demandsOf([form], this.#evaluator.resolve))
      .filter((form) => form !== undefined)
      .sort((a, b) => rank(a) - rank(b));
  }

  /** A value of the first type that works. */
  #build(nodes: readonly JsonObject[], around: Around): unknown {
    const types = typesOf(nodes) ?? [impliedType(nodes)];
    const inOrder = [...types.filter((type) => type !== "null"), ...types];
    for (const type of new Set(inOrder)) {
      const value = this.#buildType(type, nodes, around);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #buildType(type: string, nodes: readonly JsonObject[], around: Around): unknown {
    const { variant } = around;
    switch (type) {
      case "null":
        return null;
      case "boolean":
        return variant % 2 === 0;
      case "integer":
      case "number":
        return candidateNumbers(nodes, { isWhole: type === "integer", variant }).find((number) =>
          nodes.every((node) => this.#evaluator.accepts(node, number))
        );
      case "array":
        return buildList(nodes, around, this);
      case "object":
        return buildObject(nodes, around, this);
      default:
        return sampleText(nodes, { seed: this.#options.seed, variant });
    }
  }

  /** True when one of the schemas leads back to what is being made. */
  recurs(schemas: readonly unknown[], { goals }: Around): boolean {
    const demands = demandsOf(schemas, this.#evaluator.resolve);
    return demands !== undefined && !demands.goals.isDisjointFrom(goals);
  }
}
