/**
 * Bookings: one resource that refers to two others, and may conflict.
 *
 * @module
 */
import {
  type Exchange,
  invalid,
  json,
  notFound,
  paginate,
  Problem,
  readBody,
  type Route,
  type Violation,
} from "./answers.ts";
import type { Booking, Harbour } from "./state.ts";

/** The routes below `/bookings`. */
export function bookingRoutes(harbour: Harbour): Route[] {
  const path = "/bookings/:bookingId";
  return [
    { method: "GET", path: "/bookings", answer: (exchange) => listBookings(harbour, exchange) },
    { method: "POST", path: "/bookings", answer: (exchange) => bookBerth(harbour, exchange) },
    { method: "GET", path, answer: (exchange) => json(findBooking(harbour, exchange)) },
    {
      method: "DELETE",
      path,
      answer: (exchange) => {
        harbour.bookings.delete(findBooking(harbour, exchange).id);
        return new Response(null, { status: 204 });
      },
    },
  ];
}

function findBooking(harbour: Harbour, { params }: Exchange): Booking {
  const booking = harbour.bookings.get(params.bookingId ?? "");
  if (booking === undefined) throw notFound("booking", params.bookingId ?? "");
  return booking;
}

function listBookings(harbour: Harbour, { url }: Exchange): Response {
  const shipId = url.searchParams.get("shipId");
  const bookings = [...harbour.bookings.values()]
    .filter((booking) => shipId === null || `${booking.shipId}` === shipId);
  return paginate(bookings, url);
}

async function bookBerth(harbour: Harbour, { request }: Exchange): Promise<Response> {
  const wish = readWish(await readBody(request));
  if (!harbour.ships.has(wish.shipId)) throw notFound("ship", `${wish.shipId}`);
  if (!harbour.berths.has(wish.berth)) throw notFound("berth", wish.berth);
  const other = [...harbour.bookings.values()].find(({ berth, from, to }) =>
    berth === wish.berth && from <= wish.to && wish.from <= to
  );
  if (other !== undefined) {
    throw new Problem(409, "The berth is taken", { detail: `booking ${other.id} overlaps` });
  }
  const booking = { id: `b-${harbour.takeNumber()}`, ...wish };
  harbour.bookings.set(booking.id, booking);
  return json(booking, { status: 201, headers: { location: `/bookings/${booking.id}` } });
}

function readWish({ shipId, berth, from, to }: Record<string, unknown>): Omit<Booking, "id"> {
  const isDay = (value: unknown) => /^\d{4}-\d\d-\d\d$/.test(`${value}`);
  const violations: Violation[] = [];
  if (!/^\d+$/.test(`${shipId}`)) violations.push({ field: "shipId", message: "must be an id" });
  for (const [field, day] of Object.entries({ from, to })) {
    if (!isDay(day)) violations.push({ field, message: "must be a day, YYYY-MM-DD" });
  }
  if (`${from}` > `${to}`) violations.push({ field: "to", message: "must not be before from" });
  if (violations.length > 0) throw invalid(violations);
  return { shipId: BigInt(`${shipId}`), berth: `${berth}`, from: `${from}`, to: `${to}` };
}
