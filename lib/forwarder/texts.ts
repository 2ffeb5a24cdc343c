/**
 * The messages in an answer by HTTP, each as its text.
 *
 * @module
 */
import { readEvents, type Resumption } from "../protocol/mcp_wire/events.ts";

/** Whether an answer is a stream of events. */
export function isEventStream({ headers }: Pick<Response, "headers">): boolean {
  return /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
}

/**
 * The texts of an answer: one of JSON, or one an event. One who stops reading lets go of the answer.
 *
 * @param resumption is kept up to date meanwhile.
 * @throws what the stream throws; {BowireError} `too_large` for an event of more than 16 MiB.
 */
export async function* textsOf(
  response: Response,
  resumption: Resumption = { lastId: undefined, retryMs: undefined },
): AsyncGenerator<string> {
  const { body } = response;
  if (body === null) return;
  if (!isEventStream(response)) {
    const text = await response.text();
    if (text.trim() !== "") yield text;
    return;
  }
  for await (const { data, name, mayLack } of readEvents(body, resumption)) {
    const isMessage = name === "message" && data.trim() !== "";
    if (isMessage && (!mayLack || isJson(data))) yield data;
  }
}

/** What a stream has left unfinished may be whole after all. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
