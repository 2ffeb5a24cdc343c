/**
 * What the core knows of the REST protocol without loading its code.
 *
 * @module
 */
import { type ProtocolManifest, speaksHttp } from "../../lib/protocol/mod.ts";

/** REST by an OpenAPI or Swagger document. */
export const manifest: ProtocolManifest = {
  id: "rest",
  name: "REST",
  description: "HTTP APIs described by OpenAPI 3 or Swagger 2, and plain HTTP calls.",
  hints: ["rest", "openapi"],
  callsUrls: true,
  claims: (target) => speaksHttp(target) ? "possible" : "no",
};
