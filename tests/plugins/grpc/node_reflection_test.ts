import { deepStrictEqual, match, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { within } from "../../fakes/deadline.ts";
import { startReflected } from "../../peers/node_servers.ts";
import { NODE } from "../../peers/peers.ts";
import { openFixture, testInBothModes } from "./fixture.ts";

const BUF = fileURLToPath(
  new URL("../../peers/programs/node_modules/@bufbuild/buf/bin/buf", import.meta.url),
);

const SERVICE = "port.v1.Port";

/** What @grpc/reflection describes oddly: map entries, relative names, packages merged into a file. */
const PROTO = `
  syntax = "proto3";
  package port.v1;
  import "google/protobuf/timestamp.proto";
  enum Kind {
    KIND_UNSPECIFIED = 0;
    KIND_FERRY = 1;
  }
  message Ship {
    message Deck {
      enum Use {
        USE_UNSPECIFIED = 0;
        USE_CARS = 1;
      }
      string name = 1;
      Use use = 2;
      map<uint32, bool> locks = 3; // protobufjs loses keys of 64 bits
    }
    int64 ship_id = 1;
    Kind kind = 2;
    map<string, string> labels = 3;
    map<int32, Deck> decks = 4;
    map<string, Kind> kinds = 5;
    map<bool, google.protobuf.Timestamp> seen = 6;
    repeated Deck all_decks = 7;
    google.protobuf.Timestamp built_at = 8;
    oneof berth {
      string quay = 9;
      uint64 buoy = 10;
    }
  }
  service Port {
    rpc Put(Ship) returns (Ship);
  }
`;

const SHIP = {
  shipId: "9007199254740993",
  kind: "KIND_FERRY",
  labels: { flag: "NO", "": "none" },
  decks: { "-1": { name: "engine" }, "2": { name: "cars", use: "USE_CARS", locks: { "7": true } } },
  kinds: { next: "KIND_FERRY" },
  seen: { true: "2030-05-01T06:00:00.250Z" },
  allDecks: [{ name: "sun" }],
  builtAt: "1998-06-12T10:30:00Z",
  buoy: "18446744073709551615",
};

/** Runs `buf curl`, by reflection unless it is given a schema. */
async function curl(args: readonly string[]) {
  const command = new Deno.Command(NODE, {
    args: [BUF, "curl", "--protocol=grpc", "--http2-prior-knowledge", ...args],
    stdin: "null",
  });
  const { success, stdout, stderr } = await within(command.output(), "buf curl to end");
  const decoder = new TextDecoder();
  return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

testInBothModes(
  "C26 a service of @grpc/reflection with maps is listed and called, which buf curl cannot",
  async (mode) => {
    await using server = await startReflected(PROTO, SERVICE);
    const { url } = server.said;
    await using fixture = await openFixture(mode, [url]);
    const services = await fixture.discover(url);
    deepStrictEqual(services.map(({ name }) => name), [SERVICE]);
    const fields = services[0]?.methods[0]?.inputType.fields ?? [];
    deepStrictEqual(
      fields.map(({ name, type, isMap, isRepeated }) =>
        `${name} ${type}${isMap ? " map" : ""}${isRepeated ? " list" : ""}`
      ),
      [
        "shipId int64",
        "kind enum",
        "labels string map",
        "decks message map",
        "kinds enum map",
        "seen string map",
        "allDecks message list",
        "builtAt string",
        "quay string",
        "buoy uint64",
      ],
    );
    const [, use] = fields.find(({ name }) => name === "allDecks")?.messageType?.fields ?? [];
    deepStrictEqual(use?.enumValues?.map(({ name }) => name), ["USE_UNSPECIFIED", "USE_CARS"]);
    deepStrictEqual(await fixture.ask(url, `${SERVICE}/Put`, SHIP), SHIP);
    const call = [`--data=${JSON.stringify(SHIP)}`, `${url}/${SERVICE}/Put`];
    const byReflection = await curl(call);
    deepStrictEqual([byReflection.success, byReflection.stdout], [false, ""]);
    match(byReflection.stderr, /failed to find service named "port\.v1\.Port"/);
    const byFile = await curl([`--schema=${server.folder}/service.proto`, ...call]);
    ok(byFile.success, byFile.stderr);
    deepStrictEqual(JSON.parse(byFile.stdout), SHIP);
  },
);
