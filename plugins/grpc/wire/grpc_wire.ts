/**
 * gRPC over HTTP/2, by grpc-js. All four kinds of call are one on the wire: messages go out,
 * messages come in, a status ends it.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { type ClientDuplexStream, Metadata, type StatusObject } from "@grpc/grpc-js";
import type { CallContext } from "../../../lib/protocol/mod.ts";
import type { Channels } from "./channels.ts";
import { failureOf, isDisconnection } from "./failures.ts";
import { detailsIn, fromMetadata, readEntries, toMetadata } from "./metadata.ts";
import type { Wire, WireCall, WireEnd, WireStream } from "./wire.ts";

type Duplex = ClientDuplexStream<Uint8Array, Uint8Array<ArrayBuffer>>;

/** What is known of a call while it runs. */
interface Course {
  headers?: Metadata;
  status?: StatusObject;
}

/** Makes the wire over the channels of a plugin. */
export function createGrpcWire(channels: Channels): Wire {
  return { open: (call, context) => run(channels, call, context) };
}

async function* run(channels: Channels, call: WireCall, context: CallContext): WireStream {
  const { endpoint, method } = call;
  context.signal.throwIfAborted();
  const metadata = toMetadata(readEntries(endpoint.metadata));
  const channel = channels.take(endpoint, context);
  const course: Course = {};
  const path = `${endpoint.prefix}/${method.parent.typeName}/${method.name}`;
  const stream: Duplex = channel.client.makeBidiStreamRequest(
    path,
    (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    (bytes) => new Uint8Array(bytes),
    metadata,
    { deadline: Date.now() + context.leftMs() },
  );
  stream.on("metadata", (headers) => course.headers = headers);
  stream.on("status", (status) => course.status = status);
  stream.on("error", () => {}); // the status says it, and whoever reads hears of it
  const cancel = () => stream.cancel();
  context.signal.addEventListener("abort", cancel, { once: true });
  const sending = send(stream, call);
  sending.catch(() => {}); // a call that ends early takes no more messages; its status says why
  try {
    yield* read(stream);
    const { status } = course;
    if (status === undefined) throw new Error("grpc-js ended a call without a status");
    const failure = failureOf(status, course.headers, { call, channel, context });
    if (failure !== undefined) throw failure;
    return endOf(status, course.headers);
  } finally {
    context.signal.removeEventListener("abort", cancel);
    stream.cancel();
    const isBroken = course.status !== undefined && isDisconnection(course.status, course.headers);
    channels.give(endpoint, channel, isBroken);
  }
}

async function send(stream: Duplex, { messages, keepsOpen }: WireCall): Promise<void> {
  for (const message of messages) {
    if (stream.write(message)) continue;
    const { promise, resolve } = Promise.withResolvers<void>();
    stream.once("drain", resolve);
    stream.once("close", resolve);
    await promise;
    if (stream.destroyed) return;
  }
  if (!keepsOpen) stream.end();
}

/** The messages, until the status has come. */
async function* read(stream: Duplex): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let isOver = false;
  let wake = () => {};
  stream.once("status", () => {
    isOver = true;
    wake();
  });
  stream.on("readable", () => wake());
  while (true) {
    const message: Uint8Array<ArrayBuffer> | null = stream.read();
    if (message !== null) yield message;
    else if (isOver) return;
    else await new Promise<void>((resolve) => wake = resolve);
  }
}

function endOf(status: StatusObject, headers = new Metadata()): WireEnd {
  const details = detailsIn(status.metadata);
  return {
    code: status.code,
    message: status.details,
    headers: fromMetadata(headers),
    trailers: fromMetadata(status.metadata),
    ...(details === undefined ? {} : { details }),
  };
}
