/**
 * Finds out which protocol serves a service.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { redactUrl, type Target } from "../gate/mod.ts";
import { abortError, type ProtocolManifest } from "../protocol/mod.ts";
import { closest } from "../schema/spelling/closest.ts";
import { type DiscoveryRoom, type Try, tryProtocol } from "./discover.ts";
import type { DescribeRequest } from "./requests.ts";

/**
 * Asks the candidates side by side, and waits for the first that has the service; the others are
 * left.
 *
 * @throws {BowireError} `unknown_service`, with what each protocol said; what kept them all from
 * asking, when that is one thing; `timeout` or `cancelled`.
 */
export async function findService(
  room: DiscoveryRoom,
  target: Target,
  { candidates, request, onTried }: {
    readonly candidates: readonly ProtocolManifest[];
    readonly request: DescribeRequest;
    /** Hears of each try that ends before one has the service. */
    readonly onTried: (tried: Try) => void;
  },
): Promise<ProtocolManifest> {
  const { scope } = room;
  const settled = new AbortController();
  const bounds = {
    ...scope,
    signal: AbortSignal.any([scope.signal, settled.signal]),
    limit: AbortSignal.any([scope.limit, settled.signal]),
  };
  const options = { metadata: request.metadata, showInternal: true };
  const { promise: first, resolve } = Promise.withResolvers<Try | undefined>();
  const tries = candidates.map(async (manifest) => {
    const tried = await tryProtocol({ ...room, scope: bounds }, target, { manifest, options });
    onTried(tried);
    if (tried.services.some(({ name }) => name === request.service)) resolve(tried);
    return tried;
  });
  const all = Promise.all(tries);
  all.then(() => resolve(undefined), () => resolve(undefined));
  const found = await first;
  settled.abort();
  if (found !== undefined) return found.manifest;
  if (scope.limit.aborted) throw abortError(target, scope.signal, scope.timeoutMs);
  throw refusalOf(target, request, await all);
}

function refusalOf(
  target: Target,
  { service, method }: DescribeRequest,
  tries: readonly Try[],
): BowireError {
  const names = tries.flatMap(({ services }) => services.map(({ name }) => name));
  const errors = tries.flatMap(({ error }) => error ?? []);
  const isAboutCall = errors.find(({ code }) => code === "invalid_argument");
  const denial = errors.find(({ code }) => code === "permission_denied");
  const common = errors.length === tries.length ? errors[0] : undefined;
  if (names.length === 0) {
    const only = isAboutCall ?? denial ?? common;
    if (only !== undefined) return only;
  }
  const said = tries.map(({ attempt: { plugin, message } }) => `${plugin}: ${message}`).join("; ");
  const near = closest(service, names);
  const known = near.length > 0 ? near : names.slice(0, 5);
  return new BowireError(
    "unknown_service",
    `cannot call "${service}/${method}": no protocol found that service at "${
      redactUrl(target.url)
    }" (${said})`,
    {
      hint: known.length === 0
        ? "bowire.discover tells more; a protocol can be named, as in protocol or id@URL"
        : `${near.length > 0 ? "near it are" : "there are, for instance"}: ${known.join(", ")}`,
    },
  );
}
