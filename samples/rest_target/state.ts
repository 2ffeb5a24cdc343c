/**
 * The harbour's books, kept in memory and filled anew for each server.
 *
 * @module
 */

export const SHIP_KINDS = ["cargo", "ferry", "tanker", "yacht"] as const;
export const QUAYS = ["north", "south"] as const;

export interface Ship {
  /** Larger than a double can hold. */
  readonly id: bigint;
  readonly name: string;
  /** ISO 3166 code of the country. */
  readonly flag: string;
  readonly kind: typeof SHIP_KINDS[number];
  readonly dimensions: { readonly lengthM: number; readonly draughtM: number };
  readonly crew: readonly { readonly name: string; readonly role: string }[];
}

export interface Berth {
  readonly code: string;
  readonly quay: typeof QUAYS[number];
  readonly maxLengthM: number;
  readonly closure: { readonly reason: string; readonly until: string } | null;
}

export interface Booking {
  readonly id: string;
  readonly shipId: bigint;
  readonly berth: string;
  /** First and last day, as `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

export interface Harbour {
  readonly ships: Map<bigint, Ship>;
  readonly berths: Map<string, Berth>;
  readonly bookings: Map<string, Booking>;
  /** A number that was not given out before. */
  takeNumber(): number;
}

const FIRST_SHIP_ID = 9_007_199_254_740_993n;

/** The id of the ship with a running number. */
export function shipIdOf(number: number): bigint {
  return FIRST_SHIP_ID + 2n * BigInt(number);
}

/** A harbour with three ships, three berths and one booking. */
export function openHarbour(): Harbour {
  const ships: Ship[] = [
    {
      id: shipIdOf(0),
      name: "Aurora",
      flag: "NO",
      kind: "ferry",
      dimensions: { lengthM: 96.5, draughtM: 4.2 },
      crew: [{ name: "Ingrid Vik", role: "captain" }, { name: "Odd Moe", role: "cook" }],
    },
    {
      id: shipIdOf(1),
      name: "Borealis",
      flag: "DK",
      kind: "cargo",
      dimensions: { lengthM: 180, draughtM: 9.75 },
      crew: [{ name: "Signe Holm", role: "captain" }],
    },
    {
      id: shipIdOf(2),
      name: "Circe",
      flag: "GR",
      kind: "yacht",
      dimensions: { lengthM: 24, draughtM: 2.5 },
      crew: [],
    },
  ];
  const berths: Berth[] = [
    { code: "N1", quay: "north", maxLengthM: 200, closure: null },
    { code: "N2", quay: "north", maxLengthM: 120, closure: null },
    { code: "S1", quay: "south", maxLengthM: 40, closure: null },
  ];
  const bookings: Booking[] = [
    { id: "b-1", shipId: shipIdOf(0), berth: "N2", from: "2030-05-01", to: "2030-05-04" },
  ];
  let number = ships.length;
  return {
    ships: new Map(ships.map((ship) => [ship.id, ship])),
    berths: new Map(berths.map((berth) => [berth.code, berth])),
    bookings: new Map(bookings.map((booking) => [booking.id, booking])),
    takeNumber: () => number++,
  };
}
