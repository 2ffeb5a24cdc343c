/**
 * Lists and objects of samples.
 *
 * @module
 */
import { entriesOf, type JsonObject, listOf } from "../json_schema.ts";
import { canonicalText } from "../json_values.ts";
import {
  isOpen,
  itemSchemas,
  leastCount,
  memberSchemas,
  mostCount,
  requiredNames,
  valuesOf,
} from "./demands.ts";

/** Where a value stands. */
export interface Around {
  readonly depth: number;
  /** Goals of the references that lead here: what refers to them again recurs. */
  readonly goals: ReadonlySet<unknown>;
  /** Tells values from each other that must not be equal. */
  readonly variant: number;
}

/** Makes what is within lists and objects. */
export interface Maker {
  /** A value that satisfies all schemas; `undefined` when none was found. */
  make(schemas: readonly unknown[], around: Around): unknown;
  /** True when one of the schemas leads back to what is being made. */
  recurs(schemas: readonly unknown[], around: Around): boolean;
  /** Whether optional properties are written out here. */
  hasOptionals(around: Around): boolean;
}

/** Items that a sample may have to have. */
const MAX_ITEMS = 1000;

/** As short as is allowed, but with one item where that is allowed. */
export function buildList(
  nodes: readonly JsonObject[],
  around: Around,
  maker: Maker,
): unknown[] | undefined {
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
    if (items.length >= least && maker.recurs(schemas, around)) break;
    const item = maker.make(schemas, {
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

/** With what is required, and what is wanted besides. */
export function buildObject(
  nodes: readonly JsonObject[],
  around: Around,
  maker: Maker,
): JsonObject | undefined {
  const required = requiredNames(nodes);
  const least = leastCount(nodes, "minProperties");
  const most = mostCount(nodes, "maxProperties");
  const members = new Map<string, unknown>();
  let [needed, room] = [least - required.size, most - required.size];
  for (const name of namesOf(nodes, around, maker)) {
    const isRequired = required.has(name);
    const schemas = memberSchemas(nodes, name);
    // Of a value that may be anything nobody knows what it should be.
    const isKnown = schemas.some((schema) => Object.keys(Object(schema)).length > 0);
    const isWanted = room > 0 && (needed > 0 || (isKnown && maker.hasOptionals(around)));
    if (!isRequired && (!isWanted || maker.recurs(schemas, around))) continue;
    const member = maker.make(schemas, { ...around, depth: around.depth + 1 });
    if (member !== undefined) members.set(name, member);
    else if (isRequired) return undefined;
    if (member !== undefined && !isRequired) [needed, room] = [needed - 1, room - 1];
  }
  return members.size >= least ? Object.fromEntries(members) : undefined;
}

/** The properties that are described, those that are required, and some for a map. */
function namesOf(nodes: readonly JsonObject[], around: Around, maker: Maker): Set<string> {
  const known = valuesOf(nodes, "properties").flatMap(entriesOf).map(([name]) => name);
  const names = new Set([...known, ...requiredNames(nodes)]);
  const isMap = names.size === 0 && maker.hasOptionals(around) && nodes.some(isOpen);
  const invented = Math.max(leastCount(nodes, "minProperties") - names.size, isMap ? 1 : 0);
  const patterns = valuesOf(nodes, "patternProperties").flatMap(entriesOf)
    .map(([pattern]) => ({ pattern }));
  const like = [...valuesOf(nodes, "propertyNames"), ...patterns.slice(0, 1)];
  for (let variant = 0; variant < Math.min(invented, MAX_ITEMS); variant++) {
    const name = like.length === 0
      ? `property${variant + 1}`
      : maker.make([{ type: "string" }, ...like], { ...around, variant });
    if (typeof name === "string") names.add(name);
  }
  return names;
}
