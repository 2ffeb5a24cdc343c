/**
 * What goes on in the harbour: calls with streams, one of each kind.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Books, shipIdOf } from "./books.ts";
import { type Exchange, type Handler, Refusal } from "./serve_json.ts";
import { listIn, numberIn, objectIn, textIn } from "./values.ts";

/** When the first event happens. */
const OPENS_AT_MS = Date.UTC(2030, 4, 1, 6);
const MINUTE_MS = 60_000;

/** The handlers by their methods. */
export function trafficHandlers(books: Books): Record<string, Handler> {
  return {
    ReportPositions: sumUp,
    WatchBerths: (exchange) => watch(books, exchange),
    Radio: talk,
  };
}

async function* sumUp({ requests }: Exchange): AsyncGenerator<JsonObject> {
  const byShip: Record<string, number> = {};
  const timesMs: number[] = [];
  let count = 0;
  let topSpeedKn: number | undefined;
  for (let next = await requests.next(); next.done !== true; next = await requests.next()) {
    const { shipId, time, latitude, longitude, speedKn } = next.value;
    checkDegrees(count, "latitude", { degrees: numberIn(latitude), max: 90 });
    checkDegrees(count, "longitude", { degrees: numberIn(longitude), max: 180 });
    const id = textIn(shipId);
    byShip[id] = (byShip[id] ?? 0) + 1;
    if (time !== undefined) timesMs.push(Date.parse(textIn(time)));
    if (speedKn !== undefined) topSpeedKn = Math.max(topSpeedKn ?? 0, numberIn(speedKn));
    count++;
  }
  const spanMs = timesMs.length === 0 ? 0 : Math.max(...timesMs) - Math.min(...timesMs);
  yield {
    count,
    byShip,
    span: `${spanMs / 1000}s`,
    ...(topSpeedKn === undefined ? {} : { topSpeedKn }),
  };
}

function checkDegrees(
  index: number,
  name: string,
  { degrees, max }: { degrees: number; max: number },
): void {
  if (Math.abs(degrees) <= max) return;
  throw new Refusal("INVALID_ARGUMENT", `position ${index} is not on Earth`, [
    { field: name, description: `must be from -${max} to ${max}` },
  ]);
}

async function* watch(books: Books, { requests, signal }: Exchange): AsyncGenerator<JsonObject> {
  const request = objectIn((await requests.next()).value ?? undefined);
  const asked = listIn(request.codes).map((code) => textIn(code));
  const unknown = asked.find((code) => !books.berths.has(code));
  if (unknown !== undefined) throw new Refusal("NOT_FOUND", `there is no berth "${unknown}"`);
  const codes = asked.length === 0 ? [...books.berths.keys()] : asked;
  const count = numberIn(request.count) || Infinity;
  const closesAfter = numberIn(request.closesAfter) || Infinity;
  const intervalMs = numberIn(request.intervalMs);
  for (let n = 0; n < count; n++) {
    if (n >= closesAfter) throw new Refusal("UNAVAILABLE", `the office closes after ${n} events`);
    if (n > 0 && intervalMs > 0) await delay(intervalMs, undefined, { signal });
    yield eventOf(n, codes[n % codes.length] ?? "");
  }
}

/** The event with a running number from 0: ships come and go in turns. */
function eventOf(n: number, code: string): JsonObject {
  const shipId = shipIdOf(Math.floor(n / 2) % 3);
  return {
    sequence: String(n + 1),
    time: new Date(OPENS_AT_MS + n * MINUTE_MS).toISOString(),
    code,
    ...(n % 2 === 0 ? { arrival: { shipId } } : { departure: { shipId, stay: "90s" } }),
  };
}

async function* talk({ requests }: Exchange): AsyncGenerator<JsonObject> {
  for (let next = await requests.next(); next.done !== true; next = await requests.next()) {
    const { from, text } = next.value;
    const isLast = textIn(text) === "Over and out";
    const words = isLast ? "Out" : `Roger, ${textIn(from)}`;
    yield { from: "Nordhavn", text: words, replyTo: next.value };
    if (isLast) return;
  }
}
