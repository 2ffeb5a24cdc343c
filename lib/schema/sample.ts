/**
 * Values that satisfy a JSON Schema, for people and agents to start from. Loads the regular
 * expression engine and the generator of texts: `mod.ts` of this room leaves it out.
 *
 * @module
 */
import type { JsonObject } from "./json_schema.ts";
import { copyValue } from "./json_values.ts";
import { Sampler } from "./sampling/sampler.ts";
import { compileValidator } from "./validate.ts";

/** What a sample is like. */
export interface SampleOptions {
  /** Equal seeds give equal samples. @default 1 */
  readonly seed?: number;
  /** Whether optional properties are there too, down to a bounded depth. @default false */
  readonly optionals?: boolean;
  /** Whether it may have several forms of a `oneOf`, as in `validate.ts`. @default false */
  readonly mayOverlap?: boolean;
}

/**
 * A value that satisfies the schema: the author's examples, defaults and listed values where they
 * fit, small values elsewhere. `undefined` when none was found within a bounded number of tries.
 * The schema has all its definitions in `$defs`, as `SchemaPacker` makes it.
 */
export function sampleOf(schema: JsonObject, options: SampleOptions = {}): unknown {
  const { seed = 1, optionals = false, mayOverlap = false } = options;
  const validate = compileValidator(schema, { mayOverlap });
  // Optional properties may be what tells the forms of a value from each other, or in the way.
  for (const hasOptionals of [optionals, !optionals]) {
    const sampler = new Sampler(schema, { seed, optionals: hasOptionals, mayOverlap });
    const sample = sampler.sample(schema);
    if (sample !== undefined && validate(sample).length === 0) return copyValue(sample);
  }
  return undefined;
}
