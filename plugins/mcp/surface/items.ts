/**
 * What servers list, read item by item: one that is broken takes no other with it.
 *
 * @module
 */
import type { MethodHints } from "../../../lib/model/mod.ts";
import { cleanLine, cleanText } from "../../../lib/schema/clean_text.ts";
import { isObject, type JsonObject, listOf, textOf } from "../../../lib/schema/json_schema.ts";

const MAX_TITLE_LENGTH = 300;
const MAX_DESCRIPTION_LENGTH = 4000;

/** What all items have. */
export interface Item {
  /** As the server wants to be asked: a tool's or prompt's name, a resource's URI or template. */
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
}

/** A tool. */
export interface Tool extends Item {
  /** As the server wrote it. */
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly hints: MethodHints | undefined;
}

/** A prompt. */
export interface Prompt extends Item {
  readonly arguments: readonly (Item & { readonly required: boolean })[];
}

/** A resource, or a template of such. */
export interface Resource extends Item {
  readonly mediaType: string | undefined;
}

/** Reads an item of `tools/list`; `undefined` when it has no name. */
export function readTool(item: JsonObject): Tool | undefined {
  const annotations = isObject(item["annotations"]) ? item["annotations"] : {};
  const read = readItem(item, "name", textOf(annotations["title"]));
  if (read === undefined) return undefined;
  return {
    ...read,
    inputSchema: item["inputSchema"],
    outputSchema: item["outputSchema"],
    hints: hintsIn(annotations),
  };
}

/** Reads an item of `prompts/list`. */
export function readPrompt(item: JsonObject): Prompt | undefined {
  const read = readItem(item, "name");
  const args = listOf(item["arguments"]).filter(isObject).flatMap((argument) => {
    const named = readItem(argument, "name");
    return named === undefined ? [] : [{ ...named, required: argument["required"] === true }];
  });
  return read && { ...read, arguments: args };
}

/** Reads an item of `resources/list`, or of `resources/templates/list` by its `uriTemplate`. */
export function readResource(
  key: "uri" | "uriTemplate",
): (item: JsonObject) => Resource | undefined {
  return (item) => {
    const read = readItem(item, key, textOf(item["name"]));
    const mediaType = textOf(item["mimeType"]);
    return read && { ...read, mediaType: mediaType && cleanLine(mediaType, MAX_TITLE_LENGTH) };
  };
}

function readItem(item: JsonObject, key: string, otherTitle?: string): Item | undefined {
  const name = textOf(item[key]);
  // A name cannot be cleaned, or it would be another; what nobody sees in it may be meant to deceive.
  if (name === undefined || name === "" || cleanText(name, Infinity) !== name) return undefined;
  const title = textOf(item["title"]) ?? otherTitle;
  const description = textOf(item["description"]);
  return {
    name,
    title: title && cleanLine(title, MAX_TITLE_LENGTH),
    description: description && cleanText(description, MAX_DESCRIPTION_LENGTH),
  };
}

/** What the server says of a tool; hints that are no booleans say nothing. */
function hintsIn(annotations: JsonObject): MethodHints | undefined {
  const names = ["readOnly", "destructive", "idempotent", "openWorld"] as const;
  const hints = names.flatMap((name) => {
    const hint = annotations[`${name}Hint`];
    return typeof hint === "boolean" ? [[name, hint] as const] : [];
  });
  return hints.length === 0 ? undefined : Object.fromEntries(hints);
}
