/**
 * Properties that do not travel one way: read-only ones in what is sent, write-only ones in
 * answers.
 *
 * @module
 */
import type { FollowReference } from "./pack.ts";
