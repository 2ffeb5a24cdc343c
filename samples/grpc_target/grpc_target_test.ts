import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type Bowire, createBowire } from "../../mod.ts";
import { type Harbour, type HarbourOptions, startHarbour } from "./server.ts";

const SERVICE = "harbour.v1.Harbour";

const AURORA = {
  id: "9007199254740993",
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
    shipId: "9007199254740993",
    time: "2030-05-01T05:30:00Z",
    latitude: 59.5,
    longitude: 10.25,
  },
  berths: {
    N1: { code: "N1", quay: "QUAY_NORTH", maxLengthM: 200 },
    N2: { code: "N2", quay: "QUAY_NORTH", maxLengthM: 120 },
  },
  decks: { "-1": "engine", "0": "cars", "1": "people" },
  hull: {
    name: "hull",
    parts: [{ name: "deck", parts: [{ name: "mast" }] }, { name: "engine" }],
  },
  berthCode: "N2",
};
const EVENTS = [
  {
    sequence: "1",
    time: "2030-05-01T06:00:00Z",
    code: "N1",
    arrival: { shipId: "9007199254740993" },
  },
  {
    sequence: "2",
    time: "2030-05-01T06:01:00Z",
    code: "S1",
    departure: { shipId: "9007199254740993", stay: "90s" },
  },
];
const WATCH_TWO = { codes: ["N1", "S1"], count: 2 };

/** A harbour and a Bowire that may call it. */
interface Setting {
  readonly harbour: Harbour;
  readonly bowire: Bowire;
}

async function inHarbour(
  check: (setting: Setting) => Promise<void>,
  options: HarbourOptions = {},
): Promise<void> {
  await using harbour = await startHarbour(options);
  const home = await Deno.makeTempDir();
  try {
    await using bowire = await createBowire({
      home,
      allowedServerUrls: [harbour.url],
      loadAllowlistFromEnvironments: false,
      sandbox: "none",
    });
    await check({ harbour, bowire });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

function requestOf({ url }: Harbour, method: string, ...messages: readonly unknown[]) {
  const texts = messages.map((message) => JSON.stringify(message));
  return { url: `grpc@${url}`, service: SERVICE, method, messages: texts };
}

/** The answer of a call, which has to succeed. */
async function answerOf({ bowire, harbour }: Setting, method: string, ...messages: unknown[]) {
  const { invocation } = await bowire.invoke(requestOf(harbour, method, ...messages));
  strictEqual(invocation.status, "OK");
  return JSON.parse(invocation.response ?? "null");
}

/** What a stream says, and the status that it ends with. */
async function framesOf({ bowire, harbour }: Setting, method: string, ...messages: unknown[]) {
  const stream = bowire.subscribe(requestOf(harbour, method, ...messages));
  const frames: unknown[] = [];
  while (true) {
    const { done, value } = await stream.next();
    if (done === true) return { frames, status: value?.status };
    frames.push(JSON.parse(value.data ?? "null"));
  }
}

for (const reflection of [["v1"], ["v1alpha"]] as const) {
  Deno.test(`bowire discovers the harbour by ${reflection}`, () =>
    inHarbour(async ({ harbour, bowire }) => {
      const { services } = await bowire.discover(`grpc@${harbour.url}`);
      deepStrictEqual(services.map(({ name }) => name), [SERVICE]);
      const methods = services[0]?.methods ?? [];
      deepStrictEqual(
        methods.map(({ name, methodType, deprecated }) => [name, methodType, deprecated]),
        [
          ["GetShip", "Unary", false],
          ["ListShips", "Unary", false],
          ["PutShip", "Unary", false],
          ["FindShip", "Unary", true],
          ["ReportPositions", "ClientStreaming", false],
          ["WatchBerths", "ServerStreaming", false],
          ["Radio", "Duplex", false],
        ],
      );
      const described = methods.filter(({ description = "" }) => description !== "");
      strictEqual(described.length, methods.length);
    }, { reflection }));
}

Deno.test("bowire discovers nothing where the harbour has no reflection", () =>
  inHarbour(async ({ harbour, bowire }) => {
    const { services } = await bowire.discover(`grpc@${harbour.url}`);
    deepStrictEqual(services, []);
  }, { reflection: [] }));

Deno.test("unary calls answer with literal JSON", () =>
  inHarbour(async (setting) => {
    deepStrictEqual(await answerOf(setting, "GetShip", { id: AURORA.id }), AURORA);
    deepStrictEqual(await answerOf(setting, "FindShip", { name: "Aurora" }), AURORA);
    const { ships, nextPageToken } = await answerOf(setting, "ListShips", {});
    const rest = await answerOf(setting, "ListShips", { pageToken: nextPageToken });
    deepStrictEqual(
      [...ships, ...rest.ships].map(({ name }: { name: string }) => name),
      ["Aurora", "Borealis", "Circe"],
    );
    const yachts = { kinds: ["SHIP_KIND_YACHT"], minLengthM: 20 };
    strictEqual((await answerOf(setting, "ListShips", yachts)).ships[0].name, "Circe");
    const dione = { name: "Dione", flag: "SE", dimensions: { lengthM: 110 } };
    const entered = { id: "9007199254740999", ...dione };
    deepStrictEqual(await answerOf(setting, "PutShip", { ship: dione }), entered);
    deepStrictEqual(await answerOf(setting, "GetShip", { id: entered.id }), entered);
  }));

Deno.test("a refusal has its status, and a BadRequest that names the fields", () =>
  inHarbour(async ({ harbour, bowire }) => {
    const missing = await bowire.invoke(requestOf(harbour, "GetShip", { id: "1" }));
    strictEqual(missing.invocation.status, "NotFound");
    const { invocation } = await bowire.invoke(requestOf(harbour, "PutShip", { ship: {} }));
    strictEqual(invocation.status, "InvalidArgument");
    deepStrictEqual(JSON.parse(invocation.response ?? "").details, [{
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [
        { field: "ship.name", description: "must not be empty" },
        { field: "ship.flag", description: "must be two capital letters" },
        { field: "ship.dimensions.length_m", description: "must be above 0" },
      ],
    }]);
  }));

Deno.test("headers come back with the answer, and the trailer", () =>
  inHarbour(async ({ harbour, bowire }) => {
    const request = requestOf(harbour, "GetShip", { id: AURORA.id });
    const metadata = { "x-request-id": "r-1" };
    const { invocation } = await bowire.invoke({ ...request, metadata });
    const told = JSON.stringify(invocation.metadata);
    for (const word of ["Nordhavn", "r-1", "high"]) match(told, new RegExp(`"${word}"`));
  }));

Deno.test("ReportPositions sums up what the client streams", () =>
  inHarbour(async (setting) => {
    const at = (minute: number, speedKn: number) => ({
      shipId: AURORA.id,
      time: `2030-05-01T06:0${minute}:00Z`,
      latitude: 59.5,
      longitude: 10.25,
      speedKn,
    });
    deepStrictEqual(await answerOf(setting, "ReportPositions", at(0, 4.5), at(2, 12.5), at(3, 8)), {
      count: 3,
      byShip: { [AURORA.id]: 3 },
      span: "180s",
      topSpeedKn: 12.5,
    });
    deepStrictEqual(await answerOf(setting, "ReportPositions"), { span: "0s" });
    const { bowire, harbour } = setting;
    const lost = requestOf(harbour, "ReportPositions", at(0, 1), { latitude: 91 });
    const { invocation } = await bowire.invoke(lost);
    strictEqual(invocation.status, "InvalidArgument");
  }));

Deno.test("WatchBerths tells events, and ends well or with a status", () =>
  inHarbour(async (setting) => {
    const told = await framesOf(setting, "WatchBerths", WATCH_TWO);
    deepStrictEqual(told, { frames: EVENTS, status: "OK" });
    const closing = { ...WATCH_TWO, count: 0, closesAfter: 2 };
    const closed = await framesOf(setting, "WatchBerths", closing);
    deepStrictEqual(closed, { frames: EVENTS, status: "Unavailable" });
    const unknown = await framesOf(setting, "WatchBerths", { codes: ["Z9"] });
    deepStrictEqual(unknown, { frames: [], status: "NotFound" });
  }));

Deno.test("Radio answers each message until it is over", () =>
  inHarbour(async (setting) => {
    const hello = { from: "Aurora", text: "Hello" };
    const over = { from: "Aurora", text: "Over and out" };
    deepStrictEqual(await framesOf(setting, "Radio", hello, over, hello), {
      frames: [
        { from: "Nordhavn", text: "Roger, Aurora", replyTo: hello },
        { from: "Nordhavn", text: "Out", replyTo: over },
      ],
      status: "OK",
    });
  }));

Deno.test("main.ts needs the loopback net and its own folder, and prints where it listens", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--cached-only",
      "--no-prompt",
      "--ignore-env",
      "--allow-net=127.0.0.1",
      `--allow-read=${fileURLToPath(new URL(".", import.meta.url))}`,
      import.meta.resolve("./main.ts"),
    ],
    stdout: "piped",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    const line = (await lines.read()).value ?? "";
    match(line, /^Harbour listens on http:\/\/127\.0\.0\.1:\d+, /);
  } finally {
    child.kill();
    await lines.cancel();
    await child.status;
  }
});
