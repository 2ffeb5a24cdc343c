/**
 * The messages of `bowire call`: where they are read, and how several of them become one.
 *
 * @module
 */
import { Option } from "commander";
import { BowireError, messageOf } from "../../../errors/mod.ts";
import { parseJson } from "../../../schema/mod.ts";

/** The repeatable option that says what is sent. */
export function dataOption(): Option {
  return new Option(
    "-d, --data <json>",
    "arguments as JSON, @FILE, or - for standard input; several, in one or repeated, are the " +
      "messages of a client stream in their order",
  ).argParser((text: string, known: string[] = []) => [...known, text]);
}

/** Files that {@linkcode readBody} reads. */
export function dataFiles(data: unknown): string[] {
  return sourcesIn(data).filter((text) => text.startsWith("@")).map((text) => text.slice(1));
}

/**
 * Reads what the option names.
 *
 * @param fill puts values in place of variables.
 * @returns one message as it is, several as a JSON array; empty without any.
 * @throws {BowireError} `file_failed`, or `usage` when standard input is named twice.
 */
export async function readBody(data: unknown, fill: (text: string) => string): Promise<string> {
  const sources = sourcesIn(data);
  if (sources.filter((text) => text === "-").length > 1) {
    throw new BowireError("usage", "cannot read standard input twice: give -d - once");
  }
  const messages: string[] = [];
  for (const source of sources) {
    const text = fill(await readSource(source));
    if (text.trim() !== "") messages.push(...splitJson(text));
  }
  return messages.length > 1 ? `[${messages.join(",")}]` : messages[0] ?? "";
}

/**
 * The JSON values of a text that holds one, or several one after another. Text that is neither is
 * given back as it is, for whoever takes it to refuse.
 */
export function splitJson(text: string): string[] {
  if (isJson(text)) return [text];
  const values = cutAtEnds(text);
  return values.length > 0 && values.every(isJson) ? values : [text];
}

/** Strings, brackets, words; what lies between (white space, commas, colons) ends no value. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s"[\]{},:]+/g;

/** Cuts behind every value at the top: where brackets are closed again, a string ends, or a word. */
function cutAtEnds(text: string): string[] {
  const values: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth > 0) continue;
    const end = index + token.length;
    values.push(text.slice(start, end).trim());
    start = end;
  }
  if (text.slice(start).trim() !== "") values.push(text.slice(start));
  return values;
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

function sourcesIn(data: unknown): string[] {
  return Array.isArray(data) ? data.map(String) : [];
}

async function readSource(source: string): Promise<string> {
  if (source === "-") return await new Response(Deno.stdin.readable).text();
  if (!source.startsWith("@")) return source;
  const path = source.slice(1);
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    throw new BowireError(
      "file_failed",
      `cannot read the arguments from "${path}": ${messageOf(error)}`,
      { cause: error },
    );
  }
}
