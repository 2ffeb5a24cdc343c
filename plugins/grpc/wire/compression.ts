/**
 * Compression of messages, with a bound on what comes out.
 *
 * @module
 */
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import type { Compression } from "@connectrpc/connect/protocol";
import { Code, ConnectError } from "@connectrpc/connect";

type Compress = (bytes: Uint8Array) => Promise<Uint8Array>;
type Decompress = (bytes: Uint8Array, options: zlib.ZlibOptions) => Promise<Uint8Array>;

/** Starts the message of the error for a message that is larger than the limit. */
export const TOO_LARGE = "message is larger than";

function compressionOf(name: string, compress: Compress, decompress: Decompress): Compression {
  return {
    name,
    compress: async (bytes) => new Uint8Array(await compress(bytes)),
    async decompress(bytes, readMaxBytes) {
      if (bytes.byteLength === 0) return new Uint8Array();
      try {
        return new Uint8Array(await decompress(bytes, { maxOutputLength: readMaxBytes }));
      } catch (error) {
        throw error instanceof RangeError
          ? new ConnectError(`${TOO_LARGE} ${readMaxBytes} bytes`, Code.ResourceExhausted)
          : new ConnectError(`the message is not compressed with ${name}`, Code.Internal);
      }
    },
  };
}

/** Those that a server may answer with, the best first (gRPC, "Compression"). */
export const compressions: readonly Compression[] = [
  compressionOf("gzip", promisify<Uint8Array, Uint8Array>(zlib.gzip), promisify(zlib.gunzip)),
  compressionOf(
    "deflate",
    promisify<Uint8Array, Uint8Array>(zlib.deflate),
    promisify(zlib.inflate),
  ),
];
