/**
 * The method that a call names.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import type { Call } from "../../../lib/protocol/mod.ts";
import { closest } from "../../../lib/schema/spelling/closest.ts";
import type { ApiDocument } from "../document/api_document.ts";
import type { MethodEntry } from "./methods.ts";

/**
 * Finds a method by its name, as discovery gave it, or by `VERB path`. The service may be left empty when no other has a
 * method of that name. Case counts first and is ignored when nothing matches.
 *
 * @throws {BowireError} `unknown_service`, `unknown_method`, or `invalid_argument` when several match.
 */
export function findMethod(
  document: ApiDocument,
  { service, method }: Pick<Call, "service" | "method">,
): MethodEntry {
  const named = document.methodNamed(service, method);
  if (named !== undefined) return named;
  const { methods } = document;
  const inService = service === ""
    ? methods
    : matching(methods, (entry) => [entry.service], service);
  if (inService.length === 0) {
    const known = [...new Set(methods.map((entry) => entry.service))];
    throw unknown("service", service, known);
  }
  const [found, ...others] = matching(inService, ({ name, fullName }) => [name, fullName], method);
  if (found === undefined) {
    throw unknown("method", method, inService.flatMap(({ name, fullName }) => [name, fullName]));
  }
  if (others.length > 0) {
    const candidates = [found, ...others].map((entry) => `${entry.service}: ${entry.name}`);
    throw new BowireError("invalid_argument", `cannot call "${method}": several methods match`, {
      hint: `name the service as well, one of: ${candidates.slice(0, 5).join(", ")}`,
      details: { candidates },
    });
  }
  return found;
}

function matching(
  entries: readonly MethodEntry[],
  namesOf: (entry: MethodEntry) => readonly string[],
  wanted: string,
): MethodEntry[] {
  const exact = entries.filter((entry) => namesOf(entry).includes(wanted));
  if (exact.length > 0) return exact;
  const lower = wanted.toLowerCase();
  return entries.filter((entry) => namesOf(entry).some((name) => name.toLowerCase() === lower));
}

function unknown(
  kind: "service" | "method",
  wanted: string,
  names: readonly string[],
): BowireError {
  const near = closest(wanted, names);
  const shown = near.length > 0 ? near : names.slice(0, 5);
  return new BowireError(`unknown_${kind}`, `cannot find a ${kind} "${wanted}"`, {
    hint: shown.length === 0
      ? "the API document has none"
      : `${near.length > 0 ? "did you mean" : "there are, for instance"}: ${shown.join(", ")}`,
    details: { [kind]: wanted, suggestions: shown },
  });
}
