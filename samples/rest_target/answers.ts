/**
 * What every route is made of: a way in, the answers, and JSON whose integers are exact.
 *
 * @module
 */

/** One method of the API. */
export interface Route {
  readonly method: string;
  /** As {@linkcode URLPattern} reads it. */
  readonly path: string;
  readonly answer: (exchange: Exchange) => Response | Promise<Response>;
}

/** A request on its way. */
export interface Exchange {
  readonly request: Request;
  readonly url: URL;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** A field that is wrong, and why. */
export interface Violation {
  readonly field: string;
  readonly message: string;
}

/** An answer of RFC 9457, thrown. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly options: {
      readonly detail?: string;
      readonly violations?: readonly Violation[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(title);
  }

  toResponse(): Response {
    const { status, title } = this;
    const { detail, violations, headers } = this.options;
    return new Response(
      JSON.stringify({ type: "about:blank", title, status, detail, violations }),
      {
        status,
        headers: { "content-type": "application/problem+json", ...headers },
      },
    );
  }
}

/** A JSON answer; a `bigint` becomes a JSON number with all its digits. */
export function json(
  value: unknown,
  init: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const headers = { "content-type": "application/json", ...init.headers };
  return new Response(toJson(value), { status: init.status ?? 200, headers });
}

/** JSON text; a `bigint` becomes a number with all its digits. */
export function toJson(value: unknown): string {
  const marked = JSON.stringify(
    value,
    (_key, item) => typeof item === "bigint" ? `\u0000${item}` : item,
  );
  return marked.replace(/"\\u0000(-?\d+)"/g, "$1");
}

/**
 * The JSON object of a request; integers that a double cannot hold become `bigint`.
 *
 * @throws {Problem} 422.
 */
export async function readBody(request: Request): Promise<Record<string, unknown>> {
  let body: unknown;
  try {
    body = JSON.parse(await request.text(), reviveInteger);
  } catch {
    body = undefined;
  }
  if (!isRecord(body)) throw invalid([{ field: "body", message: "must be a JSON object" }]);
  return body;
}

function reviveInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isExact = typeof value !== "number" || Number.isSafeInteger(value) || value % 1 !== 0;
  return isExact ? value : BigInt(context?.source ?? value);
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The 422 answer. */
export function invalid(violations: readonly Violation[]): Problem {
  return new Problem(422, "Some of the input is not valid", { violations });
}

/** The 404 answer. */
export function notFound(what: string, id: string): Problem {
  return new Problem(404, `There is no such ${what}`, { detail: `${what} ${id} is not known` });
}

/**
 * Lets only the holder of the key pass.
 *
 * @throws {Problem} 401.
 */
export function requireKey({ request }: Exchange): void {
  if (request.headers.get("x-api-key") === "demo") return;
  throw new Problem(401, "An API key is needed", { detail: "send X-Api-Key: demo" });
}

/**
 * The page that `page` and `pageSize` ask for.
 *
 * @throws {Problem} 422.
 */
export function paginate(items: readonly unknown[], url: URL): Response {
  const page = readCount(url, "page", { fallback: 1, max: 1000 });
  const pageSize = readCount(url, "pageSize", { fallback: 2, max: 50 });
  const end = page * pageSize;
  const next = new URL(url);
  next.searchParams.set("page", `${page + 1}`);
  const nextPath = end < items.length ? next.pathname + next.search : null;
  return json(
    {
      items: items.slice(end - pageSize, end),
      page,
      pageSize,
      total: items.length,
      next: nextPath,
    },
    nextPath === null ? {} : { headers: { link: `<${nextPath}>; rel="next"` } },
  );
}

function readCount(url: URL, name: string, limits: { fallback: number; max: number }): number {
  const count = Number(url.searchParams.get(name) ?? limits.fallback);
  if (Number.isInteger(count) && count >= 1 && count <= limits.max) return count;
  throw invalid([{ field: name, message: `must be an integer from 1 to ${limits.max}` }]);
}
