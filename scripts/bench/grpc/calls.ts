/**
 * Unary calls one after the other: through `bowire.invoke` over stdio, and by grpc-js alone.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { fromBinary, fromJsonString, toBinary, toJsonString } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { messageOf, readDescriptors } from "../../../samples/grpc_target/descriptors.ts";
import type { Conversation } from "../../../tests/fakes/conversation.ts";
import { CALL } from "./harbour.ts";

const ROUNDS = 10;
/** Of one turn. */
const CALLS = 100;

/** What each call took, in milliseconds. */
export interface CallTimes {
  readonly bareMs: readonly number[];
  readonly bowireMs: readonly number[];
}

/** Makes a call; throws when the answer is not the right one. */
type Caller = () => Promise<void>;

/** Measures both in turns, after one turn each that does not count. */
export async function measureCalls(url: string, bowire: Conversation): Promise<CallTimes> {
  const client = new Client(new URL(url).host, credentials.createInsecure());
  const bare = await bareCaller(client);
  const throughBowire = bowireCaller(url, bowire);
  const times = { bareMs: new Array<number>(), bowireMs: new Array<number>() };
  for (let round = 0; round <= ROUNDS; round++) {
    const turns = { bareMs: await takeTurn(bare), bowireMs: await takeTurn(throughBowire) };
    if (round === 0) continue;
    times.bareMs.push(...turns.bareMs);
    times.bowireMs.push(...turns.bowireMs);
  }
  client.close();
  return times;
}

async function takeTurn(call: Caller): Promise<number[]> {
  const timesMs: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const startedMs = performance.now();
    await call();
    timesMs.push(performance.now() - startedMs);
  }
  return timesMs;
}

/** From JSON to JSON, with descriptors that are there already. */
async function bareCaller(client: Client): Promise<Caller> {
  const descriptors = await readDescriptors();
  const { registry } = descriptors;
  const input = messageOf(descriptors, "harbour.v1.GetShipRequest");
  const output = messageOf(descriptors, "harbour.v1.Ship");
  return () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    client.makeUnaryRequest(
      `/${CALL.service}/${CALL.method}`,
      (json: string) => Buffer.from(toBinary(input, fromJsonString(input, json, { registry }))),
      (bytes) => toJsonString(output, fromBinary(output, bytes), { registry }),
      CALL.body,
      (error, json = "") => {
        if (json.includes(CALL.proof)) resolve();
        else reject(error ?? new Error(`grpc-js got ${json}`));
      },
    );
    return promise;
  };
}

function bowireCaller(url: string, bowire: Conversation): Caller {
  const { service, method, body } = CALL;
  return async () => {
    const args = { url: `grpc@${url}`, service, method, body };
    const { content } = await bowire.call("bowire.invoke", args);
    if (content[0]?.text.includes(CALL.proof)) return;
    throw new Error(`bowire.invoke said ${content[0]?.text}`);
  };
}
