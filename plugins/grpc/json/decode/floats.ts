/**
 * Floating point numbers as JSON text, in the fewest digits that read back as the same number.
 *
 * @module
 */

/** A double as JSON text. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** As many significant digits tell every float from all others. */
const MAX_SINGLE_DIGITS = 9;
/**
 * Above a power of two the next float is twice as far as below it: what reads back as it lies
 * around this much more.
 */
const WIDER_SIDE = 1 + 2 ** -26;

/** A float (32 bits) as JSON text: 0.1, where the double that it is would be longer. */
export function singleText(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return floatText(value);
  for (let digits = 1; digits < MAX_SINGLE_DIGITS; digits++) {
    const short = [value, value * WIDER_SIDE]
      .map((near) => Number(near.toPrecision(digits)))
      .find((candidate) => Math.fround(candidate) === value);
    if (short !== undefined) return floatText(short);
  }
  return floatText(Number(value.toPrecision(MAX_SINGLE_DIGITS)));
}
