/**
 * Requests in, responses out.
 *
 * @module
 */
export { type Answer, createDoor, type Door, type HttpFaceOptions } from "./door.ts";
export {
  createHttpFace,
  type HttpFaceParts,
  type Mount,
  type MountMode,
  type Route,
} from "./face.ts";
export { DEFAULT_BASE_PATH, isBelow, normalizeBasePath } from "./paths.ts";
