/**
 * What is read out of answers by HTTP.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { type HttpStream, place, type Target } from "../../../lib/protocol/mod.ts";
import { parseJson } from "../../../lib/schema/mod.ts";
import { readEvents, type Resumption } from "../../../lib/protocol/mcp_wire/events.ts";
import { HttpRefusal } from "./http_refusal.ts";
import { type Incoming, type MessageId, readMessages, type Reply } from "./message.ts";
import { readText } from "../../../lib/protocol/mcp_wire/read_text.ts";

/** The value of a header field. */
export function headerOf(
  { headers }: Pick<HttpStream, "headers">,
  wanted: string,
): string | undefined {
  return headers.find(([name]) => name === wanted)?.[1];
}

/** True for an answer that is a stream of events. */
export function isEventStream(response: HttpStream): boolean {
  return /^text\/event-stream\b/i.test(headerOf(response, "content-type") ?? "");
}

/**
 * The answer in a body of JSON. An error without an id is that to the only message there was.
 *
 * @throws {HttpRefusal} for a body that has none.
 */
export async function readReply(response: HttpStream, id: MessageId): Promise<Reply> {
  const text = await readText(response.body);
  const answer = messagesIn(text)
    .filter((incoming) => incoming.kind === "reply")
    .find((reply) => reply.id === id || "error" in reply.reply && (reply.id ?? null) === null);
  if (answer !== undefined) return answer.reply;
  throw refusalOf(response, text);
}

/** An answer that is none of MCP. */
export function refusalOf(response: HttpStream, text: string): HttpRefusal {
  return new HttpRefusal(response.status, text, headerOf(response, "www-authenticate"));
}

/**
 * The messages in a stream of events, as they come.
 *
 * @throws {BowireError} `bad_document` for an event that is no JSON.
 */
export async function* readMessageEvents(
  body: HttpStream["body"],
  target: Target,
  resumption: Resumption,
): AsyncGenerator<Incoming> {
  for await (const { data, name, mayLack } of readEvents(body, resumption)) {
    if (name !== "message" || data.trim() === "") continue; // it only carries an id
    yield* mayLack ? messagesIn(data) : parseEvent(data, target);
  }
}

function messagesIn(text: string): Incoming[] {
  try {
    return readMessages(parseJson(text));
  } catch {
    return [];
  }
}

function parseEvent(data: string, target: Target): Incoming[] {
  try {
    return readMessages(parseJson(data));
  } catch (cause) {
    const message = `${place(target)} sent an event that is no JSON`;
    throw new BowireError("bad_document", message, { cause });
  }
}
