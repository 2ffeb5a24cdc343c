/**
 * Gzip for messages of gRPC-Web and Connect, bounded.
 *
 * @module
 */
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import type { Compression } from "@connectrpc/connect/protocol";
import { Code, ConnectError } from "@connectrpc/connect";

/** Gzip as a compression of @connectrpc/connect. */
export const gzip: Compression = {
  name: "gzip",
  compress: async (bytes) => new Uint8Array(await promisify(zlib.gzip)(bytes)),
  async decompress(bytes, readMaxBytes) {
    if (bytes.byteLength === 0) return new Uint8Array();
    try {
      return new Uint8Array(
        await promisify<zlib.InputType, zlib.ZlibOptions, Uint8Array>(zlib.gunzip)(bytes, {
          maxOutputLength: readMaxBytes,
        }),
      );
    } catch (error) {
      const isTooLarge = error instanceof RangeError;
      throw new ConnectError(
        isTooLarge ? `message size ${readMaxBytes + 1} is larger than configured` : "bad gzip",
        isTooLarge ? Code.ResourceExhausted : Code.InvalidArgument,
      );
    }
  },
};
