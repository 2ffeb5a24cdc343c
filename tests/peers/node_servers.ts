/**
 * Starts servers of `programs/` that are small programs of ours around npm packages that are not,
 * under Node. They say one JSON message a line; {@linkcode HAS_PEERS} tells where they run.
 *
 * @module
 */
import { TextLineStream } from "../fakes/conversation.ts";
import { within } from "../fakes/deadline.ts";
import { NODE } from "./peers.ts";
