/**
 * Values made to satisfy schemas: those that the author wrote where they fit, small ones elsewhere.
 *
 * @module
 */
import { entriesOf, type JsonObject, listOf } from "../json_schema.ts";
import { canonicalText } from "../json_values.ts";
import { Evaluator } from "../validation/evaluator.ts";
import {
  type Demands,
  demandsOf,
  itemSchemas,
  leastCount,
  memberSchemas,
  mostCount,
  requiredNames,
  typesOf,
  valuesOf,
} from "./demands.ts";
import { candidateNumbers } from "./numbers.ts";
import { sampleText } from "./texts.ts";

/** What samples are like. */
export interface SamplerOptions {
  readonly seed: number;
  /** Whether optional properties are there too. */
  readonly optionals: boolean;
}

/** Where a value stands. */
interface Around {
  readonly depth: number;
  /** Goals of the references that lead here: what refers to them again recurs. */
  readonly goals: ReadonlySet<unknown>;
  /** Tells values from each other that must not be equal. */
  readonly variant: number;
}

/** Most values within each other. */
const MAX_DEPTH = 16;
/** Levels on which optional properties are written out. */
const MAX_OPTIONAL_DEPTH = 4;
/** Values made before optional properties are left out, and before the sample is given up. */
const [MAX_OPTIONAL_VALUES, MAX_VALUES] = [500, 5000];
/** Items that a sample may have to have. */
const MAX_ITEMS = 1000;
/** Types that keywords stand for where none is named. */
const TYPES_OF_KEYWORDS = [
  ["object", /^(?:properties|required|additionalProperties|patternProperties|minProperties)$/],
  ["array", /^(?:items|prefixItems|contains|minItems|uniqueItems)$/],
  ["number", /^(?:multipleOf|m..imum|exclusiveM..imum)$/],
] as const;

/** Makes values for the schemas of one root. */
export class Sampler {
  readonly #options: SamplerOptions;
  readonly #evaluator: Evaluator;
  #values = 0;

  /** Makes a sampler for schemas whose references lead into `root`. */
  constructor(root: JsonObject, options: SamplerOptions) {
    this.#options = options;
    this.#evaluator = new Evaluator(root);
  }

  /** A value for a schema; `undefined` when none was found. */
  sample(schema: unknown): unknown {
    return this.#make([schema], { depth: 0, goals: new Set(), variant: 0 });
  }

  /** A value that satisfies all schemas. */
  #make(schemas: readonly unknown[], around: Around): unknown {
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
        return this.#buildList(nodes, around);
      case "object":
        return this.#buildObject(nodes, around);
      default:
        return sampleText(nodes, { seed: this.#options.seed, variant });
    }
  }

  /** As short as is allowed, but with one item where that is allowed. */
  #buildList(nodes: readonly JsonObject[], around: Around): unknown[] | undefined {
    const contained = valuesOf(nodes, "contains");
    const least = Math.max(
      leastCount(nodes, "minItems"),
      contained.length > 0 ? Math.max(1, leastCount(nodes, "minContains")) : 0,
    );
    const tuple = Math.max(1, ...valuesOf(nodes, "prefixItems").map((list) => listOf(list).length));
    const count = Math.min(Math.max(least, tuple), mostCount(nodes, "maxItems"));
    if (count > MAX_ITEMS) return undefined;
    const isUnique = valuesOf(nodes, "uniqueItems").includes(true);
    const items: unknown[] = [];
    const texts = new Set<string>();
    for (let variant = around.variant; items.length < count; variant++) {
      const schemas = [
        ...itemSchemas(nodes, items.length),
        ...(items.length < least ? contained : []),
      ];
      if (items.length >= least && this.#recurs(schemas, around)) break;
      const item = this.#make(schemas, {
        ...around,
        depth: around.depth + 1,
        variant: isUnique ? variant : around.variant,
      });
      if (item === undefined || variant > around.variant + 2 * count) break;
      const text = isUnique ? canonicalText(item) : String(variant);
      if (!texts.has(text)) items.push(item);
      texts.add(text);
    }
    return items.length >= least ? items : undefined;
  }

  #recurs(schemas: readonly unknown[], { goals }: Around): boolean {
    const demands = demandsOf(schemas, this.#evaluator.resolve);
    return demands !== undefined && !demands.goals.isDisjointFrom(goals);
  }

  #buildObject(nodes: readonly JsonObject[], around: Around): JsonObject | undefined {
    const required = requiredNames(nodes);
    const least = leastCount(nodes, "minProperties");
    const most = mostCount(nodes, "maxProperties");
    const isFull = this.#options.optionals && around.depth < MAX_OPTIONAL_DEPTH;
    const members = new Map<string, unknown>();
    let optional = Math.min(isFull ? Infinity : least - required.size, most - required.size);
    for (const name of this.#names(nodes, around)) {
      const isRequired = required.has(name);
      const schemas = memberSchemas(nodes, name);
      const isWanted = optional > 0 && this.#values < MAX_OPTIONAL_VALUES;
      if (!isRequired && (!isWanted || this.#recurs(schemas, around))) continue;
      const member = this.#make(schemas, { ...around, depth: around.depth + 1 });
      if (member !== undefined) members.set(name, member);
      else if (isRequired) return undefined;
      if (member !== undefined && !isRequired) optional--;
    }
    return members.size >= least ? Object.fromEntries(members) : undefined;
  }

  /** The properties that are described, those that are required, and some for a map. */
  #names(nodes: readonly JsonObject[], around: Around): Set<string> {
    const known = valuesOf(nodes, "properties").flatMap(entriesOf).map(([name]) => name);
    const names = new Set([...known, ...requiredNames(nodes)]);
    const isMap = names.size === 0 && this.#options.optionals && nodes.some(isOpen);
    const invented = Math.max(leastCount(nodes, "minProperties") - names.size, isMap ? 1 : 0);
    const patterns = valuesOf(nodes, "patternProperties").flatMap(entriesOf)
      .map(([pattern]) => ({ pattern }));
    const like = [...valuesOf(nodes, "propertyNames"), ...patterns.slice(0, 1)];
    for (let variant = 0; variant < Math.min(invented, MAX_ITEMS); variant++) {
      const name = like.length === 0
        ? `property${variant + 1}`
        : this.#make([{ type: "string" }, ...like], { ...around, variant });
      if (typeof name === "string") names.add(name);
    }
    return names;
  }
}

/** True for a node whose members are named by who writes them. */
function isOpen(node: JsonObject): boolean {
  return "patternProperties" in node ||
    (node["additionalProperties"] !== undefined && node["additionalProperties"] !== false);
}

/** Examples, defaults and the values that are listed. */
function writtenValues(nodes: readonly JsonObject[], variant: number): unknown[] {
  const values = [
    ...valuesOf(nodes, "examples").flatMap(listOf),
    ...valuesOf(nodes, "default"),
    ...valuesOf(nodes, "const"),
    ...valuesOf(nodes, "enum").flatMap(listOf),
  ];
  const first = values.length === 0 ? 0 : variant % values.length;
  return [...values.slice(first), ...values.slice(0, first)];
}

function impliedType(nodes: readonly JsonObject[]): string {
  const keywords = nodes.flatMap((node) => Object.keys(node));
  const implied = TYPES_OF_KEYWORDS.find(([, pattern]) =>
    keywords.some((keyword) => pattern.test(keyword))
  );
  return implied?.[0] ?? "string";
}
