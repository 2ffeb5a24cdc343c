/**
 * Small numbers within bounds.
 *
 * @module
 */
import type { JsonObject } from "../json_schema.ts";
import { isRawJson, parseJson } from "../exact_json.ts";
import { isNumber, type JsonNumber, numberText } from "../numbers.ts";
import { highest, leastCount, lowest } from "./demands.ts";

/** Numbers worth a try for nodes, the most pleasant first; `variant` starts further on. */
export function candidateNumbers(
  nodes: readonly JsonObject[],
  { isWhole, variant }: { isWhole: boolean; variant: number },
): JsonNumber[] {
  const low = highest(nodes, "minimum");
  const above = highest(nodes, "exclusiveMinimum");
  const high = lowest(nodes, "maximum");
  const below = lowest(nodes, "exclusiveMaximum");
  const step = leastCount(nodes, "multipleOf") || (isWhole ? 1 : 0.5);
  const from = Math.max(asDouble(low) ?? -Infinity, asDouble(above) ?? -Infinity);
  const to = Math.min(asDouble(high) ?? Infinity, asDouble(below) ?? Infinity);
  const start = from > -Infinity ? Math.ceil(from / step) : Math.floor(to / step);
  const direction = from > -Infinity || to === Infinity ? 1 : -1;
  const steps = [0, 1, 2].map((more) => round((start + direction * (more + variant)) * step));
  const exact = [low, high].filter((bound) => bound !== undefined);
  const candidates = [1 + variant, round(step * (1 + variant)), ...steps, ...exact];
  if (!isWhole) candidates.push((from + to) / 2, from + (to - from) / (variant + 3));
  return [...candidates, 0, ...beside(above, 1n), ...beside(below, -1n)]
    .filter((value) => typeof value !== "number" || Number.isFinite(value));
}

function asDouble(value: JsonNumber | undefined): number | undefined {
  return value === undefined ? undefined : Number(numberText(value));
}

/** Without the noise of binary fractions. */
function round(value: number): number {
  return Number(value.toPrecision(15));
}

/** The whole number next to a bound that no double holds. */
function beside(bound: JsonNumber | undefined, step: bigint): JsonNumber[] {
  if (!isRawJson(bound) || !/^-?\d{1,1000}$/.test(bound.rawJSON)) return [];
  const number = parseJson(String(BigInt(bound.rawJSON) + step));
  return isNumber(number) ? [number] : [];
}
