/**
 * One schema as every client takes it: one type a node, no booleans for schemas, no keyword beside
 * a type that it does not speak of, alternatives as `anyOf` alone.
 *
 * What cannot be said so is left out: a schema here tells how to write arguments, and the target's
 * protocol holds them to the whole truth.
 *
 * @module
 */
import {
  entriesOf,
  isObject,
  isSchema,
  type JsonObject,
  listOf,
} from "../../schema/json_schema.ts";
import { isEqual } from "../../schema/json_values.ts";
import { compilePattern } from "../../schema/patterns.ts";
import { alternatives, combine } from "./alternatives.ts";
import { choiceText } from "./choices.ts";
import { saysNothing, speaksOf, trim, type TypeName, typeOfKeyword } from "./keywords.ts";
import { joinSentences } from "./texts.ts";
import { splitNode, typesOf, typeWithin } from "./types.ts";

/** Where a node stands. */
export interface Around {
  /** The name of the property that it describes. */
  readonly name?: string | undefined;
  /** The type that a surrounding node gives to the same value. */
  readonly context?: TypeName | undefined;
}

/** What no value satisfies. */
const NEVER: JsonObject = { not: {} };

/** Keywords that are read one by one below. */
const APART = new Set([
  "type",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
]);

/** The portable form of a node that `SchemaPacker` made. */
export function portableNode(node: JsonObject, around: Around = {}): JsonObject {
  return narrow(node, around) ?? NEVER;
}

/** The same; `undefined` when no value satisfies it. */
function narrow(node: JsonObject, around: Around): JsonObject | undefined {
  const { context } = around;
  const declared = typesOf(node);
  const types = declared.flatMap((type) => typeWithin(type, context) ?? []);
  if (declared.length > 0 && types.length === 0) return undefined;
  if (types.length > 1) {
    const { annotations, branches } = splitNode(trim(node, around.name), types);
    return alternatives(annotations, branches.map((branch) => narrow(branch, { context })));
  }
  const trimmed = trim(node, around.name);
  const type = types[0] ?? (context === undefined ? impliedType(trimmed) : undefined);
  return assemble(trimmed, { type, value: type ?? context });
}

/** The one type that all keywords of a node speak of, when none of its forms is of another. */
function impliedType(node: JsonObject): TypeName | undefined {
  const spoken = new Set(
    Object.keys(node).filter((keyword) => keyword !== "format")
      .flatMap((keyword) => typeOfKeyword(keyword, node) ?? []),
  );
  if (spoken.size === 0 && "format" in node) spoken.add(typeOfKeyword("format", node) ?? "string");
  const [type, ...others] = spoken;
  if (type === undefined || others.length > 0) return undefined;
  const forms = ["anyOf", "oneOf"].flatMap((keyword) => listOf(node[keyword]));
  const isAnother = forms.some((form) =>
    isObject(form) && typesOf(form).some((each) => !speaksOf(type, each))
  );
  return isAnother ? undefined : type;
}

/** The node with keywords of its own type only. @param value the type of its value, if known. */
function assemble(
  node: JsonObject,
  { type, value }: { type: TypeName | undefined; value: TypeName | undefined },
): JsonObject | undefined {
  const speaks = (keyword: string) => {
    const spoken = typeOfKeyword(keyword, node);
    return spoken === undefined || (value !== undefined && speaksOf(spoken, value));
  };
  const own = Object.fromEntries(
    Object.entries(node).filter(([keyword]) => !APART.has(keyword) && speaks(keyword)),
  );
  const within = { context: value };
  const negation = negate(node, within);
  const condition = conditionOf(node, within);
  const isConditionLost = "if" in node && condition === undefined;
  const keywords = {
    ...(type === undefined ? {} : { type }),
    ...listKeywords(objectKeywords(own, isConditionLost)),
    ...describe(own["description"], negation.text),
    ...negation.schema,
    ...condition,
  };
  return combine(keywords, {
    parts: listOf(node["allOf"]).filter(isObject).map((part) => narrow(part, within)),
    choices: ["anyOf", "oneOf"].flatMap((keyword) => {
      const forms = listOf(node[keyword]).filter(isObject);
      return forms.length === 0 ? [] : [forms.map((form) => narrow(form, within))];
    }),
  });
}

function describe(description: unknown, addition: string | undefined): JsonObject {
  if (addition === undefined) return {};
  const text = typeof description === "string" ? description : undefined;
  return { description: joinSentences([text, addition]) };
}

/** A schema that stands for its contrary must stay as it is: what it loses, the whole would gain. */
function unchanged(schema: unknown, around: Around): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  const portable = narrow(schema, around);
  return portable !== undefined && isEqual(portable, schema) ? portable : undefined;
}

function negate({ not }: JsonObject, within: Around): { schema?: JsonObject; text?: string } {
  if (not === undefined) return {};
  const text = choiceText(not);
  if (text !== undefined) return { text };
  const schema = unchanged(not, within);
  return schema === undefined ? {} : { schema: { not: schema } };
}

function conditionOf(node: JsonObject, within: Around): JsonObject | undefined {
  const condition = unchanged(node["if"], within);
  if (condition === undefined) return undefined;
  const branches = ["then", "else"].flatMap((keyword) => {
    const branch = node[keyword];
    return isObject(branch) ? [[keyword, portableNode(branch, within)]] : [];
  });
  return branches.length === 0 ? undefined : { if: condition, ...Object.fromEntries(branches) };
}

/** The keywords of objects. @param isOpen whether properties may be there that no keyword names. */
function objectKeywords(own: JsonObject, isOpen: boolean): JsonObject {
  const { properties, patternProperties, dependentSchemas, propertyNames, ...others } = own;
  const named = mapEntries(properties, (schema, name) => portableNode(schema, { name }));
  const patterns = entriesOf(patternProperties)
    .filter(([pattern]) => !entriesOf(properties).some(([name]) => isMatch(pattern, name)));
  // Without its pattern, a name might fall under what is said of the others.
  const isLost = patterns.length < entriesOf(patternProperties).length;
  const rest = Object.entries(others).flatMap(([keyword, value]) => {
    if (keyword === "additionalProperties" && isLost) return [];
    if (keyword === "unevaluatedProperties" && (isLost || isOpen)) return [];
    const isOfOthers = keyword === "additionalProperties" || keyword === "unevaluatedProperties";
    return [[keyword, isOfOthers && isObject(value) ? portableNode(value) : value]];
  });
  return {
    ...Object.fromEntries(rest),
    ...(named.length === 0 ? {} : { properties: Object.fromEntries(named) }),
    ...(patterns.length === 0 ? {} : {
      patternProperties: Object.fromEntries(
        mapEntries(Object.fromEntries(patterns), (schema) => portableNode(schema)),
      ),
    }),
    ...(dependentSchemas === undefined ? {} : {
      dependentSchemas: Object.fromEntries(
        mapEntries(dependentSchemas, (schema) => portableNode(schema, { context: "object" })),
      ),
    }),
    ...(isObject(propertyNames)
      ? { propertyNames: portableNode(propertyNames, { context: "string" }) }
      : {}),
  };
}

function mapEntries(
  schemas: unknown,
  map: (schema: JsonObject, name: string) => JsonObject,
): [string, JsonObject][] {
  return entriesOf(schemas).flatMap(([name, schema]) =>
    isObject(schema) ? [[name, map(schema, name)]] : []
  );
}

function isMatch(pattern: string, name: string): boolean {
  return compilePattern(pattern)?.test(name) ?? true;
}

/** The keywords of lists. */
function listKeywords(own: JsonObject): JsonObject {
  const { prefixItems, items, contains, minContains, maxContains, ...others } = own;
  const { unevaluatedItems, ...rest } = others;
  return {
    ...rest,
    ...itemsOf(prefixItems, isSchema(items) ? items : undefined),
    ...(unevaluatedItems !== undefined && isObject(unevaluatedItems) && prefixItems === undefined
      ? { unevaluatedItems: portableNode(unevaluatedItems) }
      : {}),
    ...containsOf({ contains, minContains, maxContains }),
  };
}

/** Few clients know items by position: they become the kinds of item, in their order. */
function itemsOf(prefixItems: unknown, items: JsonObject | boolean | undefined): JsonObject {
  const placed = listOf(prefixItems).filter(isObject);
  if (placed.length === 0) {
    return items === undefined ? {} : { items: isObject(items) ? portableNode(items) : {} };
  }
  const isClosed = isObject(items) && isEqual(items, NEVER);
  const others = isObject(items) && !isClosed ? [items] : [];
  if (items === undefined || saysNothing(items)) return { items: {} };
  return {
    items: alternatives({}, [...placed, ...others].map((item) => portableNode(item))),
    ...(isClosed ? { maxItems: placed.length } : {}),
  };
}

function containsOf({ contains, minContains, maxContains }: JsonObject): JsonObject {
  if (!isObject(contains)) return {};
  const [least, most] = [Number(minContains ?? 1), Number(maxContains ?? Infinity)];
  // At most so many: what the schema loses would be counted too.
  const schema = most === Infinity ? portableNode(contains) : unchanged(contains, {});
  if (schema === undefined || least > most || least === 0) return {};
  return {
    contains: schema,
    ...(minContains === undefined ? {} : { minContains }),
    ...(maxContains === undefined ? {} : { maxContains }),
  };
}
