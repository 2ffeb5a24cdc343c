/**
 * Requests in, responses out.
 *
 * @module
 */
export { type AccessEntry, type AccessFormat, formatAccess } from "./access.ts";
export {
  type Answer,
  type ConnectionInfo,
  createDoor,
  type Door,
  type HttpFaceOptions,
} from "./door.ts";
export {
  createHttpFace,
  type HttpFace,
  type HttpFaceParts,
  type Mount,
  type MountMode,
  type Route,
} from "./face.ts";
export { DEFAULT_BASE_PATH, isServed, normalizeBasePath } from "./paths.ts";
