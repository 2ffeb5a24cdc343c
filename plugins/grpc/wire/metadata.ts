/**
 * gRPC metadata as text: values of `-bin` names in base64.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { Metadata } from "@grpc/grpc-js";
import { BowireError } from "../../../lib/errors/mod.ts";

/** Names that belong to the wire itself (gRPC over HTTP/2, "Call-Definition"). */
const OF_THE_WIRE = /^:|^grpc-|^(?:te|content-type|content-length|connection|host)$/;
/** What a name may consist of. */
const NAME = /^[0-9a-z_.-]+$/;
/** What a value that is no bytes may consist of. */
const VALUE = /^[ -~]*$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** One entry, ready to be sent. */
export type Entry = readonly [name: string, value: string | Buffer];

/**
 * Checks what a call sends along.
 *
 * @throws {BowireError} `invalid_argument`; values are not quoted, they may be secrets.
 */
export function readEntries(metadata: Readonly<Record<string, string>>): Entry[] {
  return Object.entries(metadata).map(([given, value]): Entry => {
    const name = given.toLowerCase();
    if (OF_THE_WIRE.test(name)) refuse(name, "gRPC sets it itself", "leave it out");
    if (!NAME.test(name)) {
      refuse(name, "it is no name of metadata", "letters, digits, - _ and . can be used");
    }
    if (name.endsWith("-bin")) {
      if (!BASE64.test(value)) {
        refuse(name, "its value is not base64", "encode the bytes as base64");
      }
      return [name, Buffer.from(value, "base64")];
    }
    if (!VALUE.test(value)) {
      refuse(name, "its value is not printable ASCII", `send it as ${name}-bin, in base64`);
    }
    return [name, value];
  });
}

function refuse(name: string, reason: string, hint: string): never {
  throw new BowireError("invalid_argument", `cannot send the metadata "${name}": ${reason}`, {
    hint,
  });
}

/** Entries as grpc-js sends them. */
export function toMetadata(entries: readonly Entry[]): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of entries) metadata.add(name, value);
  return metadata;
}

/** What came from a server, by name; values of one name joined with `, `. */
export function fromMetadata(metadata: Metadata): Record<string, string> {
  const { [DETAILS]: _details, ...names } = metadata.toJSON();
  return Object.fromEntries(
    Object.entries(names).map(([name, values]) => [name, values.map(textOf).join(", ")]),
  );
}

/** The trailer that holds a `google.rpc.Status`. */
const DETAILS = "grpc-status-details-bin";

/** A `google.rpc.Status` in its wire form, when there is one. */
export function detailsIn(metadata: Metadata): Uint8Array<ArrayBuffer> | undefined {
  const [value] = metadata.get(DETAILS);
  return value === undefined || typeof value === "string" ? undefined : new Uint8Array(value);
}

function textOf(value: string | Buffer): string {
  return typeof value === "string" ? value : value.toString("base64");
}
