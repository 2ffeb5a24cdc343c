/**
 * What the core knows of the gRPC protocol without loading its code.
 *
 * @module
 */
import type { ProtocolManifest } from "../../lib/protocol/mod.ts";

/** gRPC, and its two relatives for HTTP/1.1. */
export const manifest: ProtocolManifest = {
  id: "grpc",
  name: "gRPC",
  description: "gRPC, gRPC-Web and Connect services, by server reflection or schema files.",
  hints: ["grpc", "grpcweb", "connect"],
  schemaFiles: [".proto", ".protoset", ".binpb", ".pb", ".desc", ".bin", ".binpb.gz", ".bin.gz"],
  // Services lie at the root, but for proxies that a hint can tell of.
  claims: ({ scheme, url }) =>
    (scheme === "http" || scheme === "https") && new URL(url).pathname === "/" ? "possible" : "no",
};
