/**
 * One conversation with a server's reflection: questions go out together, replies come in order.
 *
 * @module
 */
import { create, type DescMethod, fromBinary, toBinary, toJson } from "@bufbuild/protobuf";
import { Buffer } from "node:buffer";
import type { CallContext } from "../../../lib/protocol/mod.ts";
import type { Endpoint } from "../wire/endpoint.ts";
import type { Wire } from "../wire/wire.ts";
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
    replies.push(readReply(method, value));
  }
}

const methods: Partial<Record<Version, DescMethod>> = {};

/** A reply as JSON, which is easier to read without generated types. */
interface ReplyJson {
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto?: readonly string[] };
  readonly listServicesResponse?: { readonly service?: readonly { readonly name?: string }[] };
  readonly errorResponse?: { readonly errorMessage?: string; readonly errorCode?: number };
}

function readReply(method: DescMethod, bytes: Uint8Array): Reply {
  // The shape follows from the descriptor that it is read by.
  const json = toJson(method.output, fromBinary(method.output, bytes)) as ReplyJson;
  const { fileDescriptorResponse, listServicesResponse, errorResponse } = json;
  if (listServicesResponse !== undefined) {
    return { services: (listServicesResponse.service ?? []).map(({ name = "" }) => name) };
  }
  if (fileDescriptorResponse !== undefined) {
    const files = fileDescriptorResponse.fileDescriptorProto ?? [];
    return { files: files.map((text) => new Uint8Array(Buffer.from(text, "base64"))) };
  }
  const { errorMessage = "", errorCode = 2 } = errorResponse ?? {};
  return { error: errorMessage === "" ? `status ${errorCode}` : errorMessage };
}
