/**
 * Requests in, responses out.
 *
 * @module
 */
export { createHttpFace, DEFAULT_MCP_PATHS, type HttpFaceOptions, type Route } from "./face.ts";
