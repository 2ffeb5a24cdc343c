import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { fileURLToPath } from "node:url";
import { fromBinary, fromJson, type JsonObject, toBinary, toJson } from "@bufbuild/protobuf";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { messageOf, readDescriptors } from "../../../samples/grpc_target/descriptors.ts";
import type { Harbour } from "../../../samples/grpc_target/server.ts";
import { startNodeHarbour } from "../../peers/node_grpc.ts";
import { within } from "../../fakes/deadline.ts";
import { Home } from "../../fakes/home.ts";
import { HAS_PEERS, NODE } from "../../peers/peers.ts";
import { makeAuthority } from "../../protocol/certificates.ts";
import { openFixture, testInBothModes } from "./fixture.ts";

const SERVICE = "harbour.v1.Harbour";
const AURORA = "9007199254740993";
const PROTOS = fileURLToPath(new URL("../../../samples/grpc_target/proto/", import.meta.url));
const BUF = fileURLToPath(
  new URL("../../peers/programs/node_modules/@bufbuild/buf/bin/buf", import.meta.url),
);

/** Runs buf in the folder of the protos. @returns what it prints. */
async function runBuf(args: readonly string[]): Promise<string> {
  const command = new Deno.Command(NODE, { args: [BUF, ...args], cwd: PROTOS, stdin: "null" });
  const { stdout, stderr, success } = await within(command.output(), `buf ${args[0]} to end`);
  const decoder = new TextDecoder();
  ok(success, decoder.decode(stderr));
  return decoder.decode(stdout);
}

/** The JSON values that buf prints for one call. */
async function curl(harbour: Harbour, method: string, body: unknown, flag: string) {
  const text = await runBuf([
    "curl",
    "--protocol=grpc",
    "--http2-prior-knowledge",
    flag,
    `--data=${JSON.stringify(body)}`,
    `${harbour.url}/${SERVICE}/${method}`,
  ]);
  return JSON.parse(`[${text.trim().replaceAll("\n}\n{", "\n},\n{")}]`);
}

for (const version of ["v1", "v1alpha"] as const) {
  testInBothModes(
    `buf curl by reflection ${version} reads the maps that bowire reads`,
    async (mode) => {
      await using harbour = await startNodeHarbour({ reflection: [version] });
      await using fixture = await openFixture(mode, [harbour.url]);
      const flag = `--reflect-protocol=grpc-${version}`;
      const [ship] = await curl(harbour, "GetShip", { id: AURORA }, flag);
      deepStrictEqual(ship.decks, { "-1": "engine", "0": "cars", "1": "people" });
      deepStrictEqual(ship, await fixture.ask(harbour.url, `${SERVICE}/GetShip`, { id: AURORA }));
      const two = { codes: ["N1", "S1"], count: 2 };
      const events = await curl(harbour, "WatchBerths", two, flag);
      strictEqual(events.length, 2);
      const { frames } = await fixture.stream(harbour.url, `${SERVICE}/WatchBerths`, two);
      deepStrictEqual(events, frames);
    },
    !HAS_PEERS,
  );
}

testInBothModes("a cancelled stream and a call out of time end at the server", async (mode) => {
  await using harbour = await startNodeHarbour();
  await using fixture = await openFixture(mode, [harbour.url]);
  const { frames } = await fixture.stream(harbour.url, `${SERVICE}/WatchBerths`, {}, { count: 2 });
  strictEqual(frames.length, 2);
  await within(harbour.untilOpen(0), "the stream to end at the server");
  const slow = { id: AURORA, delay: "60s" };
  const call = fixture.invoke(harbour.url, `${SERVICE}/GetShip`, slow, { timeoutMs: 2000 });
  await Promise.all([
    within(harbour.untilOpen(1), "the call to come"),
    rejects(call, { code: "timeout" }),
  ]);
  await within(harbour.untilOpen(0), "the call to end at the server");
});

testInBothModes("startHarbour serves TLS, and asks for a client's certificate", async (mode) => {
  const authority = await makeAuthority("harbour");
  const tls = { ...await authority.issue("localhost"), clientCa: authority.certificate };
  await using harbour = await startNodeHarbour({ tls });
  const url = `https://localhost:${harbour.port}`;
  await using fixture = await openFixture(mode, [url]);
  const settings = { caCertificate: authority.certificate, ...await authority.issue("client") };
  const metadata = { __bowireMtls__: JSON.stringify(settings) };
  const body = { name: "Aurora" };
  const ship = await fixture.ask(url, `${SERVICE}/FindShip`, body, { metadata });
  deepStrictEqual(Reflect.get(Object(ship), "id"), AURORA);
  const unknown = { __bowireMtls__: JSON.stringify({ caCertificate: authority.certificate }) };
  await rejects(
    fixture.ask(url, `${SERVICE}/FindShip`, body, { metadata: unknown }),
    { code: "unreachable" },
  );
});

/** What the harbour's reflection replies to each question, without the question. */
async function reflectOn(
  { url }: Harbour,
  questions: readonly JsonObject[],
): Promise<JsonObject[]> {
  const descriptors = await readDescriptors();
  const input = messageOf(descriptors, "grpc.reflection.v1.ServerReflectionRequest");
  const output = messageOf(descriptors, "grpc.reflection.v1.ServerReflectionResponse");
  const client = new Client(new URL(url).host, credentials.createInsecure());
  const stream = client.makeBidiStreamRequest(
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    (question: JsonObject) => Buffer.from(toBinary(input, fromJson(input, question))),
    (bytes) => toJson(output, fromBinary(output, bytes)),
    new Metadata(),
  );
  for (const question of questions) stream.write(question);
  stream.end();
  const replies: JsonObject[] = [];
  for await (const { originalRequest: _question, ...reply } of stream) replies.push(reply);
  client.close();
  return replies;
}

Deno.test("the harbour's reflection sends files as they lie, extensions, and errors as replies", async () => {
  await using harbour = await startNodeHarbour({ reflection: ["v1"] });
  const { bytes } = await readDescriptors();
  const file = bytes.get("harbour.proto")?.toBase64();
  const options = "google.protobuf.FieldOptions";
  const own = { fileDescriptorResponse: { fileDescriptorProto: [file] } };
  const errorOf = (errorCode: number, errorMessage: string) => ({
    errorResponse: { errorCode, errorMessage },
  });
  const [first, ...replies] = await reflectOn(harbour, [
    { fileByFilename: "harbour.proto" },
    { fileContainingSymbol: "harbour.v1.Harbour.GetShip" },
    { fileContainingSymbol: "harbour.v1.Ship.Dimensions.length_m" },
    { fileContainingSymbol: "harbour.v1.QUAY_NORTH" },
    { fileContainingExtension: { containingType: options, extensionNumber: 50001 } },
    { allExtensionNumbersOfType: options },
    { listServices: "*" },
    { fileContainingSymbol: "harbour.v1.Nobody" },
    { fileByFilename: "nowhere.proto" },
    { allExtensionNumbersOfType: "harbour.v1.Nobody" },
    {},
  ]);
  // The imports come with the first.
  strictEqual(JSON.stringify(first).split(",").length, 7);
  deepStrictEqual(replies, [
    own,
    own,
    own,
    own,
    { allExtensionNumbersResponse: { baseTypeName: options, extensionNumber: [50001] } },
    {
      listServicesResponse: {
        service: [{ name: SERVICE }, { name: "grpc.reflection.v1.ServerReflection" }],
      },
    },
    errorOf(5, 'there is no "harbour.v1.Nobody"'),
    errorOf(5, 'there is no "nowhere.proto"'),
    errorOf(5, 'there is no "harbour.v1.Nobody"'),
    errorOf(3, "nothing is asked"),
  ]);
});

Deno.test({
  name: "harbour.binpb is what buf makes of the protos",
  ignore: !HAS_PEERS,
  async fn() {
    await using home = await Home.make();
    const path = home.file("harbour.binpb");
    await runBuf(["build", "--as-file-descriptor-set", `--output=${path}`]);
    const [made, kept] = [await Deno.readFile(path), await Deno.readFile(`${PROTOS}harbour.binpb`)];
    strictEqual(made.toBase64(), kept.toBase64(), "run buf build as the sample's README.md says");
  },
});
