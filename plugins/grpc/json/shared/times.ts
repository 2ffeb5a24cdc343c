/**
 * The ranges of `google.protobuf.Timestamp` and `Duration`, as their proto files state them.
 *
 * @module
 */

/** 0001-01-01T00:00:00Z, in seconds. */
const MIN_TIMESTAMP_SECONDS = -62_135_596_800;
/** 9999-12-31T23:59:59Z, in seconds. */
const MAX_TIMESTAMP_SECONDS = 253_402_300_799;
/** 10,000 years, either way. */
const MAX_DURATION_SECONDS = 315_576_000_000;

/** True within the years 1 to 9999. */
export function isTimestamp(seconds: number): boolean {
  return seconds >= MIN_TIMESTAMP_SECONDS && seconds <= MAX_TIMESTAMP_SECONDS;
}

/** True for up to 10,000 years, either way. */
export function isDuration(seconds: number): boolean {
  return Math.abs(seconds) <= MAX_DURATION_SECONDS;
}
