/**
 * Ships: 64-bit ids, lists in queries, nested bodies, ETags.
 *
 * @module
 */
import {
  type Exchange,
  invalid,
  isRecord,
  json,
  notFound,
  paginate,
  Problem,
  readBody,
  requireKey,
  type Route,
  toJson,
  type Violation,
} from "./answers.ts";
import { type Harbour, type Ship, SHIP_KINDS, shipIdOf } from "./state.ts";

/** The routes below `/ships`. */
export function shipRoutes(harbour: Harbour): Route[] {
  const path = "/ships/:shipId";
  return [
    { method: "GET", path: "/ships", answer: (exchange) => listShips(harbour, exchange) },
    { method: "POST", path: "/ships", answer: (exchange) => registerShip(harbour, exchange) },
    { method: "GET", path, answer: (exchange) => readShip(harbour, exchange) },
    { method: "PATCH", path, answer: (exchange) => changeShip(harbour, exchange) },
    { method: "DELETE", path, answer: (exchange) => removeShip(harbour, exchange) },
    {
      method: "GET",
      path: `${path}/parts`,
      answer: (exchange) => {
        findShip(harbour, exchange);
        return json(PARTS);
      },
    },
  ];
}

const PARTS = {
  name: "hull",
  parts: [
    { name: "deck", parts: [{ name: "mast", parts: [] }] },
    { name: "engine", parts: [] },
  ],
};

function findShip(harbour: Harbour, { params }: Exchange): Ship {
  const id = params.shipId ?? "";
  const ship = /^\d+$/.test(id) ? harbour.ships.get(BigInt(id)) : undefined;
  if (ship === undefined) throw notFound("ship", id);
  return ship;
}

function listShips(harbour: Harbour, { url }: Exchange): Response {
  const { searchParams } = url;
  const flag = searchParams.get("flag");
  const kinds = searchParams.getAll("kind");
  const ids = searchParams.get("ids")?.split(",");
  const min = Number(searchParams.get("length[min]") ?? 0);
  const max = Number(searchParams.get("length[max]") ?? Infinity);
  const unknown = kinds.filter((kind) => !SHIP_KINDS.some((known) => known === kind));
  if (unknown.length > 0) throw invalid([{ field: "kind", message: `has no "${unknown[0]}"` }]);
  const ships = [...harbour.ships.values()].filter(({ id, kind, dimensions, ...ship }) =>
    (flag === null || ship.flag === flag) &&
    (kinds.length === 0 || kinds.includes(kind)) &&
    (ids === undefined || ids.includes(`${id}`)) &&
    dimensions.lengthM >= min && dimensions.lengthM <= max
  );
  return paginate(ships, url);
}

async function registerShip(harbour: Harbour, { request }: Exchange): Promise<Response> {
  const draft = readDraft(await readBody(request));
  if ([...harbour.ships.values()].some(({ name }) => name === draft.name)) {
    throw new Problem(409, "The name is taken", { detail: `there is a ship "${draft.name}"` });
  }
  const ship = { id: shipIdOf(harbour.takeNumber()), ...draft };
  harbour.ships.set(ship.id, ship);
  const headers = { location: `/ships/${ship.id}`, etag: await tagOf(ship) };
  return json(ship, { status: 201, headers });
}

async function readShip(harbour: Harbour, exchange: Exchange): Promise<Response> {
  const ship = findShip(harbour, exchange);
  const etag = await tagOf(ship);
  if (exchange.request.headers.get("if-none-match") === etag) {
    return new Response(null, { status: 304, headers: { etag } });
  }
  return json(ship, { headers: { etag } });
}

async function changeShip(harbour: Harbour, exchange: Exchange): Promise<Response> {
  const ship = findShip(harbour, exchange);
  const expected = exchange.request.headers.get("if-match");
  if (expected !== null && expected !== await tagOf(ship)) {
    throw new Problem(412, "The ship has changed meanwhile");
  }
  const change = await readBody(exchange.request);
  const changed = { id: ship.id, ...readDraft({ ...ship, ...change }) };
  harbour.ships.set(ship.id, changed);
  return json(changed, { headers: { etag: await tagOf(changed) } });
}

function removeShip(harbour: Harbour, exchange: Exchange): Response {
  requireKey(exchange);
  const { id } = findShip(harbour, exchange);
  if ([...harbour.bookings.values()].some(({ shipId }) => shipId === id)) {
    throw new Problem(409, "The ship has bookings", { detail: "cancel them first" });
  }
  harbour.ships.delete(id);
  return new Response(null, { status: 204 });
}

async function tagOf(ship: Ship): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(toJson(ship)));
  return `"${new Uint8Array(digest).toHex().slice(0, 16)}"`;
}

/** Reads what a client may say of a ship: all but its id. */
function readDraft(body: Record<string, unknown>): Omit<Ship, "id"> {
  const violations: Violation[] = [];
  const check = (isValid: boolean, field: string, message: string) => {
    if (!isValid) violations.push({ field, message });
  };
  const { name, flag, kind = "cargo", dimensions, crew = [] } = body;
  const { lengthM, draughtM } = isRecord(dimensions) ? dimensions : {};
  check(typeof name === "string" && name.length > 0, "name", "must be a text");
  check(typeof flag === "string" && /^[A-Z]{2}$/.test(flag), "flag", "must be two capital letters");
  check(SHIP_KINDS.some((known) => known === kind), "kind", `must be of ${SHIP_KINDS.join(", ")}`);
  check(Number(lengthM) > 0, "dimensions.lengthM", "must be a number above 0");
  check(Number(draughtM) > 0, "dimensions.draughtM", "must be a number above 0");
  check(Array.isArray(crew) && crew.every(isSailor), "crew", "must hold a name and a role each");
  if (violations.length > 0) throw invalid(violations);
  // Checked field by field above.
  return { name, flag, kind, dimensions: { lengthM, draughtM }, crew } as Omit<Ship, "id">;
}

function isSailor(value: unknown): boolean {
  return isRecord(value) && typeof value.name === "string" && typeof value.role === "string";
}
