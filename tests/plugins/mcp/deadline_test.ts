import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import type { Progress } from "../../../lib/model/mod.ts";
import { openFixture, testBoth } from "./fixture.ts";
import { type Answer, type Json, openEvents, serveMcp, toolNamed } from "./scripted.ts";

/** A tool that tells its progress every 100 ms, and answers after so many of them. */
function slow(steps: number): Answer {
  return ({ _meta }: Json, { message: { id } }) => {
    const events = openEvents();
    let step = 0;
    const timer = setInterval(() => {
      step++;
      if (step < steps) {
        if (_meta.progressToken === undefined) return; // nobody wants to know
        const params = { progressToken: _meta.progressToken, progress: step, total: steps };
        events.send({ jsonrpc: "2.0", method: "notifications/progress", params });
        return;
      }
      clearInterval(timer);
      events.send({ jsonrpc: "2.0", id, result: { content: [] } });
      events.end();
    }, 100);
    events.left.then(() => clearInterval(timer), () => {});
    return events.response;
  };
}

testBoth(
  "C43 a call of 1000 ms with signs of life outlives its timeout of 500 ms",
  async (mode) => {
    await using server = serveMcp({ tools: [toolNamed("wait")], on: { "tools/call": slow(10) } });
    await using fixture = await openFixture(mode, server.url);
    await fixture.discover(); // the handshake is no part of what is measured
    const heard: Progress[] = [];
    const startedMs = performance.now();
    const more = { timeoutMs: 500, onProgress: (progress: Progress) => heard.push(progress) };
    deepStrictEqual(await fixture.tool("wait", {}, more), { content: [] });
    ok(performance.now() - startedMs > 900);
    deepStrictEqual(heard, [1, 2, 3, 4, 5, 6, 7, 8, 9].map((done) => ({ done, total: 10 })));
  },
);

testBoth("C43 a call without a sign of life ends at its timeout", async (mode) => {
  const never = Promise.withResolvers<Response>();
  await using server = serveMcp({
    tools: [toolNamed("wait")],
    on: { "tools/call": () => never.promise },
  });
  using _end = { [Symbol.dispose]: () => never.resolve(new Response()) };
  await using fixture = await openFixture(mode, server.url);
  await fixture.discover();
  await rejects(fixture.tool("wait", {}, { timeoutMs: 200 }), {
    code: "timeout",
    message: /within 200 ms/,
  });
});

testBoth("C43 signs of life without end do not outlast the time in all", async (mode) => {
  await using server = serveMcp({ tools: [toolNamed("wait")], on: { "tools/call": slow(1000) } });
  await using fixture = await openFixture(mode, server.url);
  await fixture.discover();
  const startedMs = performance.now();
  const more = { timeoutMs: 500, maxTimeoutMs: 800 };
  await rejects(fixture.tool("wait", {}, more), {
    code: "timeout",
    retryable: true,
    message: /within 800 ms/,
  });
  const tookMs = performance.now() - startedMs;
  ok(tookMs > 750 && tookMs < 3000, `${tookMs} ms`);
});

testBoth("C43 the server is left when the time is over", async (mode) => {
  const events = openEvents();
  await using server = serveMcp({
    tools: [toolNamed("wait")],
    on: { "tools/call": () => events.response },
  });
  await using fixture = await openFixture(mode, server.url);
  await fixture.discover();
  await rejects(fixture.tool("wait", {}, { timeoutMs: 100 }), { code: "timeout" });
  await events.left;
});

testBoth("C43 a person's time does not count", async (mode) => {
  const answered = Promise.withResolvers<void>();
  await using server = serveMcp({
    tools: [toolNamed("ask")],
    on: {
      "tools/call"(_params, { message: { id } }) {
        const events = openEvents();
        const params = { message: "sure?", requestedSchema: { type: "object", properties: {} } };
        events.send({ jsonrpc: "2.0", id: "q", method: "elicitation/create", params });
        answered.promise.then(() => {
          events.send({ jsonrpc: "2.0", id, result: { content: [] } });
          events.end();
        });
        return events.response;
      },
    },
    onReply: () => answered.resolve(),
  });
  await using fixture = await openFixture(mode, server.url);
  await fixture.discover();
  const more = {
    timeoutMs: 200,
    async onQuestion() {
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, 500); // a person who thinks
      await promise;
      return { action: "accept", content: "{}" } as const;
    },
  };
  strictEqual((await fixture.invoke("Tools", "ask", {}, more)).ok, true);
});
