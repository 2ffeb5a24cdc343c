/**
 * A value held against a schema, keyword by keyword (JSON Schema 2020-12). The schema is read where
 * the value leads, and never turned into code: it comes from strangers.
 *
 * @module
 */
import { isObject, type JsonObject, listOf, typeOf } from "../json_schema.ts";
import { findFaults, findOtherValue } from "./assertions.ts";
import { explainChoice } from "./choice.ts";
import { type Finding, found, NOTHING } from "./findings.ts";
import { checkItems, checkProperties, checkUnseen } from "./members.ts";
import { resolvePointer } from "../json_pointer.ts";
import { addSeen, type Checker, MAX_FINDINGS, newSeen, type Seen, type Visit } from "./visit.ts";

/** Schemas within schemas, and values within values, that are looked into; deeper ones pass. */
const MAX_DEPTH = 300;
/** Schema nodes visited for one value; what is left passes. */
const MAX_STEPS = 1_000_000;

/** What came of a value at the goal of a reference. */
interface Outcome {
  readonly findings: readonly Finding[];
  /** Absent when nobody asked. */
  readonly seen: Seen | undefined;
}

/** Holds one value against schemas that share a root; what it found out is remembered. */
export class Evaluator implements Checker {
  readonly #root: JsonObject;
  readonly #goals = new Map<unknown, unknown>();
  /** By goal of a reference, then by value: ends circles, and work that would be done again. */
  readonly #known = new Map<unknown, Map<unknown, Outcome>>();
  #steps = 0;
  #depth = 0;

  readonly #mayOverlap: boolean;

  /**
   * Makes an evaluator for schemas whose references lead into `root`.
   *
   * @param options.mayOverlap whether a value may have several forms of a `oneOf`.
   */
  constructor(root: JsonObject, options: { mayOverlap?: boolean } = {}) {
    this.#root = root;
    this.#mayOverlap = options.mayOverlap ?? false;
  }

  /** What is wrong with the value, if anything is. */
  readonly check = (schema: unknown, value: unknown, seen?: Seen): readonly Finding[] => {
    if (schema === false) return [found("false", "is not allowed here")];
    if (!isObject(schema) || value === undefined) return NOTHING;
    if (this.#depth >= MAX_DEPTH || ++this.#steps > MAX_STEPS) return NOTHING;
    const other = findOtherValue(schema, value);
    if (other !== undefined) return [other];
    this.#depth++;
    const findings = this.#checkAll(schema, value, seen);
    this.#depth--;
    return findings;
  };

  /** True when nothing is wrong. */
  accepts(schema: unknown, value: unknown): boolean {
    return this.check(schema, value).length === 0;
  }

  /** The goal of a reference. */
  readonly resolve = (reference: unknown): unknown => {
    if (typeof reference !== "string") return undefined;
    if (!this.#goals.has(reference)) {
      this.#goals.set(reference, resolvePointer(this.#root, reference));
    }
    return this.#goals.get(reference);
  };

  #checkAll(schema: JsonObject, value: unknown, outer: Seen | undefined): readonly Finding[] {
    const isClosed = "unevaluatedProperties" in schema || "unevaluatedItems" in schema;
    const seen = outer === undefined && !isClosed ? undefined : newSeen();
    const findings = findFaults(schema, value);
    const visit = { schema, value, seen, findings };
    this.#followReference(visit);
    this.#joinAll(visit);
    if (findings.length < MAX_FINDINGS) this.#choose(visit);
    if (Array.isArray(value)) checkItems({ ...visit, value }, this);
    else if (isObject(value)) checkProperties({ ...visit, value }, this);
    if (isClosed && findings.length === 0) checkUnseen(visit, this);
    if (findings.length === 0 && outer !== undefined && seen !== undefined) addSeen(outer, seen);
    return findings;
  }

  #followReference({ schema, value, seen, findings }: Visit): void {
    const goal = this.resolve(schema["$ref"]);
    if (goal === undefined) return;
    const known = this.#known.get(goal) ?? new Map<unknown, Outcome>();
    this.#known.set(goal, known);
    let outcome = known.get(value);
    if (outcome === undefined || (seen !== undefined && outcome.seen === undefined)) {
      const own = seen === undefined ? undefined : newSeen();
      known.set(value, { findings: NOTHING, seen: own }); // a circle adds nothing
      outcome = { findings: this.check(goal, value, own), seen: own };
      known.set(value, outcome);
    }
    findings.push(...outcome.findings);
    if (seen !== undefined && outcome.seen !== undefined) addSeen(seen, outcome.seen);
  }

  #joinAll({ schema, value, seen, findings }: Visit): void {
    for (const part of listOf(schema["allOf"])) {
      if (findings.length < MAX_FINDINGS) findings.push(...this.check(part, value, seen));
    }
    const { if: condition, not } = schema;
    if (condition !== undefined) {
      const isMet = this.check(condition, value, seen).length === 0;
      findings.push(...this.check(schema[isMet ? "then" : "else"], value, seen));
    }
    if (not !== undefined && this.check(not, value).length === 0) {
      findings.push(found("not", "is of a kind that is not allowed"));
    }
  }

  #choose({ schema, value, seen, findings }: Visit): void {
    for (const keyword of ["anyOf", "oneOf"]) {
      const forms = listOf(schema[keyword]);
      if (forms.length === 0) continue;
      const outcomes = forms.map((form) => this.check(form, value, seen));
      const matches = outcomes.filter(({ length }) => length === 0).length;
      if (matches === 0) findings.push(...explainChoice(outcomes, typeOf(value) ?? "null"));
      else if (keyword === "oneOf" && matches > 1 && !this.#mayOverlap) {
        const text = `fits ${matches} of the ${forms.length} forms that it may have, not just one`;
        findings.push(found("oneOf", text));
      }
    }
  }
}
