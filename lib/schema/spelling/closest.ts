/**
 * Names that somebody may have meant.
 *
 * @module
 */
import { editDistance } from "./edit_distance.ts";

const MAX_SUGGESTIONS = 5;
/** Longest names that are compared letter by letter. */
const MAX_COMPARED_LENGTH = 80;

/** The names nearest to what was written, the nearest first; none when nothing is near. */
export function closest(wanted: string, names: Iterable<string>): string[] {
  const lower = wanted.toLowerCase();
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceOf(lower, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, lower.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

function distanceOf(wanted: string, name: string): number {
  if (wanted !== "" && (name.includes(wanted) || name !== "" && wanted.includes(name))) return 1;
  if (Math.max(wanted.length, name.length) > MAX_COMPARED_LENGTH) return Infinity;
  return editDistance(wanted, name);
}
