/**
 * The other documents that a document refers to, read before anything is made of it.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { isObject } from "./json.ts";
import { splitReference } from "./pointer.ts";
import type { Parts } from "./references.ts";

/** Most parts of one document. */
const MAX_PARTS = 200;
/** Parts that are read at a time. */
const WAVE = 8;

// A cheap look at the text, in JSON or YAML: without such a reference nothing has to be walked.
const LEADS_OUT = /["']?\$ref["']?\s*:\s*["']?[^#"'\s]/;
/** Their members are data, not references. */
const DATA_KEYWORDS = new Set(["example", "enum", "const"]);

/**
 * URLs of the documents that a document refers to, without fragments.
 *
 * @param text the document as it was written.
 */
export function placesIn(root: unknown, url: string, text: string): Set<string> {
  const places = new Set<string>();
  if (LEADS_OUT.test(text)) {
    visitReferences(root, (reference) => {
      const { place } = splitReference(reference, url);
      if (place !== url) places.add(place);
      return reference;
    });
  }
  return places;
}

/**
 * Reads parts, and what they refer to in turn.
 *
 * @param read reads one part; a BowireError becomes a failure of that part alone.
 */
export async function readParts(
  places: Iterable<string>,
  ownUrl: string,
  read: (url: string) => Promise<unknown>,
): Promise<Parts> {
  const roots = new Map<string, unknown>();
  const failures = new Map<string, string>();
  const wanted = [...places];
  const met = new Set([ownUrl, ...wanted]);
  for (let next = 0; next < wanted.length; next += WAVE) {
    await Promise.all(
      wanted.slice(next, next + WAVE).map(async (url) => {
        try {
          roots.set(url, await read(url));
        } catch (error) {
          if (!(error instanceof BowireError)) throw error;
          failures.set(url, error.message);
          return;
        }
        visitReferences(roots.get(url), (reference) => {
          const { place, fragment } = splitReference(reference, url);
          if (!met.has(place) && met.size <= MAX_PARTS) wanted.push(place);
          met.add(place);
          return `${place}#${fragment}`;
        });
      }),
    );
  }
  return { roots, failures };
}

/** Puts what `visit` returns in the place of each reference. */
function visitReferences(node: unknown, visit: (reference: string) => string): void {
  if (typeof node !== "object" || node === null) return;
  for (const [key, member] of Object.entries(node)) {
    if (key === "$ref" && typeof member === "string" && isObject(node)) {
      Object.assign(node, { $ref: visit(member) });
    } else if (!DATA_KEYWORDS.has(key)) visitReferences(member, visit);
  }
}
