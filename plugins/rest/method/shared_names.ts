/**
 * Names that a parameter and a property of the body have in common, and what follows from them.
 *
 * @module
 */
import type { BodyPlan } from "./body_plan.ts";
import type { Inputs } from "./inputs.ts";
import { PLAIN_SCHEMA } from "./parameter.ts";

/**
 * True for a property of the body that the argument of the parameter of its name fills as well:
 * what is in the path names the thing itself, so its body bears the same value; and what the body
 * requires could not be given otherwise. Values of different types are different things.
 */
export function isShared(property: string, plan: BodyPlan, { parameters }: Inputs): boolean {
  const takers = parameters.filter(({ name }) => name === property);
  return takers.length > 0 && !plan.isReadOnly(property) &&
    (plan.shape.required.has(property) || takers.some(({ place }) => place === "path")) &&
    takers.every(({ schema }) => mayBeEqual(schema, plan.shape.properties.get(property), plan));
}

function mayBeEqual(one: unknown, other: unknown, { document: { shapes } }: BodyPlan): boolean {
  if (one === PLAIN_SCHEMA) return true;
  const [left, right] = [one, other].map((schema) =>
    new Set([...shapes.of(schema).types].map((type) => type === "integer" ? "number" : type))
  );
  return !left?.size || !right?.size || !left.isDisjointFrom(right);
}

/** True when a parameter has the name of a property that only the whole body can set. */
export function isHidden(plan: BodyPlan, inputs: Inputs): boolean {
  return inputs.parameters.some(({ name }) =>
    plan.isSpread && plan.shape.properties.has(name) && !plan.isReadOnly(name) &&
    !isShared(name, plan, inputs)
  );
}

/**
 * True when a schema lists the body's properties one by one: not where one of them is hidden, nor
 * where the body has several forms, of which a list of all properties would say nothing.
 */
export function isDescribedSpread(plan: BodyPlan, inputs: Inputs): boolean {
  return plan.isSpread && !isHidden(plan, inputs) && plan.shape.alternatives.length < 2;
}
