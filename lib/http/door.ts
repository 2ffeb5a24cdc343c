/**
 * Who may come in: Host and Origin are judged first, then the size of the head, then the token.
 *
 * @module
 */
import { Hono } from "hono";
import { cors } from "hono/cors";
import { BearerGuard, fingerprint, LOOPBACK_NAMES, OriginGuard } from "../gate/mod.ts";
import { refusal } from "../mcp/http/refusals.ts";

/** Who may come in. */
export interface HttpFaceOptions {
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
}

/** Answers whoever was let in. */
export type Answer = (request: Request, principal: string) => Response | Promise<Response>;

/** Lets in or refuses. */
export type Door = (request: Request, answer: Answer) => Promise<Response>;

/** Longest URL, and the most header fields and characters in them. */
const MAX_URL_CHARS = 8192;
const MAX_FIELDS = 100;
const MAX_FIELD_CHARS = 64 * 1024;

/** Makes a door. Nothing behind it is asked before all of it is passed. */
export function createDoor(options: HttpFaceOptions): Door {
  const { hostNames = LOOPBACK_NAMES, corsOrigins = [], token } = options;
  const origins = new OriginGuard(hostNames, corsOrigins);
  const bearer = token === undefined ? undefined : new BearerGuard(token);
  const principalOf = options.principal ?? principalByToken;
  const app = new Hono<{ Bindings: { answer: Answer } }>();
  app.use(async ({ req }, next) =>
    origins.refusal(req.raw) ?? headTooLarge(req.raw) ?? await next()
  );
  if (corsOrigins.length > 0) {
    // What a page may send is for the browser to ask: fields that repeat arguments have any name.
    app.use(cors({
      origin: (origin) => corsOrigins.includes(origin) ? origin : null,
      allowMethods: ["GET", "POST", "DELETE"],
      exposeHeaders: ["Mcp-Session-Id", "WWW-Authenticate"],
    }));
  }
  app.use(async ({ req }, next) => {
    const given = req.header("authorization") ?? null;
    if (bearer !== undefined && !bearer.accepts(given)) return bearer.challenge(given !== null);
    return await next();
  });
  app.all("*", ({ req, env }) => env.answer(req.raw, principalOf(req.raw)));
  return async (request, answer) => await app.fetch(request, { answer });
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
