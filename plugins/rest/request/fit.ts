/**
 * Which of a method's media types the arguments of a call are meant for.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { isJsonMediaType } from "../../../lib/protocol/mod.ts";
import { isContentObject, looksLikeContent, typeOfContent } from "../body/bytes.ts";
import { isWithin, OCTETS } from "../body/media_type.ts";
import { isObject } from "../document/json.ts";
import type { BodyPlan } from "../method/body_plan.ts";

/** A plan, if the method takes a body, and the arguments by it. */
export interface Fit<Sorted> {
  readonly plan: BodyPlan | undefined;
  readonly sorted: Sorted;
}

/**
 * Sorts arguments by the plan that they fit best; of equal ones the first.
 *
 * @param sort throws a {@linkcode BowireError} for a plan that they do not fit.
 * @throws {BowireError} that of the first plan when they fit none.
 */
export function fitArguments<Sorted extends { readonly body: unknown }>(
  plans: readonly BodyPlan[],
  sort: (plan: BodyPlan | undefined) => Sorted,
): Fit<Sorted> {
  if (plans.length === 0) return { plan: undefined, sorted: sort(undefined) };
  const errors: BowireError[] = [];
  const fits = plans.flatMap((plan) => {
    try {
      return [{ plan, sorted: sort(plan) }];
    } catch (error) {
      if (!(error instanceof BowireError)) throw error;
      errors.push(error);
      return [];
    }
  });
  const [best] = fits.toSorted((a, b) =>
    suitability(b.plan, b.sorted.body) - suitability(a.plan, a.sorted.body)
  );
  if (best === undefined) throw errors[0];
  return best;
}

/** How well a value suits a media type; 0 when it is likely meant for another. */
function suitability(plan: BodyPlan, value: unknown): number {
  const isJson = isJsonMediaType(plan.contentType);
  if (isContentObject(value, plan.shape) || plan.isBinary() && looksLikeContent(value)) {
    if (isJson) return 0;
    const type = typeOfContent(value);
    if (type !== undefined && isWithin(type, plan.contentType)) return 3;
    if (!plan.isBinary()) return 0;
    return plan.contentType === OCTETS ? 2 : 1;
  }
  if (typeof value === "string") {
    const { types } = plan.shape;
    return isJson && types.size > 0 && !types.has("string") ? 0 : 1;
  }
  const isMisplaced = isObject(value) &&
    Object.entries(value).some(([name, member]) =>
      holdsContent(plan, name, member) && !plan.isBinary(name)
    );
  return isMisplaced ? 0 : 1;
}

function holdsContent({ shape, document }: BodyPlan, name: string, value: unknown): boolean {
  const property = document.shapes.of(shape.properties.get(name));
  if (!Array.isArray(value)) return isContentObject(value, property);
  return value.some((item) => isContentObject(item, document.shapes.of(property.items)));
}
