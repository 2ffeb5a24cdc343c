/**
 * Compression of messages, with a bound on what comes out.
 *
 * @module
 */
import { promisify } from "node:util";
import type { ZlibOptions } from "node:zlib";
import type { Compression } from "@connectrpc/connect/protocol";
import { Code, ConnectError } from "@connectrpc/connect";

/** Starts the message of the error for a message that is larger than the limit. */
export const TOO_LARGE = "message is larger than";

/** The functions of `node:zlib` for each, which few calls need. */
const FUNCTIONS = {
  gzip: { pack: "gzip", unpack: "gunzip" },
  deflate: { pack: "deflate", unpack: "inflate" },
} as const;

type Pack = (bytes: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>;

function compressionOf(name: keyof typeof FUNCTIONS): Compression {
  const { pack, unpack } = FUNCTIONS[name];
  return {
    name,
    async compress(bytes) {
      const zlib = await import("node:zlib");
      const compress: Pack = promisify(zlib[pack]);
      return new Uint8Array(await compress(bytes, {}));
    },
    async decompress(bytes, readMaxBytes) {
      if (bytes.byteLength === 0) return new Uint8Array();
      const zlib = await import("node:zlib");
      const decompress: Pack = promisify(zlib[unpack]);
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
  compressionOf("gzip"),
  compressionOf("deflate"),
];
