/**
 * What is known of the schema of an API that does not describe itself, and the list of such.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { isObject, type JsonObject } from "../schema/json_schema.ts";
import { brokenFile } from "./json_file.ts";

/** A schema that is known. */
export interface SchemaEntry {
  /** SHA-256 of URL, protocol and content, in hexadecimal. */
  readonly id: string;
  /** Canonical URL that it describes, with everything below. */
  readonly url: string;
  /** Id of the protocol that reads it. */
  readonly protocol: string;
  /** Paths that it was read from, as they were named. */
  readonly files: readonly string[];
  /** Folders in which the files looked for each other. */
  readonly roots: readonly string[];
  /** Names of the services that it describes. */
  readonly services: readonly string[];
  /** ISO 8601, in UTC. */
  readonly addedAt: string;
  /** Size of its content. */
  readonly bytes: number;
}

/** A schema that is to be known. */
export interface NewSchema extends Omit<SchemaEntry, "id" | "addedAt" | "bytes"> {
  readonly content: Uint8Array<ArrayBuffer>;
}

/** The schemas to take away: all that both say. */
export interface SchemaChoice {
  /** The id, or the beginning of one. */
  readonly id?: string | undefined;
  /** Canonical. */
  readonly url?: string | undefined;
}

/** The list as it is on disk. */
export interface SchemaIndex {
  readonly document: JsonObject;
  readonly entries: readonly SchemaEntry[];
}

/**
 * Reads the list.
 *
 * @param value the document; nothing for a file that is not there.
 * @throws {BowireError} `broken_file` when it is not of this shape.
 */
export function readIndex(path: string, value: unknown = {}): SchemaIndex {
  if (!isObject(value)) throw brokenFile(path, "it is not an object");
  const { schemas = [] } = value;
  if (!Array.isArray(schemas)) throw brokenFile(path, '"schemas" is not a list');
  const items: readonly unknown[] = schemas;
  const entries = items.map((item, index) => {
    if (isEntry(item)) return item;
    throw brokenFile(path, `schemas[${index}] is no entry of a schema`);
  });
  return { document: value, entries };
}

/**
 * The entries that a choice means.
 *
 * @throws {BowireError} `not_found` for none, `invalid_argument` for the beginning of several ids.
 */
export function chooseEntries(
  entries: readonly SchemaEntry[],
  { id = "", url }: SchemaChoice,
): readonly SchemaEntry[] {
  const chosen = entries.filter((entry) =>
    entry.id.startsWith(id) && (url === undefined || entry.url === url)
  );
  if (chosen.length === 0) {
    const of = [...id === "" ? [] : [`id "${id}"`], ...url === undefined ? [] : [`URL "${url}"`]];
    throw new BowireError(
      "not_found",
      `cannot remove a schema: there is none of ${of.join(" and ")}`,
      { hint: "bowire.schema.list tells what there is" },
    );
  }
  if (id === "" || chosen.length === 1) return chosen;
  throw new BowireError(
    "invalid_argument",
    `cannot remove a schema: "${id}" is the beginning of ${chosen.length} ids`,
    { hint: `write more of it: ${chosen.slice(0, 5).map((entry) => entry.id).join(", ")}` },
  );
}

/** The id of a schema with this content. */
export async function idOf(
  { url, protocol }: Pick<SchemaEntry, "url" | "protocol">,
  content: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const head = new TextEncoder().encode(`${JSON.stringify([url, protocol])}\n`);
  const whole = await new Blob([head, content]).arrayBuffer();
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole)).toHex();
}

/** Whether both were read from the same files for the same URL and protocol. */
export function isSameSource(one: SchemaEntry, other: SchemaEntry): boolean {
  const sourceOf = ({ url, protocol, files }: SchemaEntry) =>
    JSON.stringify([url, protocol, files.toSorted()]);
  return sourceOf(one) === sourceOf(other);
}

function isEntry(item: unknown): item is SchemaEntry {
  if (!isObject(item)) return false;
  const { id, url, protocol, files, roots, services, addedAt, bytes } = item;
  return typeof id === "string" && /^[0-9a-f]{64}$/.test(id) &&
    [url, protocol, addedAt].every((text) => typeof text === "string") &&
    [files, roots, services].every(isTextList) &&
    Number.isSafeInteger(bytes);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
