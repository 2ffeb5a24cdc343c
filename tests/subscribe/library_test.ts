import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { composeBowire } from "../../lib/bowire.ts";
import type { Frame } from "../../lib/model/mod.ts";
import type { CallContext } from "../../lib/protocol/mod.ts";
import { within } from "../fakes/deadline.ts";
import { Home } from "../fakes/home.ts";
import { protocolOf } from "../fakes/protocols.ts";

const URL = "http://127.0.0.1:9/";
const REQUEST = { url: URL, service: "Clock", method: "watch", messages: ["{}"] };

/** A Bowire whose only protocol has streams. */
function open(
  { path: home }: Home,
  subscribe: (context: CallContext) => AsyncGenerator<Frame>,
) {
  const plugin = protocolOf("p", {
    subscribe: (_call, context) => subscribe(context),
    invoke(_call, context) {
      for (const done of [1, 2]) context.report({ done });
      return Promise.reject(new Error("no answer"));
    },
  });
  const options = { allowedServerUrls: [URL], sandbox: "none" } as const;
  return composeBowire(options, { home, plugins: [plugin] });
}

Deno.test("Bowire.subscribe gives the frames of a stream and lets go of it when the loop is left", async () => {
  await using home = await Home.make();
  const closed = Promise.withResolvers<void>();
  await using bowire = await open(home, async function* () {
    try {
      while (true) yield { data: "1", atMs: 0 };
    } finally {
      closed.resolve();
    }
  });
  const resolved: string[] = [];
  const request = { ...REQUEST, onResolved: (protocol: string) => void resolved.push(protocol) };
  for await (const { data } of bowire.subscribe(request)) {
    strictEqual(data, "1");
    break;
  }
  await within(closed.promise, "the stream to be closed");
  deepStrictEqual(resolved, ["p"]);
});

Deno.test("Bowire.subscribe ends as cancelled when the Bowire is closed", async () => {
  await using home = await Home.make();
  const bowire = await open(home, async function* ({ signal }) {
    yield { data: "1", atMs: 0 };
    await new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  });
  const frames = bowire.subscribe(REQUEST);
  strictEqual((await frames.next()).done, false);
  const next = rejects(frames.next(), { code: "cancelled" });
  await bowire.close();
  await within(next, "the stream to end");
});

Deno.test("Bowire.invoke tells whoever asks how far the call is", async () => {
  await using home = await Home.make();
  await using bowire = await open(home, async function* () {});
  const told: number[] = [];
  const request = { ...REQUEST, onProgress: ({ done }: { done: number }) => void told.push(done) };
  await rejects(bowire.invoke(request), { message: "no answer" });
  deepStrictEqual(told, [1, 2]);
});
