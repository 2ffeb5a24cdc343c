/**
 * Protobuf messages as JSON text, exact and both ways (protobuf.dev, "ProtoJSON Format").
 *
 * Messages are written and read straight from JSON to the wire: nothing passes through doubles or
 * objects that a value could be bent by, and every error knows the path of its field.
 *
 * @module
 */
export { encodeMessage } from "./encode/encode_message.ts";
export { type Decoded, decodeMessage } from "./decode/decode_message.ts";
export type { Codec } from "./shared/types.ts";
