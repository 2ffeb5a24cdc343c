/**
 * Ends a part of a call with the call's time.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import type { Target } from "../gate/mod.ts";
import { abortError, type Scope, untilAborted } from "../protocol/mod.ts";

/**
 * Runs a part of a call, as long as the call may take.
 *
 * @throws whatever `run` throws; `timeout` or `cancelled`, whichever came first, when it does not end.
 */
export async function endInTime<T>(
  target: Target,
  scope: Pick<Scope, "signal" | "limit" | "timeoutMs">,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await untilAborted(run, scope.limit);
  } catch (error) {
    if (error instanceof BowireError || !scope.limit.aborted) throw error;
    throw abortError(target, scope.signal, scope.timeoutMs);
  }
}
