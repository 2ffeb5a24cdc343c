/**
 * What is shown of an answer that is too large to be shown.
 *
 * @module
 */
import { isObject } from "../../schema/json_schema.ts";
import { cleanLine } from "../../schema/clean_text.ts";

/** Most characters of the beginning that are shown. */
const MAX_PREVIEW_CHARS = 10_000;
/** Longest name of a member in a sentence. */
const MAX_NAME_LENGTH = 60;

/** A sentence with counts, and the beginning. */
export interface Preview {
  readonly note: string;
  readonly head: string;
}

/** Tells how large an answer is, and shows its beginning: not more than `maxChars`. */
export function previewOf(text: string, maxChars: number): Preview {
  const head = text.slice(0, Math.min(maxChars, MAX_PREVIEW_CHARS)).replace(/[\ud800-\udbff]$/, "");
  const items = countItems(text);
  const holding = items === undefined ? "" : `, ${items}`;
  return {
    note: `The answer is too large to be shown: ${countText(text.length)} characters${holding}. ` +
      `These are the first ${countText(head.length)}.`,
    head,
  };
}

/** The items of a list, or of the one list that an object is about. */
function countItems(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (Array.isArray(value)) return `${countText(value.length)} items`;
  if (!isObject(value)) return undefined;
  const lists = Object.entries(value)
    .flatMap(([name, member]) => Array.isArray(member) ? [{ name, length: member.length }] : [])
    .sort((a, b) => b.length - a.length);
  const [longest] = lists;
  if (longest === undefined) return undefined;
  return `${countText(longest.length)} items in "${cleanLine(longest.name, MAX_NAME_LENGTH)}"`;
}

/** A number with commas between thousands. */
export function countText(count: number): string {
  return count.toLocaleString("en-US");
}
