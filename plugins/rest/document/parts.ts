/**
 * The other documents that a document refers to, read before anything is made of it.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { isObject } from "./json.ts";
import { splitReference } from "./pointer.ts";
import type { Parts } from "./references.ts";

/** A part of a document. */
export interface ReadPart {
  readonly root: unknown;
  /** Against which its references are resolved. */
  readonly url: string;
}

/** Most parts of one document. */
const MAX_PARTS = 200;
/** Parts that are read at a time. */
const WAVE = 8;

// A cheap look at the text, in JSON or YAML: without such a reference nothing has to be walked.
const LEADS_OUT = /["']?\$ref["']?\s*:\s*["']?[^#"'\s]/;
/** Their members are data, not references. */
const DATA_KEYWORDS = new Set(["example", "enum", "const", "value"]);
/** Their members have names of the author's choice, which may be those of keywords. */
const NAMED_KEYWORDS = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "examples",
  "headers",
  "parameters",
  "patternProperties",
  "properties",
  "schemas",
]);

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
  read: (url: string) => Promise<ReadPart>,
): Promise<Parts> {
  const roots = new Map<string, unknown>();
  const failures = new Map<string, string>();
  const wanted: string[] = [];
  const met = new Set([ownUrl]);
  const want = (url: string) => {
    if (met.has(url)) return;
    met.add(url);
    if (wanted.length < MAX_PARTS) wanted.push(url);
    else failures.set(url, `it is not among the first ${MAX_PARTS} parts`);
  };
  for (const url of places) want(url);
  for (let done = 0; done < wanted.length;) {
    const wave = wanted.slice(done, done + WAVE);
    done += wave.length;
    await Promise.all(
      wave.map(async (url) => {
        try {
          const part = await read(url);
          roots.set(url, part.root);
          visitReferences(part.root, (reference) => {
            const { place, fragment } = splitReference(reference, part.url);
            if (place === part.url) return `${url}#${fragment}`;
            want(place);
            return `${place}#${fragment}`;
          });
        } catch (error) {
          if (!(error instanceof BowireError)) throw error;
          failures.set(url, error.message);
        }
      }),
    );
  }
  return { roots, failures };
}

/** Puts what `visit` returns in the place of each reference. */
function visitReferences(
  node: unknown,
  visit: (reference: string) => string,
  hasNames = false,
): void {
  if (typeof node !== "object" || node === null) return;
  for (const [key, member] of Object.entries(node)) {
    if (key === "$ref" && typeof member === "string" && isObject(node)) {
      Object.assign(node, { $ref: visit(member) });
    } else if (hasNames) visitReferences(member, visit);
    else if (!isData(key, member)) visitReferences(member, visit, NAMED_KEYWORDS.has(key));
  }
}

/** True for examples and fixed values; those of a media type have names, those of a schema none. */
function isData(key: string, member: unknown): boolean {
  return DATA_KEYWORDS.has(key) || key === "examples" && Array.isArray(member);
}
