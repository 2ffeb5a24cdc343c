/**
 * One conversation with a server's reflection: questions go out together, replies come in order.
 *
 * @module
 */
import { create, type DescMethod, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import type { CallContext } from "../../../lib/protocol/mod.ts";
import type { Endpoint } from "../wire/endpoint.ts";
import type { Wire, WireStream } from "../wire/wire.ts";
import type { WireEnd } from "../wire/wire_end.ts";
import { reflectionMethod, type Version } from "./types.ts";

/** What a server can be asked. */
export type Question =
  | { readonly listServices: "*" }
  | { readonly fileContainingSymbol: string }
  | { readonly fileByFilename: string };

/** What it replies. */
export type Reply =
  | { readonly services: readonly string[] }
  /** File descriptors in their wire form. */
  | { readonly files: readonly Uint8Array<ArrayBuffer>[] }
  | { readonly error: string };

/** The replies until the server ended the conversation. */
export interface Replies {
  readonly replies: readonly Reply[];
  readonly end: WireEnd;
}

/** Asks all questions in one stream. */
export async function converse(
  { wire, endpoint, version }: { wire: Wire; endpoint: Endpoint; version: Version },
  questions: readonly Question[],
  context: CallContext,
): Promise<Replies> {
  const method = methods[version] ??= reflectionMethod(version);
  const messages = questions.map((question) =>
    new Uint8Array(toBinary(method.input, Object.assign(create(method.input), question)))
  );
  const stream = wire.open({ endpoint, method, messages, keepsOpen: false }, context);
  const replies: Reply[] = [];
  while (true) {
    const { done, value } = await stream.next();
    if (done === true) return { replies, end: value };
    if (replies.length === questions.length) return { replies, end: await stop(stream) };
    replies.push(readReply(method, value));
  }
}

/** Ends the conversation with a server that goes on when it has replied to everything. */
async function stop(stream: WireStream): Promise<WireEnd> {
  const end = { code: 0, message: "", headers: {}, trailers: {} };
  await stream.return(end);
  return end;
}

const methods: Partial<Record<Version, DescMethod>> = {};

/** A reply with the fields of its descriptor. */
interface ReplyMessage {
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: Uint8Array<ArrayBuffer>[] };
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly errorResponse?: { readonly errorMessage: string; readonly errorCode: number };
}

function readReply(method: DescMethod, bytes: Uint8Array): Reply {
  // The shape follows from the descriptor that it is read by.
  const message: ReplyMessage & Message = fromBinary(method.output, bytes);
  const { fileDescriptorResponse, listServicesResponse, errorResponse } = message;
  if (listServicesResponse !== undefined) {
    return { services: listServicesResponse.service.map(({ name }) => name) };
  }
  if (fileDescriptorResponse !== undefined) {
    return { files: fileDescriptorResponse.fileDescriptorProto };
  }
  const { errorMessage = "", errorCode = 2 } = errorResponse ?? {};
  return { error: errorMessage === "" ? `status ${errorCode}` : errorMessage };
}
