/**
 * The members of objects and the items of lists, each held against the schemas for it (JSON Schema
 * core, sections 10.3 and 11).
 *
 * @module
 */
import {
  entriesOf,
  isObject,
  isSchema,
  type JsonObject,
  listOf,
  memberOf,
} from "../json_schema.ts";
import { compilePattern } from "../patterns.ts";
import { countText } from "./violations.ts";
import { found, under } from "./findings.ts";
import { isRefusal, refusedName } from "./names.ts";
import { type Checker, MAX_FINDINGS, type Visit } from "./visit.ts";

/** Checks the items of a list. */
export function checkItems(visit: Visit<readonly unknown[]>, checker: Checker): void {
  const { schema, value, seen } = visit;
  const tuple = listOf(schema["prefixItems"]);
  for (const index of value.keys()) {
    const itemSchema = index < tuple.length ? tuple[index] : schema["items"];
    if (isSchema(itemSchema) && !isFull(visit)) {
      seen?.indexes.add(index);
      checkItem(visit, { index, schema: itemSchema, checker });
    }
  }
  if (isSchema(schema["contains"]) && !isFull(visit)) checkContains(visit, checker);
}

function isFull({ findings }: Visit): boolean {
  return findings.length >= MAX_FINDINGS;
}

function checkItem(
  { value, findings }: Visit<readonly unknown[]>,
  { index, schema, checker }: { index: number; schema: unknown; checker: Checker },
): void {
  const found = isRefusal(schema) ? [NO_ITEM] : checker.check(schema, value[index]);
  findings.push(...under(index, found));
}

const NO_ITEM = found("items", "is not an item that exists here");

function checkContains(
  { schema, value, seen, findings }: Visit<readonly unknown[]>,
  { check }: Checker,
): void {
  const fitting = [...value.keys()].filter((index) =>
    check(schema["contains"], value[index]).length === 0
  );
  for (const index of fitting) seen?.indexes.add(index);
  const [min, max] = [schema["minContains"] ?? 1, schema["maxContains"]];
  if (typeof min === "number" && fitting.length < min) {
    const text = `has fewer than ${countText(min, "item")} of a kind that it must have`;
    findings.push(found("minContains", text));
  } else if (typeof max === "number" && fitting.length > max) {
    const text = `has more than ${countText(max, "item")} of a kind that it may have`;
    findings.push(found("maxContains", text));
  }
}

/** Checks the members of an object. */
export function checkProperties(visit: Visit<JsonObject>, checker: Checker): void {
  const { schema, value, seen, findings } = visit;
  for (const [name, member] of entriesOf(value)) {
    if (isFull(visit)) return;
    const schemas = schemasFor(schema, name);
    if (schemas.length > 0) seen?.names.add(name);
    for (const by of schemas) {
      const faults = isRefusal(by)
        ? [refusedName(name, { schema, by, checker })]
        : checker.check(by, member);
      findings.push(...under(name, faults));
    }
    for (const { message } of checker.check(schema["propertyNames"], name)) {
      findings.push(...under(name, [found("propertyNames", `has a name that ${message}`)]));
    }
  }
  for (const [cause, dependent] of entriesOf(schema["dependentSchemas"])) {
    if (memberOf(value, cause) === undefined || isFull(visit)) continue;
    findings.push(...checker.check(dependent, value, seen));
  }
}

/** The schemas of an object for the member with a name. */
function schemasFor(schema: JsonObject, name: string): unknown[] {
  const { properties, additionalProperties } = schema;
  const schemas = entriesOf(schema["patternProperties"])
    .filter(([pattern]) => compilePattern(pattern)?.test(name) === true)
    .map(([, patterned]) => patterned);
  const own = isObject(properties) ? memberOf(properties, name) : undefined;
  if (own !== undefined) return [own, ...schemas];
  return schemas.length === 0 && isSchema(additionalProperties) ? [additionalProperties] : schemas;
}

/** Checks the members and items that no other keyword spoke of (core, section 11). */
export function checkUnseen({ schema, value, seen, findings }: Visit, checker: Checker): void {
  const { unevaluatedItems, unevaluatedProperties } = schema;
  if (seen === undefined) return;
  if (Array.isArray(value) && isSchema(unevaluatedItems)) {
    const visit = { schema, value, seen, findings };
    for (const index of value.keys()) {
      if (seen.indexes.has(index) || isFull(visit)) continue;
      checkItem(visit, { index, schema: unevaluatedItems, checker });
      seen.indexes.add(index);
    }
  }
  if (!isObject(value) || !isSchema(unevaluatedProperties)) return;
  for (const [name, member] of entriesOf(value)) {
    if (seen.names.has(name) || findings.length >= MAX_FINDINGS) continue;
    const faults = isRefusal(unevaluatedProperties)
      ? [refusedName(name, { schema, by: unevaluatedProperties, checker })]
      : checker.check(unevaluatedProperties, member);
    findings.push(...under(name, faults));
    seen.names.add(name);
  }
}
