/**
 * `google.rpc.Status` in its wire form, and as canonical JSON.
 *
 * @module
 */
import { create, createRegistry, type Registry, toBinary } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { type Codec, decodeMessage } from "../json/mod.ts";
import { statusType, statusTypes } from "./status_types.ts";

/** What a status says. */
export interface StatusParts {
  readonly code: number;
  readonly message: string;
  readonly details: readonly {
    readonly typeUrl: string;
    readonly value: Uint8Array<ArrayBuffer>;
  }[];
}

/** The wire form of a status. */
export function writeStatus({ code, message, details }: StatusParts): Uint8Array<ArrayBuffer> {
  const status = Object.assign(create(statusType), {
    code,
    message,
    details: details.map((detail) => create(AnySchema, detail)),
  });
  return new Uint8Array(toBinary(statusType, status));
}

/**
 * How a call ended as JSON: `{"code": 5, "message": …, "details": […]}`. Details that cannot be read
 * are left out: what the server says in words is told all the same.
 *
 * @param codec knows types of the target's own.
 */
export async function statusJson(
  { code, message, details = writeStatus({ code, message, details: [] }) }: {
    readonly code: number;
    readonly message: string;
    readonly details?: Uint8Array<ArrayBuffer>;
  },
  codec: Codec,
): Promise<string> {
  const registry: Registry = createRegistry(statusTypes, codec.registry);
  try {
    return (await decodeMessage(statusType, details, { ...codec, registry })).json;
  } catch {
    return JSON.stringify({ code, ...(message === "" ? {} : { message }) });
  }
}
