import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { readEvents, type Resumption } from "../../../lib/protocol/mcp_wire/events.ts";
import { openFixture, testBoth } from "./fixture.ts";
import { type Events, type Json, openEvents, serveMcp, toolNamed } from "./scripted.ts";

/** A server whose one tool is answered by what is written to a stream of events. */
function serveStream(write: (events: Events, id: number) => void, members: Json = {}) {
  const streams: Events[] = [];
  const server = serveMcp({
    tools: [toolNamed("talk")],
    on: {
      "tools/call"(_params, { message }) {
        const events = openEvents();
        streams.push(events);
        write(events, message.id);
        return events.response;
      },
    },
    ...members,
  });
  return { server, streams };
}

/** The answer to a request. */
function answerTo(id: number, text = "hello"): Json {
  return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } };
}

const HELLO = { content: [{ type: "text", text: "hello" }] };

testBoth("C37 an event without data is skipped, and its id is remembered", async (mode) => {
  const later: string[] = [];
  const { server } = serveStream((events, id) => {
    later.push(JSON.stringify(answerTo(id)));
    events.send("retry: 1\nid: first\ndata: \n\n");
    events.end();
  }, {
    listen({ headers }: { headers: Headers }) {
      const events = openEvents();
      // The stream that belongs to no call has nothing to resume.
      if (headers.get("last-event-id") === "first") {
        events.send(`id: second\ndata:\n\ndata: ${later[0]}\n\n`);
      }
      events.end();
      return events.response;
    },
  });
  await using _server = server;
  await using fixture = await openFixture(mode, server.url);
  deepStrictEqual(await fixture.tool("talk"), HELLO);
  const resumed = server.named("GET").filter(({ headers }) => headers.has("last-event-id"));
  deepStrictEqual(resumed.map(({ headers }) => headers.get("last-event-id")), ["first"]);
});

for (const end of ["\n", "\r", "\r\n"]) {
  testBoth(
    `C38 lines that end with ${JSON.stringify(end)} are parsed once, cut anywhere`,
    async (mode) => {
      const { server } = serveStream((events, id) => {
        const lines = [
          ": a remark",
          "event: message",
          'data: {"jsonrpc":"2.0",',
          `data:"id":${id},"result":{"content":[{"type":"text","text":"grüße 🚢"}]}}`,
          "",
          "",
        ];
        // A byte at a time, so that characters and ends of lines are cut as well.
        const bytes = new TextEncoder().encode(lines.join(end));
        for (const byte of bytes) events.sendBytes(Uint8Array.of(byte));
        events.end();
      });
      await using _server = server;
      await using fixture = await openFixture(mode, server.url);
      deepStrictEqual(await fixture.tool("talk"), {
        content: [{ type: "text", text: "grüße 🚢" }],
      });
      strictEqual(server.named("tools/call").length, 1);
    },
  );
}

/** Reads events out of pieces. */
async function eventsIn(...pieces: Uint8Array<ArrayBuffer>[]) {
  const resumption: Resumption = { lastId: undefined, retryMs: undefined };
  async function* body() {
    yield* pieces;
  }
  const events = await Array.fromAsync(readEvents(body(), resumption));
  return { events: events.map(({ data, name }) => [name, data]), resumption };
}

for (const end of ["\n", "\r", "\r\n"]) {
  Deno.test(`C38 readEvents reads the same of two pieces, wherever it is cut: ${JSON.stringify(end)}`, async () => {
    const lines = [
      "\ufeffid: 1",
      "data: grüße 🚢",
      "data:two",
      "",
      "event: x",
      "retry: 7",
      "data: {}",
      "",
      "",
    ];
    const bytes = new TextEncoder().encode(lines.join(end));
    const whole = await eventsIn(bytes);
    deepStrictEqual(whole, {
      events: [["message", "grüße 🚢\ntwo"], ["x", "{}"]],
      resumption: { lastId: "1", retryMs: 7 },
    });
    for (let cut = 0; cut <= bytes.length; cut++) {
      deepStrictEqual(await eventsIn(bytes.slice(0, cut), bytes.slice(cut)), whole, `at ${cut}`);
    }
    deepStrictEqual(await eventsIn(...[...bytes].map((byte) => Uint8Array.of(byte))), whole);
  });
}

testBoth("C38 an event at the end of a stream needs no empty line behind it", async (mode) => {
  const { server } = serveStream((events, id) => {
    events.send(`data: ${JSON.stringify(answerTo(id))}\r`);
    events.end();
  });
  await using _server = server;
  await using fixture = await openFixture(mode, server.url);
  deepStrictEqual(await fixture.tool("talk"), HELLO);
});

testBoth("C38 an event that was cut off is no answer, and is asked for again", async (mode) => {
  const later: string[] = [];
  const { server } = serveStream((events, id) => {
    later.push(JSON.stringify(answerTo(id)));
    events.send(`retry: 1\nid: 1\ndata:\n\nid: 2\ndata: ${later[0]?.slice(0, -9)}`);
    events.end();
  }, {
    listen({ headers }: { headers: Headers }) {
      const events = openEvents();
      if (headers.get("last-event-id") === "1") events.send(`data: ${later[0]}\n\n`);
      events.end();
      return events.response;
    },
  });
  await using _server = server;
  await using fixture = await openFixture(mode, server.url);
  deepStrictEqual(await fixture.tool("talk"), HELLO);
});

testBoth(
  "C40 a call returns at its answer though the stream stays open, then leaves",
  async (mode) => {
    const { server, streams } = serveStream((events, id) => events.send(answerTo(id)));
    await using _server = server;
    await using fixture = await openFixture(mode, server.url);
    deepStrictEqual(await fixture.tool("talk"), HELLO);
    strictEqual(streams.length, 1);
    await streams[0]?.left;
  },
);

testBoth("the stream that belongs to no call is left with the call", async (mode) => {
  const listening = openEvents();
  const { server } = serveStream((events, id) => {
    events.send(answerTo(id));
    events.end();
  }, { listen: () => listening.response });
  await using _server = server;
  await using fixture = await openFixture(mode, server.url);
  deepStrictEqual(await fixture.tool("talk"), HELLO);
  await listening.left;
});

testBoth("other messages and other answers in a stream are passed over", async (mode) => {
  const { server } = serveStream((events, id) => {
    events.send("event: endpoint\ndata: /elsewhere\n\n");
    events.send({ jsonrpc: "2.0", method: "notifications/message", params: { data: "log" } });
    events.send(answerTo(id + 1000, "of another"));
    events.send({ jsonrpc: "2.0", id: String(id), result: {} });
    events.send('data: [1,null,"x",{}]\n\n');
    events.send({ jsonrpc: "2.0", id: 7, method: "ping" });
    events.send(answerTo(id));
  });
  await using _server = server;
  await using fixture = await openFixture(mode, server.url);
  deepStrictEqual(await fixture.tool("talk"), HELLO);
});

testBoth("a ping and what we do not offer are answered while a call goes on", async (mode) => {
  const answers = Promise.withResolvers<void>();
  const replies: Json[] = [];
  const server = serveMcp({
    tools: [toolNamed("talk")],
    on: {
      "tools/call"(_params, { message }) {
        const events = openEvents();
        events.send({ jsonrpc: "2.0", id: "p", method: "ping" });
        events.send({ jsonrpc: "2.0", id: 8, method: "roots/list" });
        answers.promise.then(() => {
          events.send(answerTo(message.id));
          events.end();
        });
        return events.response;
      },
    },
    onReply(reply) {
      replies.push(reply);
      if (replies.length === 2) answers.resolve();
    },
  });
  await using _server = server;
  await using fixture = await openFixture(mode, server.url);
  deepStrictEqual(await fixture.tool("talk"), HELLO);
  const byId = new Map(replies.map((reply) => [reply.id, reply]));
  deepStrictEqual(byId.get("p")?.result, {});
  strictEqual(byId.get(8)?.error.code, -32601);
});

testBoth("an event that is no JSON is told", async (mode) => {
  const { server } = serveStream((events) => events.send("data: {oh\n\n"));
  await using _server = server;
  await using fixture = await openFixture(mode, server.url);
  await rejects(fixture.tool("talk"), {
    code: "bad_document",
    message: /an event that is no JSON/,
  });
});

testBoth("a stream that ends without an answer and without an id is told", async (mode) => {
  const { server } = serveStream((events) => events.end());
  await using _server = server;
  await using fixture = await openFixture(mode, server.url);
  await rejects(fixture.tool("talk"), {
    code: "unreachable",
    message: /ended its stream without an answer/,
  });
});

testBoth("a stream that cannot be taken up again ends the call", async (mode) => {
  const { server } = serveStream((events) => {
    events.send("retry: 1\nid: 1\ndata:\n\n");
    events.end();
  });
  await using _server = server;
  await using fixture = await openFixture(mode, server.url);
  await rejects(fixture.tool("talk"), { code: "unreachable" });
});

testBoth("an event without an end is refused at 16 MiB", async (mode) => {
  const mebibyte = "x".repeat(1024 * 1024);
  const { server, streams } = serveStream((events) => {
    events.send("data: ");
    for (let piece = 0; piece < 18; piece++) events.send(mebibyte);
  });
  await using _server = server;
  await using fixture = await openFixture(mode, server.url);
  await rejects(fixture.tool("talk"), { code: "too_large" });
  await streams[0]?.left;
});
