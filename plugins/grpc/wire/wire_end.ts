/**
 * How a server ends a call.
 *
 * @module
 */
import type { ConnectError } from "@connectrpc/connect";
import { writeStatus } from "../status/status_message.ts";

/** The server's last word. */
export interface WireEnd {
  /** As gRPC counts them; 0 is OK. */
  readonly code: number;
  /** What the server says about it, empty when nothing. */
  readonly message: string;
  /** `google.rpc.Status` in its wire form, when the server sent one. */
  readonly details?: Uint8Array<ArrayBuffer>;
  /** By lower-case name; values of `-bin` names in base64. */
  readonly headers: Readonly<Record<string, string>>;
  readonly trailers: Readonly<Record<string, string>>;
}

/** Headers that are told in other words. */
const TOLD = new Set(["grpc-status", "grpc-message", "grpc-status-details-bin"]);

/** Headers by name, without those of the status. */
export function textsOf(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !TOLD.has(name)));
}

/** Headers and trailers of an answer, which an error holds together. */
export function partsOf(
  metadata: Headers,
  header: Headers,
): Pick<WireEnd, "headers" | "trailers"> {
  // An answer may be nothing but trailers (gRPC over HTTP/2, "Responses", Trailers-Only).
  if (header.has("grpc-status")) return { headers: {}, trailers: textsOf(metadata) };
  const trailers = Object.entries(textsOf(metadata))
    .filter(([name, value]) => header.get(name) !== value);
  return { headers: textsOf(header), trailers: Object.fromEntries(trailers) };
}

/** The details of an error as `google.rpc.Status`, in which gRPC carries them. */
export function detailsOf({ code, rawMessage, details }: ConnectError): Pick<WireEnd, "details"> {
  const known = details.flatMap((detail) =>
    "type" in detail
      ? [{ typeUrl: `type.googleapis.com/${detail.type}`, value: new Uint8Array(detail.value) }]
      : []
  );
  if (known.length === 0) return {};
  return { details: writeStatus({ code, message: rawMessage, details: known }) };
}
