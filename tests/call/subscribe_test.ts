import { deepStrictEqual, rejects } from "node:assert/strict";
import { Caller, type CallEvent } from "../../lib/call/mod.ts";
import { BowireError } from "../../lib/errors/mod.ts";
import { Allowlist } from "../../lib/gate/mod.ts";
import type { Frame } from "../../lib/model/mod.ts";
import { type Protocol, Registry } from "../../lib/protocol/mod.ts";
import { within } from "../fakes/deadline.ts";
import { protocolOf } from "../fakes/protocols.ts";

const URL = "http://127.0.0.1:9/api";
const REQUEST = { url: URL, service: "Ticks", method: "watch", messages: [] };

/** A caller of one protocol with streams, and what it told. */
function open(subscribe: Protocol["subscribe"]) {
  const { manifest, load } = protocolOf("p");
  const withStreams = async () => ({ ...await load(), ...(subscribe && { subscribe }) });
  const allowlist = new Allowlist();
  allowlist.permit(URL, "flag");
  const caller = new Caller(allowlist, new Registry([{ manifest, load: withStreams }]));
  const told: string[] = [];
  caller.observe((event: CallEvent) =>
    told.push(event.kind === "frame" ? `frame ${event.frame.data}` : event.kind)
  );
  return { caller, told };
}

async function* frames(count: number): AsyncGenerator<Frame> {
  for (let number = 0; number < count; number++) yield { data: `${number}`, atMs: number };
}

function idle(): AbortSignal {
  return new AbortController().signal;
}

async function collect(stream: AsyncIterable<Frame>): Promise<(string | null)[]> {
  return (await Array.fromAsync(stream)).map(({ data }) => data);
}

Deno.test("Caller.subscribe gives each frame and narrates it", async () => {
  const { caller, told } = open(() => frames(2));
  deepStrictEqual(await collect(caller.subscribe(REQUEST, idle())), ["0", "1"]);
  deepStrictEqual(told, ["resolved", "frame 0", "frame 1", "ended"]);
});

Deno.test("Caller.subscribe ends the stream when nobody wants more of it", async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const { caller, told } = open(async function* () {
    try {
      yield* frames(Infinity);
    } finally {
      close();
    }
  });
  for await (const { data } of caller.subscribe(REQUEST, idle())) if (data === "1") break;
  await within(closed, "the stream to be closed");
  deepStrictEqual(told, ["resolved", "frame 0", "frame 1", "ended"]);
});

Deno.test("Caller.subscribe gives the frames before an error, then the error", async () => {
  const { caller, told } = open(async function* () {
    yield* frames(1);
    throw new BowireError("unreachable", "it broke");
  });
  await rejects(collect(caller.subscribe(REQUEST, idle())), { code: "unreachable" });
  deepStrictEqual(told, ["resolved", "frame 0", "failed"]);
});

Deno.test("Caller.subscribe leaves a stream behind that does not notice the time limit", async () => {
  const { caller, told } = open(async function* () {
    yield* frames(1);
    await new Promise(() => {});
  });
  const stream = caller.subscribe({ ...REQUEST, timeoutMs: 60 }, idle());
  await rejects(collect(stream), { code: "timeout", message: /within 60 ms$/ });
  deepStrictEqual(told, ["resolved", "frame 0", "failed"]);
});

Deno.test("Caller.subscribe ends as cancelled when the caller gives up", async () => {
  const { caller } = open(() => frames(Infinity));
  const controller = new AbortController();
  const stream = caller.subscribe(REQUEST, controller.signal);
  await stream.next();
  controller.abort();
  await rejects(stream.next(), { code: "cancelled" });
});

Deno.test("Caller.subscribe refuses a URL that is not allowed, and a protocol without streams", async () => {
  const { caller } = open(undefined);
  const beside = caller.subscribe({ ...REQUEST, url: "http://127.0.0.1:9/" }, idle());
  await rejects(beside.next(), { code: "url_not_allowed" });
  const none = caller.subscribe(REQUEST, idle());
  await rejects(none.next(), { code: "unknown_method", message: /has no streams$/ });
});
