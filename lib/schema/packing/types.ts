/**
 * `type`, `nullable`, `enum` and `const` of one schema node, put right together: each may
 * contradict the others.
 *
 * @module
 */
import { isTrue, type JsonObject, listOf, typeOf } from "../json_schema.ts";
import { canonicalText, copyValue } from "../json_values.ts";
import { isNumber, isWhole, numberText } from "../numbers.ts";
import { parseJson } from "../exact_json.ts";

/** What a node says of the types of its values. */
export interface Types {
  readonly type?: string | string[];
  readonly enum?: unknown[];
  readonly const?: unknown;
  /** What the name of a type says of the format. */
  readonly format?: string;
}

const TYPE_NAMES = new Set(["null", "boolean", "integer", "number", "string", "array", "object"]);

/** Names of types that other languages have, in lower case. */
const OTHER_NAMES = new Map(Object.entries({
  bool: "boolean",
  int: "integer",
  int32: "integer",
  int64: "integer",
  long: "integer",
  short: "integer",
  float: "number",
  double: "number",
  decimal: "number",
  numeric: "number",
  str: "string",
  text: "string",
  char: "string",
  varchar: "string",
  file: "string",
  date: "string",
  datetime: "string",
  "date-time": "string",
  uuid: "string",
  uri: "string",
  url: "string",
  email: "string",
  list: "array",
  map: "object",
  dict: "object",
  hash: "object",
  none: "null",
  nil: "null",
}));

/** Formats that the name of a type stands for. */
const FORMATS = new Map(Object.entries({
  int32: "int32",
  int64: "int64",
  long: "int64",
  file: "binary",
  date: "date",
  datetime: "date-time",
  "date-time": "date-time",
  uuid: "uuid",
  uri: "uri",
  url: "uri",
  email: "email",
}));

/** Reads the four keywords; `nullable` and `x-nullable` end as `null` among types and values. */
export function cleanTypes(node: JsonObject): Types {
  const named = typeNames(node["type"]);
  const types = named.map((name) => TYPE_NAMES.has(name) ? name : OTHER_NAMES.get(name));
  // A name that says nothing may stand for anything.
  const known = types.every((type) => type !== undefined) ? [...new Set(types)] : [];
  const mayBeNull = isNullable(node) || (known.length > 1 && known.includes("null"));
  const withNull = mayBeNull && known.length > 0 && !known.includes("null")
    ? [...known, "null"]
    : known;
  const [only, ...others] = withNull;
  const format = named.length === 1 && named[0] !== undefined ? FORMATS.get(named[0]) : undefined;
  const values = valuesOf(node, { types: known, mayBeNull });
  return {
    ...(only === undefined ? {} : { type: others.length === 0 ? only : withNull }),
    ...(format === undefined ? {} : { format }),
    ...values,
  };
}

/** True when OpenAPI 3.0, or Swagger 2 by custom, adds null to what the node admits. */
export function isNullable(node: JsonObject): boolean {
  return isTrue(node["nullable"]) || isTrue(node["x-nullable"]);
}

/** Names in lower case, nested lists laid flat; none when something in them is no name. */
function typeNames(type: unknown): string[] {
  const names = Array.isArray(type) ? type.flat(2).map((name) => name ?? "null") : [type];
  return names.every((name) => typeof name === "string")
    ? names.map((name) => name.toLowerCase())
    : [];
}

function valuesOf(
  node: JsonObject,
  { types, mayBeNull }: { types: readonly string[]; mayBeNull: boolean },
): Types {
  const isConst = node["const"] !== undefined;
  const given = isConst ? [node["const"]] : listOf(node["enum"]);
  const values = given.map(copyValue).filter((value) => value !== undefined)
    .map((value) => adaptValue(value, types));
  // Values that the type admits none of limit something else, such as the items of a list.
  const isMeant = types.length === 0 || values.some((value) => admits(types, value));
  if (values.length === 0 || values.length < given.length || !isMeant) return {};
  if (isConst && !isNullable(node)) return { const: values[0] };
  const distinct = new Map(values.map((value) => [canonicalText(value), value]));
  if (mayBeNull) distinct.set("null", null);
  return { enum: [...distinct.values()] };
}

/** `1` among texts means `"1"`, and `"1"` among numbers means `1`: no other value would do. */
function adaptValue(value: unknown, types: readonly string[]): unknown {
  if (types.length === 0 || admits(types, value)) return value;
  if (types.includes("string")) {
    if (isNumber(value)) return numberText(value);
    return typeof value === "boolean" ? String(value) : value;
  }
  if (typeof value !== "string") return value;
  const meant = parsed(value.trim().toLowerCase());
  return meant !== undefined && admits(types, meant) ? meant : value;
}

function admits(types: readonly string[], value: unknown): boolean {
  return types.includes(typeOf(value) ?? "") ||
    (types.includes("integer") && isNumber(value) && isWhole(value));
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
