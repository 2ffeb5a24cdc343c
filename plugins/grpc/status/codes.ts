/**
 * The status codes of gRPC by name.
 *
 * @module
 */

/** In the order of their numbers (gRPC, "Status codes and their use in gRPC"). */
const NAMES = [
  "OK",
  "Cancelled",
  "Unknown",
  "InvalidArgument",
  "DeadlineExceeded",
  "NotFound",
  "AlreadyExists",
  "PermissionDenied",
  "ResourceExhausted",
  "FailedPrecondition",
  "Aborted",
  "OutOfRange",
  "Unimplemented",
  "Internal",
  "Unavailable",
  "DataLoss",
  "Unauthenticated",
] as const;

/** The name of a code; the number itself when it is none of gRPC's. */
export function codeName(code: number): string {
  return NAMES[code] ?? String(code);
}

/** Codes after which the same call may succeed later without a change. */
const RETRYABLE: readonly string[] = [
  "DeadlineExceeded",
  "ResourceExhausted",
  "Aborted",
  "Unavailable",
];

/** Whether the same call may succeed later without a change. */
export function isRetryable(code: number): boolean {
  return RETRYABLE.includes(codeName(code));
}

/** The codes that the plugin itself looks at. */
export const Code = { ok: 0, unimplemented: 12, unavailable: 14, unauthenticated: 16 } as const;
