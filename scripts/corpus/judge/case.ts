/**
 * What is judged: a call's arguments and the request made of them, beside what the document says.
 *
 * @module
 */
import type { SentRequest } from "../gateway.ts";
import { variablesOf } from "./address.ts";
import type { RawInputs, RawParameter } from "./inputs.ts";
import type { RawObject, RawOperation } from "./raw.ts";

/** One call. */
export interface Case {
  readonly operation: RawOperation;
  readonly inputs: RawInputs;
  /** The arguments, under the names that the document writes. */
  readonly values: RawObject;
  readonly sent: SentRequest;
}

/** Something that is not as the document has it. */
export interface Complaint {
  /** The same words for the same sort of thing. */
  readonly kind: string;
  readonly detail: string;
}

/** "The parameter definition SHALL be ignored" (OpenAPI 3.0.3, Parameter Object). */
const IGNORED_HEADERS = new Set(["accept", "authorization", "content-type"]);

/** The parameters that are to be sent. */
export function parametersOf({ inputs, operation }: Case): RawParameter[] {
  const variables = variablesOf(operation.path);
  return inputs.parameters.filter(({ name, place }) => {
    if (place === "path") return variables.includes(name);
    return place !== "header" || !IGNORED_HEADERS.has(name.toLowerCase());
  });
}

/** The value of an argument, `undefined` when it is not given or `null`. */
export function valueOf({ values }: Case, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] ?? undefined : undefined;
}

/** Values under the names that the document writes; they are shown with single spaces. */
export function withWrittenNames(values: RawObject, names: readonly string[]): RawObject {
  const written = new Map(names.map((name) => [name.replace(/\s+/g, " ").trim(), name]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [written.get(name) ?? name, value]),
  );
}

/** A parameter in words. */
export function nameOf({ name, place, style, explode }: RawParameter): string {
  return `${name} (${place}, ${style}${explode ? ", exploded" : ""})`;
}
