/**
 * A call's arguments, each to where it travels.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import type { BodyPlan } from "../method/body_plan.ts";
import type { Inputs } from "../method/inputs.ts";
import type { Parameter } from "../method/parameter.ts";
import { isOnly } from "../../../lib/schema/shapes/shape.ts";
import { isObject, type JsonObject } from "../document/json.ts";
import { MAX_NAME_LENGTH } from "../../../lib/schema/messages/limits.ts";
import { isShared } from "../method/shared_names.ts";
import type { HttpMetadata } from "../../../lib/protocol/mod.ts";

/** Arguments by where they travel. */
export interface SortedArguments {
  readonly parameters: ReadonlyMap<Parameter, unknown>;
  /** The body's value; `undefined` when none is sent. */
  readonly body: unknown;
}

const UNVALIDATED = "validate: false (--no-validate) sends what there is";

/** What is being called. */
export interface Callee {
  /** For messages. */
  readonly name: string;
  readonly inputs: Inputs;
  readonly plan: BodyPlan | undefined;
}

/** How strict arguments are sorted. */
export interface SortOptions {
  /** What the caller sends besides; it may stand for a required header or query. */
  readonly metadata: HttpMetadata;
  /** Whether what is required must be there; without a part of its path nothing can be called. */
  readonly isStrict: boolean;
}

/**
 * Sorts the arguments of a call.
 *
 * @throws {BowireError} `invalid_argument` that names all unknown or all missing arguments.
 */
export function sortArguments(
  callee: Callee,
  message: unknown,
  { metadata, isStrict }: SortOptions,
): SortedArguments {
  const { plan, inputs } = callee;
  // A message that is no object can only be a body that is taken whole.
  const object = !isObject(message) && plan !== undefined && !plan.isSpread
    ? { [plan.wholeName]: message }
    : message;
  if (!isObject(object)) {
    throw invalid(callee, "the message is not a JSON object of arguments");
  }
  const given = withNamesAsWritten(callee, object);
  const parameters = new Map<Parameter, unknown>();
  for (const parameter of inputs.parameters) {
    const value = Object.hasOwn(given, parameter.name) ? given[parameter.name] : null;
    if (value !== null) parameters.set(parameter, value);
  }
  const body = gatherBody(callee, given);
  const missing = [
    ...inputs.parameters.filter((parameter) =>
      (isStrict ? parameter.required : parameter.place === "path") && !parameters.has(parameter) &&
      !isSupplied(parameter, metadata)
    ).map(({ name, place }) => `${shown(name)} (${place})`),
    ...isStrict ? missingFromBody(callee, body) : [],
  ];
  if (missing.length > 0) {
    const reason = `missing required arguments: ${missing.join(", ")}`;
    throw invalid(callee, reason, { missing }, UNVALIDATED);
  }
  return { parameters, body };
}

/** Arguments under the names that the document writes, which are shown without stray characters. */
function withNamesAsWritten(callee: Callee, given: JsonObject): JsonObject {
  const written = new Map(
    knownNames(callee).map((name) => [shown(name), name]),
  );
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [written.get(name) ?? name, value]),
  );
}

/** The body of all arguments that are no parameters. */
function gatherBody(callee: Callee, given: JsonObject): unknown {
  const { plan, inputs } = callee;
  const parameterNames = new Set(inputs.parameters.map(({ name }) => name));
  const properties: [string, unknown][] = [];
  const shared: [string, unknown][] = [];
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const isProperty = plan?.isSpread === true && plan.shape.properties.has(name);
    if (parameterNames.has(name)) {
      if (isProperty && isShared(name, plan, inputs)) shared.push([name, value]);
    } else if (isProperty) properties.push([name, value]);
    else if (name === plan?.wholeName) continue;
    else if (plan?.takesMore === true) properties.push([name, value]);
    else unknown.push(name);
  }
  if (unknown.length > 0) throw unknownArguments(callee, unknown);
  const isWhole = plan !== undefined && Object.hasOwn(given, plan.wholeName);
  if (isWhole && properties.length > 0) {
    throw invalid(
      callee,
      `"${plan.wholeName}" is the whole body, and "${
        properties[0]?.[0]
      }" is a part of it: give one`,
    );
  }
  if (isWhole) return given[plan.wholeName];
  const isEmptyBody = plan?.required === true && isOnly(plan.shape, "object") && !plan.isBinary();
  if (properties.length === 0 && !isEmptyBody) return undefined;
  return Object.fromEntries([...shared, ...properties]);
}

function missingFromBody({ plan }: Callee, body: unknown): string[] {
  if (plan === undefined) return [];
  const where = plan.isForm ? "formdata" : "body";
  if (body === undefined) return plan.required ? [`${plan.wholeName} (${where})`] : [];
  if (!plan.isSpread || !isObject(body)) return [];
  return [...plan.shape.required]
    .filter((name) => !Object.hasOwn(body, name) && !plan.isReadOnly(name))
    .map((name) => `${shown(name)} (${where})`);
}

/** True when the metadata already has what a parameter would bring. */
function isSupplied({ name, place }: Parameter, { headers, query }: HttpMetadata): boolean {
  if (place === "header") return headers.has(name.toLowerCase());
  if (place === "cookie") return headers.has("cookie");
  return place === "query" && query.some(([key]) => key === name);
}

function unknownArguments(callee: Callee, names: readonly string[]): BowireError {
  const known = knownNames(callee).map(shown);
  return invalid(
    callee,
    `unknown arguments: ${names.map((name) => JSON.stringify(name)).join(", ")}`,
    { unknown: names, known },
    (known.length === 0 ? "it takes none" : `it takes: ${known.join(", ")}`) +
      (callee.plan === undefined && names.includes("body")
        ? "; validate: false (--no-validate) sends a body that the document has not"
        : ""),
  );
}

function knownNames({ plan, inputs }: Callee): string[] {
  const names = new Set(inputs.parameters.map(({ name }) => name));
  if (plan?.isSpread === true) plan.shape.properties.keys().forEach((name) => names.add(name));
  if (plan !== undefined) names.add(plan.wholeName);
  return [...names];
}

/** A document's name for something, as discovery shows it. */
function shown(name: string): string {
  return cleanLine(name, MAX_NAME_LENGTH);
}

function invalid(
  { name }: Callee,
  reason: string,
  details?: Readonly<Record<string, unknown>>,
  hint?: string,
): BowireError {
  return new BowireError("invalid_argument", `cannot call "${name}": ${reason}`, {
    ...(details === undefined ? {} : { details }),
    ...(hint === undefined ? {} : { hint }),
  });
}
