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

/** A URL that could not be read. */
export interface Missed {
  /** As it may be shown. */
  readonly url: string;
  readonly reason: string;
}

/** What was read of all URLs. */
export interface AllRead {
  readonly readings: readonly Reading[];
  readonly missed: readonly Missed[];
}

/**
 * Reads all URLs. Of one that cannot be read, the former reading stands in; without one it is left
 * out. Both are logged.
 *
 * @throws {BowireError} `not_discovered` when no URL offers a method, with what each said; what kept
 * the only URL from it; `cancelled`.
 */
export async function readAll(
  reader: Reader,
  former: readonly Reading[] = [],
): Promise<AllRead> {
  const failures: { url: string; error: BowireError; isKnown: boolean }[] = [];
  const readings = await Promise.all(reader.settings.urls.map(async (url) => {
    try {
      return [await readUrl(reader, url)];
    } catch (error) {
      if (!(error instanceof BowireError) || error.code === "cancelled") throw error;
      const known = former.filter((reading) => reading.url === url);
      failures.push({ url: redactUrl(url), error, isKnown: known.length > 0 });
      return known;
    }
  }));
  const found = readings.flat();
  if (!found.some(({ methods }) => methods.length > 0)) {
    throw refusalOf(found, failures.map(({ error }) => error));
  }
  const missed = failures.map(({ url, error: { message: reason }, isKnown }) => {
    log.warn(isKnown ? "{url} stays as it was: {reason}" : "{url} is left out: {reason}", {
      url,
      reason,
    });
    return { url, reason };
  });
  return { readings: found, missed };
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
