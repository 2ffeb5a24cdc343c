/**
 * Who asked for what, and what came of it: one entry a request, without any secret.
 *
 * @module
 */

/** One request that is over. */
export interface AccessEntry {
  /** When it came. */
  readonly time: Date;
  /** Empty when it is not known. */
  readonly remoteAddress: string;
  /** Of HTTP. */
  readonly method: string;
  /** Without the query, which may hold secrets. */
  readonly path: string;
  /** Of the answer. */
  readonly status: number;
  /** Of the answer's body, as far as it was sent. */
  readonly bytes: number;
  /** From the request to the end of the answer, in milliseconds. */
  readonly durationMs: number;
  /** False when whoever asked left before the end. */
  readonly isWhole: boolean;
  /** The method and what it is about, as a client of MCP 2026-07-28 repeats them in the head. */
  readonly mcp?: readonly string[];
}

/** How entries are written: as the Common Log Format with what that lacks behind it, or as JSON. */
export type AccessFormat = "common" | "json";

/** A request whose answer is watched. */
interface Watched {
  readonly request: Request;
  readonly address: string;
  /** By `performance.now`. */
  readonly startedMs: number;
}

/** The same answer; once it has been sent, or nobody wants more of it, it is told. */
export function observed(
  response: Response,
  { request, address, startedMs }: Watched,
  tell: (entry: AccessEntry) => void,
): Response {
  const { headers, method, url } = request;
  const { status, statusText, body } = response;
  const mcp = ["mcp-method", "mcp-name"].flatMap((name) => headers.get(name) ?? []);
  const known = { method, path: new URL(url).pathname, status, remoteAddress: address };
  let bytes = 0;
  const end = (isWhole: boolean) => {
    const durationMs = performance.now() - startedMs;
    const time = new Date(Date.now() - durationMs);
    tell({ time, ...known, bytes, durationMs, isWhole, ...(mcp.length === 0 ? {} : { mcp }) });
  };
  if (body === null) {
    end(true);
    return response;
  }
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength;
        controller.enqueue(piece);
      },
      flush: () => end(true),
      cancel: () => end(false),
    }),
  );
  return new Response(counted, { status, statusText, headers: response.headers });
}

/** An entry as a line; what could end the line or move a cursor is spelled out. */
export function formatAccess(entry: AccessEntry, format: AccessFormat): string {
  const { time, remoteAddress, method, path, status, bytes, durationMs, isWhole, mcp = [] } = entry;
  const rounded = Math.round(durationMs * 10) / 10;
  if (format === "json") {
    return spelled(JSON.stringify({ ...entry, time: time.toISOString(), durationMs: rounded }));
  }
  const words = [`${rounded} ms`, ...mcp, ...(isWhole ? [] : ["(left)"])];
  return spelled(
    `${remoteAddress || "-"} - - [${
      commonTime(time)
    }] "${method} ${path} HTTP" ${status} ${bytes} ${words.join(" ")}`,
  );
}

/** `10/Oct/2026:13:55:36 +0000`. */
function commonTime(time: Date): string {
  const [, day, month, year, clock] = time.toUTCString().split(" ");
  return `${day}/${month}/${year}:${clock} +0000`;
}

function spelled(line: string): string {
  return line.replace(/[^\x20-\x7e]/g, (mark) => encodeURIComponent(mark.toWellFormed()));
}
