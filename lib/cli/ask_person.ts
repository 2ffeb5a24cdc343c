/**
 * Questions of a target, put to the person at the terminal.
 *
 * @module
 */
import type { TargetAnswer, TargetQuestion } from "../model/mod.ts";
import { isObject, type JsonObject, listOf, textOf } from "../schema/json_schema.ts";
import { readLines } from "../schema/lines.ts";
import { parseJson } from "../schema/mod.ts";
import { readStdin } from "./streams.ts";
import { safe, type Terminal } from "./terminal.ts";

const MAX_LINE_BYTES = 64 * 1024;

/** Reads one line after another, for as long as questions come. */
let lines: AsyncGenerator<{ readonly text: string }> | undefined;

/** The next line that is typed; `undefined` when no more come. */
async function readLine(): Promise<string | undefined> {
  lines ??= readLines(readStdin(), MAX_LINE_BYTES);
  const { done, value } = await lines.next();
  return done === true ? undefined : value.text.trim();
}

/**
 * Shows a question and reads the answer. Nothing of it is acted on: a URL is shown, never opened.
 *
 * @param signal aborts on Ctrl+C, which leaves the question alone.
 */
export async function askPerson(
  terminal: Terminal,
  question: TargetQuestion,
  signal: AbortSignal,
): Promise<TargetAnswer> {
  terminal.warn(`${terminal.paint("The server asks:", "warn")} ${safe(question.message)}`);
  const { promise: interrupted, resolve } = Promise.withResolvers<TargetAnswer>();
  signal.addEventListener("abort", () => resolve({ action: "cancel" }), { once: true });
  return await Promise.race([answer(terminal, question), interrupted]);
}

async function answer(terminal: Terminal, question: TargetQuestion): Promise<TargetAnswer> {
  if (question.kind === "visit") {
    terminal.warn(`  ${safe(question.url ?? "")}`);
    const isDone = await isAgreed(terminal, "Open it yourself if you trust it. Done? [y/N]");
    return { action: isDone ? "accept" : "decline" };
  }
  if (question.kind === "reply") {
    terminal.warn("Your reply in one line, or nothing to decline:");
    const text = await readLine();
    if (text === undefined || text === "") return { action: "decline" };
    return { action: "accept", content: JSON.stringify(text) };
  }
  if (!await isAgreed(terminal, "Answer it? [y/N]")) return { action: "decline" };
  const values = await fillForm(terminal, JSON.parse(question.schema ?? "{}"));
  if (values === undefined) return { action: "cancel" };
  return { action: "accept", content: JSON.stringify(values) };
}

async function isAgreed(terminal: Terminal, text: string): Promise<boolean> {
  terminal.warn(text);
  return /^y(es)?$/i.test(await readLine() ?? "");
}

/** One value a property, asked for until it fits; `undefined` when no more is typed. */
async function fillForm(terminal: Terminal, schema: unknown): Promise<JsonObject | undefined> {
  const { properties, required } = isObject(schema) ? schema : {};
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    if (!isObject(property)) continue;
    const isRequired = listOf(required).includes(name);
    terminal.warn(safe(promptFor(name, property, isRequired)));
    while (true) {
      const text = await readLine();
      if (text === undefined) return undefined;
      if (text === "" && (!isRequired || "default" in property)) break;
      const value = valueOf(text, property);
      if (value === undefined) {
        terminal.warn("That does not fit; once more:");
        continue;
      }
      values[name] = value;
      break;
    }
  }
  return values;
}

function promptFor(name: string, property: JsonObject, isRequired: boolean): string {
  const about = [textOf(property["title"]) ?? name, textOf(property["description"])]
    .filter((text) => text !== undefined).join(": ");
  const choices = choicesOf(property).map(({ value, title }) =>
    title === value ? value : `${value} (${title})`
  );
  const marks = [
    ...choices.length === 0 ? [textOf(property["type"]) ?? "string"] : [choices.join(", ")],
    ...isRequired ? ["required"] : [],
    ..."default" in property ? [`Enter for ${JSON.stringify(property["default"])}`] : [],
    ...property["type"] === "array" ? ["several with commas"] : [],
  ];
  return `  ${about} [${marks.join("; ")}]`;
}

/** The choices of a property, under any of the ways in which MCP has written them. */
function choicesOf(property: JsonObject): { value: string; title: string }[] {
  const items = isObject(property["items"]) ? property["items"] : {};
  const titled = [property["oneOf"], items["anyOf"], items["oneOf"]].flatMap(listOf)
    .filter(isObject).map((choice) => ({
      value: String(choice["const"]),
      title: textOf(choice["title"]) ?? String(choice["const"]),
    }));
  if (titled.length > 0) return titled;
  const names = listOf(property["enumNames"]);
  return [property["enum"], items["enum"]].flatMap(listOf).map((value, index) => ({
    value: String(value),
    title: textOf(names[index]) ?? String(value),
  }));
}

/** The value that was meant; `undefined` for text that does not fit. */
function valueOf(text: string, property: JsonObject): unknown {
  const choices = choicesOf(property).map(({ value }) => value);
  switch (property["type"]) {
    case "boolean":
      return /^(y(es)?|true)$/i.test(text) ? true : /^(no?|false)$/i.test(text) ? false : undefined;
    case "integer":
      return /^-?(?:0|[1-9]\d*)$/.test(text) ? parseJson(text) : undefined;
    case "number":
      return Number.isFinite(Number(text)) ? Number(text) : undefined;
    case "array": {
      const items = text.split(",").map((item) => item.trim());
      return items.every((item) => choices.includes(item)) ? items : undefined;
    }
    default:
      return choices.length === 0 || choices.includes(text) ? text : undefined;
  }
}
