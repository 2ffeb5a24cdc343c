/**
 * A server that sends HTTP/2 frames by hand, and so may send any that it should not.
 *
 * @module
 */
import { within } from "../../fakes/deadline.ts";

/** Types of frames (RFC 9113, section 6). */
const TYPES = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;

/** Flags of frames. */
export const END_STREAM = 1;
export const END_HEADERS = 4;

type Bytes = Uint8Array | readonly number[];

/** One frame (RFC 9113, section 4.1), which may say another length than it has. */
export function frame(
  type: keyof typeof TYPES,
  payload: Bytes = [],
  { flags = 0, stream = 1, length = payload.length } = {},
): Uint8Array {
  const head = [...bytesOf(length, 3), TYPES[type], flags, ...bytesOf(stream, 4)];
  return new Uint8Array([...head, ...payload]);
}

/** HEADERS with all of a block, none of it compressed (RFC 7541, section 6.2.2). */
export function headers(fields: Readonly<Record<string, string>>, flags = 0): Uint8Array {
  return frame("headers", headerBlock(fields), { flags: END_HEADERS | flags });
}

/** The fields of HEADERS, or of what continues them. */
export function headerBlock(fields: Readonly<Record<string, string>>): Uint8Array {
  const strings = Object.entries(fields).map((pair) => pair.map(stringOf));
  return new Uint8Array(strings.flatMap(([name = [], value = []]) => [0, ...name, ...value]));
}

/** A gRPC message (gRPC over HTTP/2, "Length-Prefixed-Message"), which may say another length. */
export function message(
  bytes: Bytes,
  { isCompressed = false, length = bytes.length } = {},
): Uint8Array {
  return new Uint8Array([isCompressed ? 1 : 0, ...bytesOf(length, 4), ...bytes]);
}

/** A number, the highest byte first. */
export function bytesOf(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, n) => Math.floor(value / 256 ** (count - 1 - n)) % 256);
}

/** A string with its length, whose prefix has 7 bits (RFC 7541, sections 5.1 and 5.2). */
function stringOf(text: string): number[] {
  const bytes = [...new TextEncoder().encode(text)];
  if (bytes.length < 127) return [bytes.length, ...bytes];
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push(rest % 128 + 128);
  return [...length, rest, ...bytes];
}

/** A connection as a script sees it. */
export interface Raw {
  send(...pieces: readonly Uint8Array[]): Promise<void>;
  /** Sends the same again and again, until the client has gone. */
  flood(piece: Uint8Array): Promise<never>;
  /** Settles when a request has begun, or the client has gone. */
  untilAsked(): Promise<void>;
  /** Reads all that comes, until the client has gone. */
  untilGone(): Promise<void>;
}

/** Does what a server does on one connection, which is closed afterwards. */
export type Script = (raw: Raw) => Promise<void>;

/** Serves each connection by a script; disposing waits until all clients have gone. */
export function serveRaw(script: Script): AsyncDisposable & { readonly url: string } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const running = (async () => {
    const open: Promise<void>[] = [];
    for await (const connection of listener) open.push(serve(connection, script));
    await Promise.all(open);
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    async [Symbol.asyncDispose]() {
      listener.close();
      await within(running, "the client to let go of its connections");
    },
  };
}

async function serve(connection: Deno.TcpConn, script: Script): Promise<void> {
  using _ = connection;
  const buffer = new Uint8Array(65_536);
  const came: number[] = [];
  const send = async (...pieces: readonly Uint8Array[]) => {
    for (const piece of pieces) {
      for (let sent = 0; sent < piece.length;) {
        sent += await connection.write(piece.subarray(sent));
      }
    }
  };
  try {
    await script({
      send,
      async flood(piece) {
        while (true) await send(piece);
      },
      async untilAsked() {
        while (!hasRequest(came)) {
          const count = await connection.read(buffer);
          if (count === null) return;
          came.push(...buffer.subarray(0, count));
        }
      },
      async untilGone() {
        while (await connection.read(buffer) !== null) { /* it is still there */ }
      },
    });
  } catch (error) {
    const isGone = error instanceof Deno.errors.ConnectionReset ||
      error instanceof Deno.errors.BrokenPipe;
    if (!isGone) throw error;
  }
}

/** Whether HEADERS are among the frames after the preface (RFC 9113, section 3.4). */
function hasRequest(bytes: readonly number[]): boolean {
  for (let at = 24; at + 9 <= bytes.length;) {
    const [high = 0, middle = 0, low = 0, type] = bytes.slice(at, at + 4);
    if (type === TYPES.headers) return true;
    at += 9 + high * 65_536 + middle * 256 + low;
  }
  return false;
}
