/**
 * Values held against JSON Schema 2020-12. Loads the regular expression engine: `mod.ts` of this
 * room leaves it out.
 *
 * @module
 */
import type { JsonObject } from "./json_schema.ts";
import { coerce } from "./validation/coerce.ts";
import { Evaluator } from "./validation/evaluator.ts";
import type { Finding } from "./validation/findings.ts";
import { pathText, type Violation } from "./validation/violations.ts";

export type { Violation } from "./validation/violations.ts";

/** How values are held against a schema. */
export interface ValidateOptions {
  /**
   * For values that travel as text: `"7"` is fine for an integer, 7 for a text, `"true"` for a
   * boolean, one value for a list and a list of one for its value. @default false
   */
  readonly coerce?: boolean;
  /**
   * Whether a value may have several forms of a `oneOf`. Strictly it may not, but the forms of
   * every seventh `oneOf` in the field overlap, and the targets take what fits. @default false
   */
  readonly mayOverlap?: boolean;
}

/** Says what is wrong with a value; nothing when it satisfies the schema. */
export type Validate = (value: unknown) => readonly Violation[];

/** Most violations that are told; one more says that there are others. */
const MAX_VIOLATIONS = 20;

/**
 * A function that holds values against a schema with all its definitions in `$defs`, as
 * `SchemaPacker` makes it. Nothing is compiled ahead: making one costs nothing, and a keyword that
 * makes no sense limits nothing.
 *
 * Asserted are all keywords of 2020-12 except `$dynamicRef`, and of the formats date, date-time,
 * uuid, ipv4, ipv6, int32 and int64. Numbers kept as text (`RawJson`) are compared exactly.
 * References that lead nowhere, and what lies beyond the limits of depth and work, pass.
 *
 * @example
 * ```ts
 * import { compileValidator } from "./validate.ts";
 * const validate = compileValidator({ type: "object", required: ["name"] });
 * console.assert(validate({})[0]?.message === "is missing");
 * ```
 */
export function compileValidator(schema: JsonObject, options: ValidateOptions = {}): Validate {
  const { mayOverlap = false } = options;
  const check = (value: unknown) => new Evaluator(schema, { mayOverlap }).check(schema, value);
  return (value) => {
    if (value === undefined) return [{ path: "", message: "is missing" }];
    const findings = check(value);
    if (findings.length === 0 || options.coerce !== true) return violationsOf(findings);
    const { resolve } = new Evaluator(schema);
    const others = check(coerce(value, [schema], resolve));
    return violationsOf(others.length <= findings.length ? others : findings);
  };
}

function violationsOf(findings: readonly Finding[]): readonly Violation[] {
  const distinct = new Map<string, Violation>();
  for (const { path, message } of findings) {
    const violation = { path: pathText(path), message };
    distinct.set(`${violation.path} ${message}`, violation);
  }
  const violations = [...distinct.values()];
  if (violations.length <= MAX_VIOLATIONS) return violations;
  return [...violations.slice(0, MAX_VIOLATIONS), {
    path: "",
    message: "has more violations than these",
  }];
}
