/**
 * Who may come in: Host and Origin are judged first, then the size of the head, how often they come,
 * and the token.
 *
 * @module
 */
import { Hono } from "hono";
import { cors } from "hono/cors";
import { BearerGuard, fingerprint, LOOPBACK_NAMES, OriginGuard } from "../gate/mod.ts";
import type { BodyLimits } from "../mcp/http/body.ts";
import { refusal } from "../mcp/http/refusals.ts";
import type { HttpCaller } from "../mcp/mod.ts";
import { type AccessEntry, observed } from "./access.ts";
import { limitRate, networkOf } from "./rate_limit.ts";

/** Who may come in, and how much may be asked. */
export interface HttpFaceOptions extends BodyLimits {
  /** Required as `Authorization: Bearer …` with every request when given. */
  readonly token?: string | undefined;
  /** Host names, without port, that requests may be addressed to and pages may come from. @default loopback */
  readonly hostNames?: readonly string[] | undefined;
  /**
   * Origins, as `https://app.example.com`, whose pages may come and read answers in a browser (CORS).
   * @default none
   */
  readonly corsOrigins?: readonly string[] | undefined;
  /**
   * Tells apart who asks: sessions and confirmations are theirs alone.
   * @default by the `Authorization` header
   */
  readonly principal?: ((request: Request) => string) | undefined;
  /**
   * Most requests of one principal in a minute, or of one remote address where nobody vouches for the
   * principal. @default without limit
   */
  readonly rateLimit?: number | undefined;
  /** Hears of each request when its answer is over. Must not throw. */
  readonly onAccess?: ((entry: AccessEntry) => void) | undefined;
}

/** What is known of the connection that a request came by; `Deno.serve` hands it out. */
export interface ConnectionInfo {
  /** Whose requests these are, as far as one can see from here. */
  readonly remoteAddr?: Deno.Addr | undefined;
}

/** Answers whoever was let in. */
export type Answer = (request: Request, caller: HttpCaller) => Response | Promise<Response>;

/** Lets in or refuses. */
export type Door = (
  request: Request,
  info: ConnectionInfo | undefined,
  answer: Answer,
) => Promise<Response>;

/** Longest URL, and the most header fields and characters in them. */
const MAX_URL_CHARS = 8192;
const MAX_FIELDS = 100;
const MAX_FIELD_CHARS = 64 * 1024;

/**
 * Makes a door. Nothing behind it is asked before all of it is passed.
 *
 * @param healthPath where anybody is told that it is alive, by any name and without a token.
 * @default nowhere
 * @throws {BowireError} `usage` for a rate that is none.
 */
export function createDoor(options: HttpFaceOptions, healthPath?: string): Door {
  const { hostNames = LOOPBACK_NAMES, corsOrigins = [], token, rateLimit } = options;
  const { maxBodyBytes, bodyTimeoutMs } = options;
  const origins = new OriginGuard(hostNames, corsOrigins);
  const bearer = token === undefined ? undefined : new BearerGuard(token);
  const principalOf = options.principal ?? principalByToken;
  /** Who is known for sure: others could give themselves a new name with each request. */
  const vouchedFor = (request: Request): string | undefined => {
    if (options.principal !== undefined) return options.principal(request) || undefined;
    return bearer?.accepts(request.headers.get("authorization")) === true ? "token" : undefined;
  };
  const app = new Hono<{ Bindings: { answer: Answer; address: string } }>();
  // Those who probe a container address it by whatever name or address it has.
  if (healthPath !== undefined) app.get(healthPath, () => Response.json({ status: "ok" }));
  app.use(async ({ req }, next) =>
    origins.refusal(req.raw) ?? headTooLarge(req.raw) ?? await next()
  );
  if (corsOrigins.length > 0) {
    // What a page may send is for the browser to ask: fields that repeat arguments have any name.
    app.use(cors({
      origin: (origin) => corsOrigins.includes(origin) ? origin : null,
      allowMethods: ["GET", "POST", "DELETE"],
      exposeHeaders: ["Mcp-Session-Id", "WWW-Authenticate", "Retry-After"],
    }));
  }
  if (rateLimit !== undefined) {
    app.use(limitRate(rateLimit, ({ req, env }) => vouchedFor(req.raw) ?? networkOf(env.address)));
  }
  app.use(async ({ req }, next) => {
    const given = req.header("authorization") ?? null;
    if (bearer !== undefined && !bearer.accepts(given)) return bearer.challenge(given !== null);
    return await next();
  });
  app.all(
    "*",
    ({ req: { raw }, env }) =>
      env.answer(raw, { principal: principalOf(raw), maxBodyBytes, bodyTimeoutMs }),
  );
  return async (request, info, answer) => {
    const startedMs = performance.now();
    const address = addressOf(info);
    const response = await app.fetch(request, { answer, address });
    const { onAccess } = options;
    if (onAccess === undefined) return response;
    return observed(response, { request, address, startedMs }, onAccess);
  };
}

function addressOf({ remoteAddr }: ConnectionInfo = {}): string {
  return remoteAddr !== undefined && "hostname" in remoteAddr ? remoteAddr.hostname : "";
}

function principalByToken({ headers }: Request): string {
  const given = headers.get("authorization");
  return given === null ? "" : fingerprint(given);
}

/** RFC 9110, section 15.5.15, and RFC 6585, section 5. */
function headTooLarge({ url, headers }: Request): Response | undefined {
  if (url.length > MAX_URL_CHARS) {
    return refusal(
      414,
      -32600,
      `Invalid Request: the URL is longer than ${MAX_URL_CHARS} characters`,
    );
  }
  const fields = [...headers];
  const size = fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (fields.length <= MAX_FIELDS && size <= MAX_FIELD_CHARS) return undefined;
  return refusal(
    431,
    -32600,
    `Invalid Request: more than ${MAX_FIELDS} header fields, or ${MAX_FIELD_CHARS} characters in them`,
  );
}
