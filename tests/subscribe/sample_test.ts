import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { BowireError } from "../../lib/errors/mod.ts";
import { Host, type HostOptions } from "../../lib/host/mod.ts";
import type { Frame, StreamEnd } from "../../lib/model/mod.ts";
import type { Call, CallContext, Protocol } from "../../lib/protocol/mod.ts";
import { runTool, subscribeTool } from "../../lib/server/mod.ts";
import { within } from "../fakes/deadline.ts";
import { Home } from "../fakes/home.ts";
import { protocolOf } from "../fakes/protocols.ts";

type Subscribe = NonNullable<Protocol["subscribe"]>;

/** What is sampled, and how. */
interface SampleOptions {
  readonly args?: Readonly<Record<string, unknown>>;
  readonly host?: HostOptions;
  readonly signal?: AbortSignal;
}

/** Samples a stream of a protocol in this thread, and waits until nothing of it runs any more. */
async function sample(subscribe: Subscribe, { args, host: options, signal }: SampleOptions = {}) {
  const url = "http://127.0.0.1:9/";
  const closed = Promise.withResolvers<{ call: Call; context: CallContext }>();
  const plugin = protocolOf("p", {
    async *subscribe(call, context) {
      try {
        return yield* subscribe(call, context);
      } finally {
        closed.resolve({ call, context });
      }
    },
  });
  await using home = await Home.make();
  await using host = await Host.open(
    { allowedServerUrls: [url], sandbox: "none", ...options },
    { home: home.path, plugins: [plugin] },
  );
  const outcome = await runTool(host, subscribeTool, {
    name: "bowire.subscribe",
    arguments: { url, service: "Clock", method: "watch", ...args },
    signal: signal ?? new AbortController().signal,
    principal: "test",
    mayAsk: false,
  });
  ok(outcome.kind === "result");
  const { call, context } = await within(closed.promise, "the stream to be closed");
  ok(context.signal.aborted, "the target was not told");
  // deno-lint-ignore no-explicit-any -- the tests assert on its parts
  const data: any = outcome.data;
  return { data, isError: outcome.isError, call };
}

function frameOf(data: string): Frame {
  return { data, atMs: 1.4 };
}

/** Frames as they are asked for. */
async function* frames(...texts: readonly string[]): AsyncGenerator<Frame> {
  for (const text of texts) yield frameOf(text);
}

/** Frames, and then silence that nothing but the signal ends. */
function openAfter(...texts: readonly string[]): Subscribe {
  return async function* (_call, { signal }) {
    yield* frames(...texts);
    await new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };
}

async function* endless(): AsyncGenerator<Frame> {
  while (true) yield frameOf("{}");
}

const OK: StreamEnd = { status: "OK", ok: true, retryable: false, response: null, metadata: {} };

Deno.test("C90 bowire.subscribe returns at the window's end what came until then, and says so", async () => {
  const { data, isError } = await sample(openAfter('{"n":1}', '{"n":2}'), {
    args: { durationMs: 300 },
  });
  const { elapsedMs, ...rest } = data;
  ok(elapsedMs >= 290, `${elapsedMs} ms`);
  deepStrictEqual([isError, rest], [false, {
    protocol: "p",
    service: "Clock",
    method: "watch",
    frameCount: 2,
    frames: ['{"n":1}', '{"n":2}'],
    atMs: [1, 1],
    durationMs: 300,
    stoppedBecause: "time",
    truncated: false,
    metadata: {},
  }]);
});

Deno.test("C90 bowire.subscribe stops at maxFrames and at the operator's cap", async () => {
  const asked = await sample(endless, { args: { maxFrames: 3 } });
  const { frameCount, stoppedBecause, truncated } = asked.data;
  deepStrictEqual([frameCount, stoppedBecause, truncated], [3, "frames", true]);
  const given = { args: { maxFrames: 50 }, host: { maxSubscribeFrames: 7 } };
  strictEqual((await sample(endless, given)).data.frameCount, 7);
  strictEqual((await sample(endless)).data.frameCount, 200);
});

Deno.test("C90 bowire.subscribe stops before the bytes of the messages are more than maxBytes", async () => {
  // "ü" has two bytes.
  const { data } = await sample(() => frames("üü", "ab", "c"), { args: { maxBytes: 6 } });
  deepStrictEqual([data.frames, data.stoppedBecause, data.truncated], [
    ["üü", "ab"],
    "bytes",
    true,
  ]);
  strictEqual(data.note, undefined);
});

Deno.test("bowire.subscribe tells of a first message that is too large", async () => {
  const { data, isError } = await sample(() => frames("large"), { args: { maxBytes: 4 } });
  deepStrictEqual([data.frames, data.stoppedBecause, isError], [[], "bytes", false]);
  match(data.note, /first message has more than 4 bytes: raise maxBytes, up to 5242880/);
});

Deno.test("C90 bowire.subscribe tells of a stream that ended, with what the target said", async () => {
  const metadata = { "x-lane": "3", "x-api-key": "hush" };
  const { data, isError } = await sample(async function* () {
    yield* frames("1");
    return { ...OK, metadata };
  });
  deepStrictEqual(
    [data.stoppedBecause, data.status, data.metadata, data.truncated, isError],
    ["end", "OK", { "x-lane": "3", "x-api-key": "***" }, false, false],
  );
});

Deno.test("C90 bowire.subscribe keeps the frames before an error status of the target", async () => {
  const { data, isError } = await sample(async function* () {
    yield* frames("1");
    return {
      ...OK,
      status: "Unavailable",
      ok: false,
      retryable: true,
      response: "the tide is out",
      hint: "wait",
    };
  });
  deepStrictEqual([isError, data.frames, data.stoppedBecause], [true, ["1"], "error"]);
  deepStrictEqual([data.status, data.response], ["Unavailable", "the tide is out"]);
  deepStrictEqual(data.error, {
    code: "call_failed",
    message: "the target answered Unavailable",
    retryable: true,
    hint: "wait",
  });
});

Deno.test("C90 bowire.subscribe keeps the frames before a failure, which alone is thrown", async () => {
  const failure = new BowireError("unreachable", "it broke", { retryable: true });
  const after = await sample(async function* () {
    yield* frames("1");
    throw failure;
  });
  deepStrictEqual([after.isError, after.data.frames, after.data.stoppedBecause], [
    true,
    ["1"],
    "error",
  ]);
  deepStrictEqual(after.data.error, { code: "unreachable", message: "it broke", retryable: true });
  const before = await sample(async function* () {
    yield* frames();
    throw failure;
  });
  deepStrictEqual([before.isError, before.data], [true, { error: after.data.error }]);
});

Deno.test("bowire.subscribe is cancelled, and not at its window's end, when the client gives up", async () => {
  const controller = new AbortController();
  const { data } = await sample(async function* (_call, { signal }) {
    yield* frames("1");
    const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
    controller.abort();
    await ended;
    return { ...OK, status: "Cancelled", ok: false };
  }, { signal: controller.signal });
  deepStrictEqual([Object.keys(data), data.error.code], [["error"], "cancelled"]);
});

Deno.test("bowire.subscribe takes what a stream says after its window for the window's end", async () => {
  const { data, isError } = await sample(async function* (_call, { signal }) {
    yield* frames("1");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return { ...OK, status: "Cancelled", ok: false };
  }, { args: { durationMs: 300 } });
  deepStrictEqual([data.stoppedBecause, data.status, isError], ["time", undefined, false]);
});

Deno.test("bowire.subscribe hints at halfClose when nothing came while the input was open", async () => {
  const open = await sample(openAfter(), { args: { durationMs: 300 } });
  match(open.data.note, /No message came within 300 ms\. Some servers .* halfClose to true/);
  deepStrictEqual([open.data.frameCount, open.isError, open.call.keepsOpen], [0, false, true]);
  const closed = await sample(openAfter(), { args: { durationMs: 300, halfClose: true } });
  deepStrictEqual([closed.data.note, closed.call.keepsOpen], [undefined, false]);
});

Deno.test("bowire.subscribe caps the window and tells the real one; the call may take longer", async () => {
  const given = { args: { durationMs: 9e9 }, host: { maxSubscribeMs: 300 } };
  const { data } = await sample(openAfter("1"), given);
  deepStrictEqual([data.durationMs, data.stoppedBecause], [300, "time"]);
  const without = { host: { defaultSubscribeMs: 900, maxSubscribeMs: 200 } };
  strictEqual((await sample(openAfter("1"), without)).data.durationMs, 200);
  strictEqual((await sample(() => frames("1"))).data.durationMs, 5000);
});

Deno.test("bowire.subscribe gives binary frames in base64 and names them", async () => {
  const { data } = await sample(async function* () {
    yield* frames("1");
    yield { data: null, dataBinary: "AAE=", atMs: 0 };
  });
  deepStrictEqual([data.frames, data.binaryFrames], [["1", "AAE="], [1]]);
});

for (
  const [what, body, messages] of [
    ["no arguments as no message", undefined, []],
    ["an array as one text", [{ id: 1 }, { id: 2 }], ['[{"id":1},{"id":2}]']],
    ["a text as it is", '{"id":9007199254740993}', ['{"id":9007199254740993}']],
  ] as const
) {
  Deno.test(`bowire.subscribe hands over ${what}`, async () => {
    const { call } = await sample(() => frames("1"), { args: { body } });
    deepStrictEqual([call.messages, call.validate], [messages, true]);
  });
}

for (const name of ["durationMs", "maxFrames", "maxBytes"]) {
  Deno.test(`bowire.subscribe refuses ${name} that is no whole number above 0`, () => {
    for (const value of [0, -1, 1.5, "5"]) {
      throws(
        () => subscribeTool.prepare({ url: "http://a", service: "", method: "m", [name]: value }),
        {
          code: "invalid_argument",
          message: new RegExp(`^cannot run bowire.subscribe: "${name}" `),
        },
      );
    }
  });
}
