/**
 * A schema of arguments as one plain object: clients refuse a tool whose schema has alternatives
 * or references at its root.
 *
 * @module
 */
import { entriesOf, isObject, type JsonObject, listOf } from "../../schema/json_schema.ts";
import { isEqual } from "../../schema/json_values.ts";
import { alternatives } from "./alternatives.ts";
import { joinSentences } from "./texts.ts";
import { typesOf } from "./types.ts";
import { type Definitions, referenceOf } from "./visit.ts";

/** What the parts of a schema say of an object, put together. */
interface Form {
  /** True when it says that it is an object. */
  readonly isObject: boolean;
  readonly properties: ReadonlyMap<string, JsonObject>;
  readonly required: ReadonlySet<string>;
  readonly patterns: ReadonlyMap<string, JsonObject>;
  /** What other members are; `false` when there are none. */
  readonly others: JsonObject | false | undefined;
  readonly dependent: JsonObject;
  /** Sentences on what is not said otherwise. */
  readonly texts: readonly string[];
}

/** Most names in a sentence on alternatives, and most alternatives in it. */
const [MAX_NAMES, MAX_FORMS] = [12, 12];

/**
 * The object that a portable schema describes, its references followed at the root alone;
 * `undefined` when it describes something else than objects. Alternatives become properties that
 * may all be left out, and a sentence.
 */
export function flattenRoot(root: JsonObject, definitions: Definitions): JsonObject | undefined {
  const form = formOf(root, { definitions, seen: new Set() });
  if (form === undefined || !meansObject(form)) return undefined;
  const { properties, required, patterns, others, dependent, texts } = form;
  const description = joinSentences(texts);
  return {
    type: "object",
    ...(description === "" ? {} : { description }),
    properties: Object.fromEntries(properties),
    ...(required.size === 0 ? {} : { required: [...required] }),
    ...(Object.keys(dependent).length === 0 ? {} : { dependentRequired: dependent }),
    ...(patterns.size === 0 ? {} : { patternProperties: Object.fromEntries(patterns) }),
    ...(others === undefined ? {} : { additionalProperties: others }),
  };
}

/** False for a form that any value may have. */
function meansObject({ isObject, properties, patterns, required }: Form): boolean {
  return isObject || properties.size + patterns.size + required.size > 0;
}

/** Where to look for definitions, and which are being read. */
interface Place {
  readonly definitions: Definitions;
  readonly seen: ReadonlySet<string>;
}

function formOf(node: JsonObject, place: Place): Form | undefined {
  const types = typesOf(node);
  if (types.length > 0 && !types.includes("object")) return undefined;
  let form = ownForm(node);
  const name = referenceOf(node);
  const goal = name === undefined ? undefined : place.definitions.get(name);
  if (name !== undefined && goal !== undefined && !place.seen.has(name)) {
    const referred = formOf(goal, { ...place, seen: place.seen.union(new Set([name])) });
    if (referred === undefined) return undefined;
    form = both(form, referred);
  }
  for (const part of listOf(node["allOf"]).filter(isObject)) {
    const other = formOf(part, place);
    if (other !== undefined) form = both(form, other);
  }
  const forms = listOf(node["anyOf"]).filter(isObject).flatMap((part) => formOf(part, place) ?? []);
  if ("anyOf" in node && forms.length === 0) return undefined;
  if (forms.length > 0) form = both(form, anyOf(forms));
  const dependents = entriesOf(node["dependentSchemas"]).map(([, schema]) => schema);
  for (const part of [node["then"], node["else"], ...dependents].filter(isObject)) {
    const other = formOf(part, place);
    // It holds only sometimes.
    if (other !== undefined) {
      form = both(form, { ...other, required: new Set(), others: undefined });
    }
  }
  return form;
}

function ownForm(node: JsonObject): Form {
  const others = node["additionalProperties"] ?? node["unevaluatedProperties"];
  const { description, required } = node;
  return {
    isObject: typesOf(node).includes("object"),
    properties: schemasIn(node["properties"]),
    required: new Set(listOf(required).filter((name) => typeof name === "string")),
    patterns: schemasIn(node["patternProperties"]),
    others: isObject(others) || others === false ? others : undefined,
    dependent: isObject(node["dependentRequired"]) ? node["dependentRequired"] : {},
    texts: typeof description === "string" ? [description] : [],
  };
}

function schemasIn(schemas: unknown): Map<string, JsonObject> {
  return new Map(
    entriesOf(schemas).flatMap(([name, schema]) => isObject(schema) ? [[name, schema]] : []),
  );
}

/** What satisfies both forms. */
function both(one: Form, other: Form): Form {
  return {
    isObject: one.isObject || other.isObject,
    properties: join(one.properties, other.properties, "allOf"),
    required: one.required.union(other.required),
    patterns: join(one.patterns, other.patterns, "allOf"),
    others: one.others === false || other.others === false ? false : one.others ?? other.others,
    dependent: { ...one.dependent, ...other.dependent },
    texts: [...one.texts, ...other.texts],
  };
}

/** What satisfies any of the forms, and a sentence on the choice. */
function anyOf(forms: readonly Form[]): Form {
  const [first, ...more] = forms;
  const joined = more.reduce<Form | undefined>((all, form) =>
    all === undefined ? form : {
      isObject: all.isObject && form.isObject,
      properties: join(all.properties, form.properties, "anyOf"),
      required: all.required.intersection(form.required),
      patterns: join(all.patterns, form.patterns, "anyOf"),
      others: isEqual(all.others ?? {}, form.others ?? {}) ? all.others : undefined,
      dependent: {},
      texts: [],
    }, first);
  const common = joined?.required ?? new Set<string>();
  const sentence = forms.length < 2 ? undefined : sentenceOn(forms, common);
  return {
    ...(joined ?? ownForm({})),
    texts: sentence === undefined ? first?.texts ?? [] : [sentence],
  };
}

/** Which members belong together; nothing when that does not tell the forms apart. */
function sentenceOn(forms: readonly Form[], common: ReadonlySet<string>): string | undefined {
  const lists = forms.map(({ required, properties }) => {
    const own = [...required.difference(common)];
    const names = own.length > 0 ? own : [...properties.keys()].filter((name) => !common.has(name));
    const cut = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), "…"] : names;
    return cut.join(" + ");
  });
  const distinct = [...new Set(lists)].filter((list) => list !== "");
  if (distinct.length < 2) return undefined;
  const shown = distinct.slice(0, MAX_FORMS).join("; or ");
  return `Give one of: ${shown}${distinct.length > MAX_FORMS ? "; …" : ""}.`;
}

function join(
  one: ReadonlyMap<string, JsonObject>,
  other: ReadonlyMap<string, JsonObject>,
  how: "allOf" | "anyOf",
): ReadonlyMap<string, JsonObject> {
  const joined = new Map(one);
  for (const [name, schema] of other) {
    const known = joined.get(name);
    if (known === undefined) joined.set(name, schema);
    else if (!isEqual(known, schema)) {
      joined.set(
        name,
        how === "anyOf" ? alternatives({}, [known, schema]) : { allOf: [known, schema] },
      );
    }
  }
  return joined;
}
