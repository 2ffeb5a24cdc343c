/**
 * Messages of an answer, each wrapped as the only field of a `google.protobuf.BytesValue`: the
 * transports decode what they hand out, and a message of 4 MiB may have two million fields.
 *
 * @module
 */
import { Code, ConnectError } from "@connectrpc/connect";
import { compressions, TOO_LARGE } from "./compression.ts";

/** Most bytes of one message that comes in, decompressed; that of gRPC's own clients. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** How much longer a message is when it is wrapped, at most. */
export const WRAPPING_BYTES = 6;

/** The flag of an envelope, and the length of what is in it (gRPC over HTTP/2, "Messages"). */
const PREFIX_BYTES = 5;
/** The flag of a message that is compressed; any other is none of a message. */
const COMPRESSED = 1;

type Body = AsyncIterable<Uint8Array>;

/**
 * The body with its messages wrapped, and not compressed any more. What is no message, or not whole,
 * is left as it is.
 *
 * @throws {ConnectError} when a message is too large.
 */
export async function* wrapEnvelopes(
  body: Body,
  encoding: string | null,
): AsyncGenerator<Uint8Array> {
  const pieces = new Pieces(body);
  try {
    while (true) {
      const prefix = await pieces.take(PREFIX_BYTES);
      if (prefix === undefined) return yield* pieces.rest();
      const [flag = 0] = prefix;
      const length = viewOf(prefix).getUint32(1);
      if (flag <= COMPRESSED && length > MAX_MESSAGE_BYTES) throw tooLarge();
      const content = flag <= COMPRESSED ? await pieces.take(length) : undefined;
      if (content === undefined) {
        yield prefix;
        if (flag <= COMPRESSED) return yield* pieces.rest();
        continue;
      }
      const compression = flag === COMPRESSED
        ? compressions.find(({ name }) => name === encoding)
        : undefined;
      if (flag === COMPRESSED && compression === undefined) yield join(prefix, content);
      else {
        const plain = await compression?.decompress(content, MAX_MESSAGE_BYTES) ?? content;
        const wrapped = wrap(plain);
        const envelope = new Uint8Array(PREFIX_BYTES);
        viewOf(envelope).setUint32(1, wrapped.length);
        yield join(envelope, wrapped);
      }
    }
  } finally {
    await pieces.stop();
  }
}

/**
 * The only message of a body without envelopes, wrapped.
 *
 * @throws {ConnectError} when it is too large.
 */
export async function* wrapWhole(body: Body): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MAX_MESSAGE_BYTES) throw tooLarge();
    parts.push(part);
  }
  yield wrap(join(...parts));
}

function wrap(message: Uint8Array): Uint8Array {
  const head = [0x0a]; // field 1, length-delimited
  let length = message.length;
  for (; length > 0x7f; length >>>= 7) head.push((length & 0x7f) | 0x80);
  return join(new Uint8Array([...head, length]), message);
}

/** A body that is taken by numbers of bytes. */
class Pieces {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Uint8Array[] = [];
  #size = 0;

  constructor(body: Body) {
    this.#source = body[Symbol.asyncIterator]();
  }

  /** So many bytes; nothing when there are fewer, which are held. */
  async take(count: number): Promise<Uint8Array | undefined> {
    while (this.#size < count) {
      const { done, value } = await this.#source.next();
      if (done === true) return undefined;
      this.#held.push(value);
      this.#size += value.length;
    }
    const all = join(...this.#held);
    this.#held = [all.subarray(count)];
    this.#size = all.length - count;
    return all.subarray(0, count);
  }

  /** What is left. */
  async *rest(): AsyncGenerator<Uint8Array> {
    yield* this.#held;
    for (let next = await this.#source.next(); next.done !== true;) {
      yield next.value;
      next = await this.#source.next();
    }
  }

  async stop(): Promise<void> {
    await this.#source.return?.();
  }
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array()] = parts;
  if (parts.length <= 1) return first;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function tooLarge(): ConnectError {
  return new ConnectError(`${TOO_LARGE} ${MAX_MESSAGE_BYTES} bytes`, Code.ResourceExhausted);
}
