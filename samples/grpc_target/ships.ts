/**
 * Ships: calls with one message each way.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Books, shipIdOf } from "./books.ts";
import { answerOnce, type Handler, Refusal, type Violation } from "./serve_json.ts";
import { listIn, numberIn, objectIn, secondsIn, textIn } from "./values.ts";

const MAX_DELAY_S = 60;

/** The handlers by their methods. */
export function shipHandlers(books: Books): Record<string, Handler> {
  return {
    GetShip: answerOnce(async ({ id, delay: time }, signal) => {
      const seconds = Math.min(secondsIn(time), MAX_DELAY_S);
      if (seconds > 0) await delay(seconds * 1000, undefined, { signal });
      return books.ships.get(textIn(id)) ?? missing(`id ${textIn(id)}`);
    }),
    FindShip: answerOnce(({ name }) => find(books, textIn(name)) ?? missing(`name "${name}"`)),
    ListShips: answerOnce((request) => list(books, request)),
    PutShip: answerOnce(({ ship }) => put(books, objectIn(ship))),
  };
}

function missing(what: string): never {
  throw new Refusal("NOT_FOUND", `there is no ship with the ${what}`);
}

function find(books: Books, name: string): JsonObject | undefined {
  return [...books.ships.values()].find((ship) => ship.name === name);
}

function list(books: Books, request: JsonObject): JsonObject {
  const kinds = listIn(request.kinds);
  const minLengthM = numberIn(request.minLengthM);
  const start = numberIn(request.pageToken);
  const end = start + (numberIn(request.pageSize) || 2);
  const ships = [...books.ships.values()].filter(({ kind, dimensions }) =>
    (kinds.length === 0 || kinds.some((wanted) => wanted === kind)) &&
    numberIn(objectIn(dimensions).lengthM) >= minLengthM
  );
  const nextPageToken = end < ships.length ? String(end) : "";
  return { ships: ships.slice(start, end), nextPageToken };
}

function put(books: Books, ship: JsonObject): JsonObject {
  const violations: Violation[] = [];
  const check = (isValid: boolean, field: string, description: string) => {
    if (!isValid) violations.push({ field: `ship.${field}`, description });
  };
  const name = textIn(ship.name);
  check(name !== "", "name", "must not be empty");
  check(/^[A-Z]{2}$/.test(textIn(ship.flag)), "flag", "must be two capital letters");
  check(numberIn(objectIn(ship.dimensions).lengthM) > 0, "dimensions.length_m", "must be above 0");
  if (violations.length > 0) {
    throw new Refusal("INVALID_ARGUMENT", "the ship cannot be entered", violations);
  }
  const id = textIn(find(books, name)?.id) || shipIdOf(books.ships.size);
  const entered = { ...ship, id };
  books.ships.set(id, entered);
  return entered;
}
