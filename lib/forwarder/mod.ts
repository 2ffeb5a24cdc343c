/**
 * The relay: messages, not handlers.
 *
 * @module
 */
export { parseAttachEndpoint } from "./attach.ts";
export type { RelayStreamsOptions } from "./stream/relay_streams.ts";
export { ForwardingMcpTransport } from "./transport.ts";
