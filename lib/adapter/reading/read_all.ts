/**
 * All URLs of an adapter, read side by side. One that fails never hides another.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { BowireError } from "../../errors/mod.ts";
import { redactUrl } from "../../gate/mod.ts";
import { type Reader, type Reading, readUrl } from "./read_url.ts";

const log = getLogger(["bowire", "adapter"]);

/**
 * Reads all URLs. Of one that cannot be read, the former reading stands in; without one it is left
 * out and logged.
 *
 * @throws {BowireError} `not_discovered` when no URL offers a method, with what each said; what kept
 * the only URL from it; `cancelled`.
 */
export async function readAll(
  reader: Reader,
  former: readonly Reading[] = [],
): Promise<readonly Reading[]> {
  const failures: BowireError[] = [];
  const readings = await Promise.all(reader.settings.urls.map(async (url) => {
    try {
      return [await readUrl(reader, url)];
    } catch (error) {
      if (!(error instanceof BowireError) || error.code === "cancelled") throw error;
      const known = former.filter((reading) => reading.url === url);
      log.warn(
        known.length === 0 ? "{url} is left out: {reason}" : "{url} stays as it was: {reason}",
        { url: redactUrl(url), reason: error.message },
      );
      failures.push(error);
      return known;
    }
  }));
  const found = readings.flat();
  if (found.some(({ methods }) => methods.length > 0)) return found;
  throw refusalOf(found, failures);
}

function refusalOf(found: readonly Reading[], failures: readonly BowireError[]): BowireError {
  const [failure, ...others] = failures;
  if (failure !== undefined && others.length + found.length === 0) return failure;
  const reasons = [...failures.map(({ message }) => message), ...found.map(whyNone)];
  return new BowireError("not_discovered", `cannot adapt an API: ${reasons.join("; ")}`, {
    hint: "check the URLs, and what is included and excluded",
    retryable: failures.some(({ retryable }) => retryable),
  });
}

function whyNone({ url, leftOut: { streaming, incoming, filtered } }: Reading): string {
  const counts = [
    `${streaming} stream`,
    `${incoming} are webhooks`,
    `${filtered} are filtered out`,
  ];
  return `no method of "${redactUrl(url)}" can be a tool: ${counts.join(", ")}`;
}
