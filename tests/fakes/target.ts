/**
 * A small HTTP server that remembers what it was asked.
 *
 * @module
 */
import { within } from "./deadline.ts";

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A target that listens on 127.0.0.1. */
export interface RecordingTarget extends AsyncDisposable {
  /** Origin, without a slash at the end. */
  readonly url: string;
  /** All requests so far, in order. */
  readonly arrived: readonly Arrived[];
  /** Settles when a request for `/hang` has arrived. */
  readonly hanging: Promise<void>;
  /** Settles when the client of `/hang` has gone away. */
  readonly abandoned: Promise<void>;
}

/**
 * Starts one. `/status/N` answers with that status, `/echo` with the request's body, `/big` with a
 * number beyond 2^53, `/to?url=` with a redirect, `/hang` never, and `/esc` with control characters.
 */
export function startRecordingTarget(): RecordingTarget {
  const arrived: Arrived[] = [];
  const hanging = Promise.withResolvers<void>();
  const abandoned = Promise.withResolvers<void>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const url = new URL(request.url);
      const body = await request.text();
      const { method } = request;
      const headers = new Headers(request.headers); // those of a closed request cannot be read
      arrived.push({ method, path: url.pathname + url.search, headers, body });
      if (url.pathname === "/hang") {
        request.signal.addEventListener("abort", () => abandoned.resolve(), { once: true });
        hanging.resolve();
        await abandoned.promise;
      }
      return answer(url, body);
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    arrived,
    hanging: hanging.promise,
    get abandoned() {
      return within(abandoned.promise, "the client to go away");
    },
    async [Symbol.asyncDispose]() {
      abandoned.resolve();
      await server.shutdown();
    },
  };
}

function answer({ pathname, searchParams }: URL, body: string): Response {
  const json = { "content-type": "application/json" };
  const status = /^\/status\/(\d{3})$/.exec(pathname)?.[1];
  if (status !== undefined) {
    return Response.json({ status: Number(status) }, { status: Number(status) });
  }
  if (pathname === "/echo") return new Response(body, { headers: json });
  if (pathname === "/big") return new Response('{"id":9007199254740993}', { headers: json });
  if (pathname === "/esc") return Response.json({ name: "\u001b[31mred\u0007\u009b\u202e" });
  if (pathname === "/esc-text") return new Response("\u001b]0;title\u0007\u001b[2Jgone");
  if (pathname === "/to") {
    return new Response(null, {
      status: 307,
      headers: { location: searchParams.get("url") ?? "/" },
    });
  }
  return Response.json({ path: pathname });
}
