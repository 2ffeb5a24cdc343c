/**
 * Apps of the process that Bowire is part of: targets that are called without a network.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { BowireError } from "../errors/mod.ts";
import type { Target } from "../gate/mod.ts";
import { untilAborted } from "./abandon.ts";
import { place } from "./dial_errors.ts";

const log = getLogger(["bowire", "app"]);

/** The scheme of an app's address; its host is the name that the app was given. */
export const APP_SCHEME = "app";

/** An API of this process. */
export interface App {
  /**
   * Answers a request for `http://NAME/…`. The request's signal aborts when nobody waits for the
   * answer any more.
   */
  fetch(request: Request): Response | Promise<Response>;
  /**
   * Its OpenAPI document: a path in the app (`/docs/openapi.yaml`), or the document itself, as an
   * object or as text in JSON or YAML. It is shown at `/openapi.json`. Of the servers that it names,
   * only the paths count. @default the usual places are looked at
   */
  readonly openapi?: string | Readonly<Record<string, unknown>>;
}

/** Apps by name. */
export type Apps = Readonly<Record<string, App>>;

/** Sends one request, and follows no redirect. */
export type Send = (
  target: Target,
  init: RequestInit & { readonly signal: AbortSignal },
) => Promise<Response>;

/** Whether HTTP requests can be sent to a target. */
export function speaksHttp({ scheme }: Target): boolean {
  return ["http", "https", APP_SCHEME].includes(scheme);
}

/** Where discovery looks first. */
const DOCUMENT_PATH = "/openapi.json";

/** Letters, digits, `-` and `_`, so that it is the same in every spelling of a URL. */
const NAME = /^[a-z](?:[a-z0-9_-]{0,61}[a-z0-9])?$/;

/**
 * Sends requests to apps, and to nothing else.
 *
 * @throws {BowireError} `usage` for a name that cannot stand in a URL, or an `openapi` that is
 * neither a path nor a document.
 */
export function sendToApps(apps: Apps): Send {
  const known = new Map(Object.entries(apps).map(([name, app]) => [name, open(name, app)]));
  return async (target, { signal, ...init }) => {
    const app = target.scheme === APP_SCHEME ? known.get(target.host) : undefined;
    if (app === undefined) throw unknownApp(target, [...known.keys()]);
    const url = new URL(target.url.replace(/^app:/, "http:"));
    url.hash = ""; // no server sees it
    const request = new Request(url, { ...init, signal });
    request.headers.set("host", url.host);
    const response = await untilAborted(() => app(request), signal, 0);
    const headers = new Headers(response.headers);
    const location = headers.get("location");
    // It knows itself by the URL of the request.
    if (location !== null && URL.parse(location)?.origin === url.origin) {
      headers.set("location", location.replace(/^http:/i, `${APP_SCHEME}:`));
    }
    const { status, statusText, body } = response;
    return new Response(body && bytesOf(body, signal), { status, statusText, headers });
  };
}

/** An app that always answers, its document shown. */
function open(name: string, app: App): (request: Request) => Promise<Response> {
  if (!NAME.test(name)) {
    throw new BowireError("usage", `cannot use the app name "${name}": it cannot be a URL's host`, {
      hint: 'use small letters, digits and hyphens, as in "my-api"',
    });
  }
  const document = documentOf(name, app);
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (document !== undefined && pathname === DOCUMENT_PATH) return document();
    try {
      // Whatever its type says, a framework may give none, or one of a class of its own.
      const response: Response | undefined = await app.fetch(request);
      if (response !== undefined && response.status >= 200) return response;
      throw new TypeError("it gave no response");
    } catch (error) {
      request.signal.throwIfAborted();
      // As a server would: what an app throws may hold what no caller should see.
      log.error('the app "{name}" failed at {pathname}: {error}', { name, pathname, error });
      return new Response("Internal Server Error", { status: 500 });
    }
  };
}

/** What is answered where discovery looks; `undefined` when that is for the app itself. */
function documentOf(name: string, { openapi }: App): (() => Response) | undefined {
  if (openapi === undefined || openapi === DOCUMENT_PATH) return undefined;
  if (typeof openapi !== "string") {
    const text = JSON.stringify(openapi);
    return () => new Response(text);
  }
  if (openapi.startsWith("/")) {
    return () => new Response(null, { status: 302, headers: { location: openapi } });
  }
  if (/[\n{]/.test(openapi)) return () => new Response(openapi);
  throw new BowireError(
    "usage",
    `cannot use the document of the app "${name}": "${openapi.slice(0, 200)}" is neither a path ` +
      "nor a document",
    { hint: `a path begins with a slash, as in "${DOCUMENT_PATH}"` },
  );
}

/** A body as the runtime would hand it out: bytes of its own, which end when nobody waits for them. */
function bytesOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      try {
        let piece: Uint8Array | undefined;
        do {
          piece = (await untilAborted(() => reader.read(), signal, 0)).value;
        } while (piece?.byteLength === 0); // which a stream of bytes does not take
        // A copy: the stream takes the memory of what it is given, and the app may need it again.
        if (piece !== undefined) return controller.enqueue(piece.slice());
        controller.close();
        controller.byobRequest?.respond(0);
      } catch (error) {
        await reader.cancel(error).catch(() => {}); // it failed by itself
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function unknownApp(target: Target, names: readonly string[]): BowireError {
  const message = target.scheme === APP_SCHEME
    ? `cannot reach ${place(target)}: there is no app of that name`
    : `cannot reach ${place(target)} from an app: only apps are reached from there`;
  return new BowireError("not_found", message, {
    hint: names.length === 0
      ? "apps are named where Bowire is embedded: createBowire({ apps })"
      : `known are: ${names.map((name) => `${APP_SCHEME}://${name}`).join(", ")}`,
  });
}
