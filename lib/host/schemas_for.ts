/**
 * Which schemas describe a target.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { BowireError } from "../errors/mod.ts";
import { isWithin, parseAddress, type Target } from "../gate/mod.ts";
import type { SchemaRef } from "../protocol/mod.ts";
import type { SchemaEntry, SchemaStore } from "../store/mod.ts";

const log = getLogger(["bowire", "host"]);

/**
 * The schemas for a target's URL or one above it: those of this run, then the newest first.
 * Those on disk are left out, with a warning, when their list cannot be used.
 */
export async function schemasFor(
  target: Target,
  store: SchemaStore,
): Promise<readonly SchemaRef[]> {
  const address = parseAddress(target.url);
  const fitting = (entries: readonly SchemaEntry[]) =>
    entries.filter(({ url }) => isWithin(address, parseAddress(url)))
      .map(({ id, protocol }) => ({ id, protocol }));
  const ofRun = fitting(store.forRun);
  try {
    return [...ofRun, ...fitting(await store.list()).reverse()];
  } catch (error) {
    if (!(error instanceof BowireError)) throw error;
    log.warn("no stored schema is used: {reason}", { reason: error.message });
    return ofRun;
  }
}
