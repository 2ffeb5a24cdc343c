/**
 * Answers of targets as results of tools.
 *
 * @module
 */
import { redactRecord } from "../../gate/mod.ts";
import type { ContentBlock, ContentOutcome } from "../../mcp/mod.ts";
import type { Invocation } from "../../model/mod.ts";
import { cleanLine } from "../../schema/clean_text.ts";
import { isObject, type JsonObject } from "../../schema/json_schema.ts";
import { parseJson } from "../../schema/mod.ts";
import type { OutputCheck } from "../schema/output.ts";
import { bytesOf, type KeptAnswers } from "./kept_answers.ts";
import { countText, previewOf } from "./preview.ts";

/** What a result is made with. */
export interface ResultOptions {
  /** Longest answer that is shown whole, in characters. */
  readonly maxChars: number;
  /** Takes what is longer. */
  readonly kept: KeptAnswers;
  /** What the answer is, for the list of a client. */
  readonly name: string;
  /** The tool's output schema, if it has one. */
  readonly output?: OutputCheck | undefined;
}

/** Pictures that models take; others are bytes. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/;
/** Longest picture or sound in a result, in base64: what the API of a widespread model takes. */
const MAX_MEDIA_CHARS = 5 * 1024 * 1024;

/** What is told of an answer's headers and the protocol's notes. */
const TOLD =
  /^(?:location|retry-after|x-total-count|x-next-page|http_link_[\w-]+|http_partial|\w+_note)$/;
const MAX_TOLD_LENGTH = 500;

/** The result of a call that the target did. */
export function resultOf(invocation: Invocation, options: ResultOptions): ContentOutcome {
  const { response, responseBinary, metadata, status } = invocation;
  const { output } = options;
  const notes = Object.entries(toldOf(metadata)).map(([name, value]) => `${name}: ${value}`);
  const said = notes.length === 0 ? [] : [textBlock(notes.join("\n"))];
  // Who saw an output schema waits for data, be there any or not.
  const nothing = output === undefined ? {} : { structured: {} };
  const result = (
    content: readonly ContentBlock[],
    more: { structured?: JsonObject } = nothing,
  ) => ({
    kind: "content" as const,
    content: [...content, ...said],
    ...more,
    isError: false,
  });
  if (response === null) {
    if (responseBinary === undefined) {
      return result([textBlock(`The target answered ${status}, without content.`)]);
    }
    return result(bytesBlocks(responseBinary, { ...options, mimeType: mediaTypeOf(metadata) }));
  }
  if (response.length > options.maxChars) return result(largeBlocks(response, metadata, options));
  const value = jsonOf(response);
  const text = textBlock(response);
  if (output === undefined) {
    return result([text], isObject(value) ? { structured: value } : {});
  }
  if (!isObject(value)) return result([text, warn("it is no object")]);
  const { fitting, unfit } = output.check(value);
  const warning = unfit.length === 0
    ? []
    : [warn(`of another type, and left out of the data, is ${unfit.map(quote).join(", ")}`)];
  return result([text, ...warning], { structured: fitting });
}

function warn(reason: string): ContentBlock {
  return textBlock(`The answer is not what its description says: ${reason}.`);
}

/** What may be told of an answer besides its content, secrets masked. */
export function toldOf(metadata: Invocation["metadata"]): Readonly<Record<string, string>> {
  const told = Object.entries(metadata).filter(([name]) => TOLD.test(name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(redactRecord(Object.fromEntries(told)))
      .map(([name, value]) => [name, cleanLine(value, MAX_TOLD_LENGTH)]),
  );
}

/** A block of text. */
export function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}

/** The value of a JSON text, its numbers exact; `undefined` for other texts. */
export function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function largeBlocks(
  text: string,
  metadata: Invocation["metadata"],
  { maxChars, kept, name }: ResultOptions,
): ContentBlock[] {
  const { note, head } = previewOf(text, maxChars);
  const given = mediaTypeOf(metadata);
  const link = kept.keep({ text, mimeType: given === "" ? "text/plain" : given }, name);
  const way = link === undefined
    ? "It is too large to be kept: ask for less of it."
    : `All of it can be read at ${link.uri} for some time.`;
  return [
    textBlock(`${note} ${way}`),
    textBlock(head),
    ...link === undefined ? [] : [{ type: "resource_link" as const, ...link }],
  ];
}

function bytesBlocks(
  data: string,
  { mimeType: given, maxChars, kept, name }: ResultOptions & { mimeType: string },
): ContentBlock[] {
  const mimeType = given === "" ? "application/octet-stream" : given;
  const told = textBlock(`The answer is ${mimeType}, ${countText(bytesOf(data))} bytes.`);
  const type = PICTURES.test(mimeType)
    ? "image" as const
    : mimeType.startsWith("audio/")
    ? "audio" as const
    : undefined;
  if (type !== undefined && data.length <= MAX_MEDIA_CHARS) return [told, { type, data, mimeType }];
  const link = kept.keep({ blob: data, mimeType }, name);
  if (link === undefined) {
    return [told, textBlock("It is too large to be kept: ask for less of it.")];
  }
  if (data.length > maxChars) return [told, { type: "resource_link", ...link }];
  return [told, { type: "resource", resource: { uri: link.uri, mimeType, blob: data } }];
}

/** The media type that the target gives, without its parameters; empty when it gives none. */
function mediaTypeOf(metadata: Invocation["metadata"]): string {
  const value = Object.entries(metadata)
    .find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  return cleanLine(value.split(";")[0] ?? "", MAX_TOLD_LENGTH).toLowerCase();
}

function quote(name: string): string {
  return JSON.stringify(cleanLine(name, MAX_TOLD_LENGTH));
}
