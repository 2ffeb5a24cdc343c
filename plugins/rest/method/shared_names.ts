/**
 * Names that a parameter and a property of the body have in common.
 *
 * @module
 */
import type { BodyPlan } from "./body_plan.ts";
import type { Inputs } from "./inputs.ts";

/**
 * True for a property of the body that the argument of the parameter of its name fills as well:
 * what is in the path names the thing itself, so its body bears the same value; and what the body
 * requires could not be given otherwise.
 */
export function isShared(property: string, plan: BodyPlan, { parameters }: Inputs): boolean {
  const takers = parameters.filter(({ name }) => name === property);
  return takers.length > 0 &&
    (plan.shape.required.has(property) || takers.some(({ place }) => place === "path"));
}
