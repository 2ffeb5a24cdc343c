/**
 * REST: discovery and calls by an OpenAPI 3 or Swagger 2 document.
 *
 * @module
 */
import type { Protocol } from "../../lib/protocol/mod.ts";
import { discover } from "./discover.ts";
import { DocumentCache } from "./find/cache.ts";
import { describeMethod, describeNamed } from "./describe/method_schema.ts";
import { invoke, loadDocument } from "./invoke.ts";
import { findMethod } from "./method/lookup.ts";
import { manifest } from "./manifest.ts";

/** What can be set when the protocol is made. */
export interface RestOptions {
  /** A clock in milliseconds, by which documents grow stale. @default performance.now */
  readonly nowMs?: () => number;
}

/** Makes the REST protocol, with a memory of its own for documents. */
export function createRest({ nowMs = () => performance.now() }: RestOptions = {}): Protocol {
  const documents = new DocumentCache(nowMs);
  return {
    manifest,
    discover: (request, context) => discover(documents, request, context),
    invoke: (call, context) => invoke(documents, call, context),
    async describe(request, context) {
      const document = await loadDocument(documents, request, context);
      return describeMethod(document, findMethod(document, request), ["output", "sample"]);
    },
    async describeAll({ methods, parts, ...request }, context) {
      const document = await loadDocument(documents, request, context);
      return methods.map((name) => describeNamed(document, name, parts));
    },
  };
}
