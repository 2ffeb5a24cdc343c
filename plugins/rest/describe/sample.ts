/**
 * Arguments that fit a method: the author's examples where they do, made up values elsewhere.
 *
 * @module
 */
import { sampleOf } from "../../../lib/schema/sample.ts";
import { compileValidator } from "../../../lib/schema/validate.ts";
import { isObject, type JsonObject } from "../document/json.ts";
import { argumentsByName, type ArgumentSchemas, isPlainText } from "../method/argument_schemas.ts";
import type { BodyPlan } from "../method/body_plan.ts";
import type { Inputs } from "../method/inputs.ts";
import { isDescribedSpread } from "../method/shared_names.ts";
import { examplesIn } from "../../../lib/schema/messages/details.ts";

/** `hello` in base64. */
const SAMPLE_BYTES = "aGVsbG8=";

/** What a method takes. */
export interface Callee {
  readonly inputs: Inputs;
  readonly plan: BodyPlan | undefined;
}

/** The smallest arguments that a method takes; `undefined` when none were found. */
export function sampleArguments(
  { inputs, plan }: Callee,
  { parameters, body, definitions }: ArgumentSchemas,
): JsonObject | undefined {
  const sample: Record<string, unknown> = {};
  const whole = (schema: JsonObject) => ({ ...schema, $defs: definitions });
  const byName = argumentsByName(inputs, parameters);
  for (const { name, required, definition } of inputs.parameters) {
    if (!required || Object.hasOwn(sample, name)) continue;
    const value = pick(examplesIn(definition), whole(byName.get(name) ?? {}));
    if (value === undefined) return undefined;
    sample[name] = value;
  }
  if (plan?.required !== true || body === undefined) return sample;
  const isSpread = isDescribedSpread(plan, inputs);
  const schema = isSpread && !plan.takesMore ? closed(body, plan) : body;
  const examples = examplesIn(plan.rules);
  const value = plan.isBinary() ? SAMPLE_BYTES : withBytes(pick(examples, whole(schema)), plan);
  if (value === undefined) return undefined;
  if (!isSpread || !isObject(value)) return { ...sample, [plan.wholeName]: value };
  // Of what parameter and body share, plain text takes what the body does.
  const shared = Object.entries(value).filter(([name]) => isPlainText(byName.get(name)));
  return { ...value, ...sample, ...Object.fromEntries(shared) };
}

/** Where each property is an argument, an example with others cannot be given. */
function closed(body: JsonObject, { shape }: BodyPlan): JsonObject {
  const named = [...shape.required].map((name) => [name, {}]);
  const properties = { ...Object.fromEntries(named), ...Object(body["properties"]) };
  return { ...body, properties, unevaluatedProperties: false };
}

/** A form's value with bytes where it takes them: authors' examples are names of files of theirs. */
function withBytes(value: unknown, plan: BodyPlan): unknown {
  if (!plan.isForm || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (!plan.isBinary(name)) return [name, field];
      return [name, Array.isArray(field) ? [SAMPLE_BYTES] : SAMPLE_BYTES];
    }),
  );
}

/** The first example that fits, else a value made up. */
function pick(examples: readonly unknown[], schema: JsonObject): unknown {
  const validate = compileValidator(schema, { mayOverlap: true });
  return examples.find((example) => validate(example).length === 0) ??
    sampleOf(schema, { mayOverlap: true });
}
