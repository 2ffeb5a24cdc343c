/**
 * The books of the harbour, as the JSON of its messages, filled anew for each server.
 *
 * @module
 */
import type { JsonObject } from "@bufbuild/protobuf";

/** What the office knows. */
export interface Books {
  /** By their ids, in the order of these. */
  readonly ships: Map<string, JsonObject>;
  /** By their codes. */
  readonly berths: ReadonlyMap<string, JsonObject>;
}

/** The first ship's; those of the next are two apart, so that a double holds none of them. */
const FIRST_SHIP_ID = 9_007_199_254_740_993n;

/** The id of the ship with a running number, from 0. */
export function shipIdOf(number: number): string {
  return String(FIRST_SHIP_ID + 2n * BigInt(number));
}

const N1 = { code: "N1", quay: "QUAY_NORTH", maxLengthM: 200 };
const N2 = { code: "N2", quay: "QUAY_NORTH", maxLengthM: 120 };
const S1 = { code: "S1", quay: "QUAY_SOUTH", maxLengthM: 40 };

const AURORA: JsonObject = {
  name: "Aurora",
  flag: "NO",
  kind: "SHIP_KIND_FERRY",
  dimensions: { lengthM: 96.5, draughtM: 4.25 },
  crew: [{ name: "Ingrid Vik", role: "captain" }, { name: "Odd Moe", role: "cook" }],
  launched: "1998-06-12T10:30:00.250Z",
  usualStay: "5400.500s",
  visits: 0,
  transponderKey: "3q2+7w==",
  nickname: "Rory",
  remarks: { insured: true, decksPainted: [2019, 2024], pets: null },
  paper: {
    "@type": "type.googleapis.com/harbour.v1.Position",
    shipId: shipIdOf(0),
    time: "2030-05-01T05:30:00Z",
    latitude: 59.5,
    longitude: 10.25,
  },
  berths: { N1, N2 },
  decks: { "-1": "engine", "0": "cars", "1": "people" },
  hull: {
    name: "hull",
    parts: [{ name: "deck", parts: [{ name: "mast" }] }, { name: "engine" }],
  },
  berthCode: "N2",
};

const BOREALIS: JsonObject = {
  name: "Borealis",
  flag: "DK",
  kind: "SHIP_KIND_CARGO",
  dimensions: { lengthM: 180, draughtM: 9.75 },
  crew: [{ name: "Signe Holm", role: "captain" }],
  berths: { N1 },
  atSea: { shipId: shipIdOf(1), latitude: 57.75, longitude: 8, speedKn: 12.5 },
};

const CIRCE: JsonObject = {
  name: "Circe",
  flag: "GR",
  kind: "SHIP_KIND_YACHT",
  dimensions: { lengthM: 24, draughtM: 2.5 },
  berths: { N1, N2, S1 },
  berthCode: "S1",
};

/** Books with three ships and three berths. */
export function openBooks(): Books {
  const ships = [AURORA, BOREALIS, CIRCE].map((ship, n) => ({ id: shipIdOf(n), ...ship }));
  return {
    ships: new Map(ships.map((ship) => [ship.id, ship])),
    berths: new Map([N1, N2, S1].map((berth) => [berth.code, berth])),
  };
}
