/**
 * The object that holds everything the faces share.
 *
 * @module
 */
export { Host, type HostOptions, type HostParts } from "./host.ts";
