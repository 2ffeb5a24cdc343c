import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Metadata, status } from "@grpc/grpc-js";
import { writeStatus } from "../../../plugins/grpc/status/status_message.ts";
import { openFixture, testInBothModes } from "./fixture.ts";
import { type Handler, serveGrpc } from "./server.ts";

const ECHO = `
  syntax = "proto3";
  package echo;
  import "google/protobuf/any.proto";
  message Note {
    string text = 1;
    int64 big = 2;
    uint64 wide = 3;
    bytes raw = 4;
    google.protobuf.Any any = 5;
    map<string, int64> counts = 6;
  }
  service Echo {
    rpc Unary(Note) returns (Note);
    rpc Collect(stream Note) returns (Note);
    rpc Burst(Note) returns (stream Note);
    rpc Chat(stream Note) returns (stream Note);
    rpc Fail(Note) returns (Note);
    rpc Forever(Note) returns (stream Note);
    rpc Large(Note) returns (Note);
    rpc Odd(Note) returns (Note);
  }
`;

/** What the servers of a test have seen. */
interface Seen {
  metadata: Metadata[];
  cancelled: number;
}

function handlersOf(seen: Seen): Readonly<Record<string, Handler>> {
  const noted = (handler: Handler): Handler => async (call) => {
    seen.metadata.push(call.metadata);
    return await handler(call);
  };
  const echo: Handler = async (call) => {
    for await (const note of call.messages()) call.send(note);
  };
  const handlers: Record<string, Handler> = {
    Unary: async (call) => {
      const headers = new Metadata();
      headers.set("x-head", "first");
      headers.set("x-bytes-bin", Buffer.from([0, 1, 255]));
      call.sendHeaders(headers);
      for await (const note of call.messages()) call.send(note);
      const metadata = new Metadata();
      metadata.set("x-tail", "last");
      return { code: status.OK, details: "", metadata };
    },
    Chat: echo,
    async Collect(call) {
      const texts: string[] = [];
      for await (const note of call.messages()) texts.push(String(Object(note).text ?? ""));
      call.send({ text: texts.join("+") });
    },
    async Burst(call) {
      for await (const _ of call.messages()) { /* one */ }
      for (const text of ["a", "b", "c"]) call.send({ text });
      return { code: status.DATA_LOSS, details: "no more" };
    },
    async Fail(call) {
      for await (const _ of call.messages()) { /* one */ }
      const metadata = new Metadata();
      metadata.set("grpc-status-details-bin", Buffer.from(badRequest()));
      return { code: status.INVALID_ARGUMENT, details: "bad text", metadata };
    },
    async Forever(call) {
      call.send({ text: "begun" });
      await call.cancelled;
      seen.cancelled++;
    },
    Large(call) {
      call.send({ raw: btoa("x".repeat(17 * 1024 * 1024)) });
      return Promise.resolve();
    },
    Odd(call) {
      call.sendBytes(new Uint8Array([0x0a, 2, 104, 105, 0x98, 0x06, 7])); // text, and field 99
      return Promise.resolve();
    },
  };
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [`echo.Echo/${name}`, noted(handler)]),
  );
}

/** google.rpc.BadRequest { field_violations { field: "text" description: "too short" } } */
function badRequest(): Uint8Array {
  const violation = [0x0a, 4, ...bytes("text"), 0x12, 9, ...bytes("too short")];
  const value = new Uint8Array([0x0a, violation.length, ...violation]);
  const typeUrl = "type.googleapis.com/google.rpc.BadRequest";
  return writeStatus({ code: 3, message: "bad text", details: [{ typeUrl, value }] });
}

function bytes(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

async function start() {
  const seen: Seen = { metadata: [], cancelled: 0 };
  const server = await serveGrpc({ protos: { "echo.proto": ECHO }, handlers: handlersOf(seen) });
  return { seen, server, url: server.url };
}

testInBothModes("all four kinds of calls are made", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  const notes = [{ text: "one" }, { text: "two" }];
  deepStrictEqual(await fixture.ask(url, "echo.Echo/Unary", notes[0]), notes[0]);
  deepStrictEqual(await fixture.ask(url, "echo.Echo/Collect", notes), { text: "one+two" });
  deepStrictEqual((await fixture.stream(url, "echo.Echo/Chat", notes)).frames, notes);
  deepStrictEqual((await fixture.stream(url, "echo.Echo/Unary", notes[0])).frames, [notes[0]]);
  deepStrictEqual(await fixture.ask(url, "echo.Echo/Collect", []), { text: "" });
  await rejects(fixture.ask(url, "echo.Echo/Chat", notes), {
    code: "invalid_argument",
    message: /answers with a stream/,
    hint: /bowire\.subscribe/,
  });
});

testInBothModes("messages that come right before an error are not lost", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  for (let round = 0; round < 20; round++) {
    const { frames, end } = await fixture.stream(url, "echo.Echo/Burst");
    deepStrictEqual(frames, [{ text: "a" }, { text: "b" }, { text: "c" }]);
    deepStrictEqual([end?.status, end?.ok, JSON.parse(end?.response ?? "")], ["DataLoss", false, {
      code: 15,
      message: "no more",
    }]);
  }
});

testInBothModes(
  "metadata, headers and trailers travel both ways, bytes as base64",
  async (mode) => {
    const { seen, server, url } = await start();
    await using _ = server;
    await using fixture = await openFixture(mode, [url]);
    const metadata = { "X-Trace": "t 1", "x-token-bin": "AAH/" };
    const { metadata: came } = await fixture.invoke(url, "echo.Echo/Unary", {}, { metadata });
    const [sent] = seen.metadata;
    deepStrictEqual(sent?.get("x-trace"), ["t 1"]);
    deepStrictEqual([...sent?.get("x-token-bin")[0] ?? []], [0, 1, 255]);
    match(String(sent?.get("user-agent")), /^bowire\//);
    deepStrictEqual(
      [came["x-head"], came["x-bytes-bin"], came["_trailer:x-tail"]],
      ["first", "AAH/", "last"],
    );
    for (
      const [name, value] of [["grpc-timeout", "1S"], ["x y", "1"], ["x-a-bin", "%"], ["x-a", "é"]]
    ) {
      const refused = fixture.ask(url, "echo.Echo/Unary", {}, { metadata: { [name]: value } });
      await rejects(refused, {
        code: "invalid_argument",
        message: new RegExp(`metadata "${name}"`),
      });
    }
  },
);

testInBothModes("C31 integers of 64 bits are exact, quoted or not", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  for (const big of ["9007199254740993", '"9007199254740993"']) {
    const body = `{"big": ${big}, "wide": 18446744073709551615, "counts": {"a": ${big}}}`;
    deepStrictEqual(await fixture.ask(url, "echo.Echo/Unary", body), {
      big: "9007199254740993",
      wide: "18446744073709551615",
      counts: { a: "9007199254740993" },
    });
  }
  await rejects(fixture.ask(url, "echo.Echo/Unary", '{"wide": 18446744073709551616}'), {
    code: "invalid_argument",
    message: /wide/,
  });
});

testInBothModes("C34 no arguments are the same as empty ones", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  for (const body of ["", "{}", "null"]) {
    deepStrictEqual(await fixture.ask(url, "echo.Echo/Unary", body), {});
  }
});

testInBothModes("C36 details of a status are decoded", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  const { status: name, ok, response, hint } = await fixture.invoke(url, "echo.Echo/Fail");
  deepStrictEqual([name, ok], ["InvalidArgument", false]);
  deepStrictEqual(JSON.parse(response ?? ""), {
    code: 3,
    message: "bad text",
    details: [{
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [{ field: "text", description: "too short" }],
    }],
  });
  match(hint ?? "", /bad text/);
});

testInBothModes("fields that the description does not have are reported", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  const { response, metadata } = await fixture.invoke(url, "echo.Echo/Odd");
  deepStrictEqual(JSON.parse(response ?? ""), { text: "hi" });
  match(metadata["unknown_fields"] ?? "", /99/);
});

testInBothModes("a message may name its type, and be compressed", async (mode) => {
  const { seen, server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  const any = { "@type": "type.googleapis.com/echo.Note", text: "inner" };
  for (const encoding of ["gzip", "deflate"]) {
    const metadata = { "grpc-encoding": encoding };
    const body = { text: "x".repeat(10_000), any };
    deepStrictEqual(await fixture.ask(url, "echo.Echo/Unary", body, { metadata }), body);
  }
  strictEqual(seen.metadata.length, 2);
  const metadata = { "grpc-encoding": "zip" };
  await rejects(fixture.ask(url, "echo.Echo/Unary", {}, { metadata }), {
    code: "invalid_argument",
    hint: /gzip/,
  });
});

testInBothModes("a message that is too large is refused", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  await rejects(fixture.ask(url, "echo.Echo/Large"), {
    code: "too_large",
    message: /larger than 16777216 bytes/,
  });
  ok(await fixture.ask(url, "echo.Echo/Unary", { text: "still there" }));
});

testInBothModes("who stops listening ends the call at the server", async (mode) => {
  const { seen, server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  const first = await fixture.stream(url, "echo.Echo/Forever", {}, { count: 1 });
  deepStrictEqual(first.frames, [{ text: "begun" }]);
  await until(() => seen.cancelled === 1);
  const controller = new AbortController();
  const { caller } = fixture.host;
  const stream = caller.subscribe({
    url,
    service: "echo.Echo",
    method: "Forever",
    protocol: "grpc",
    messages: ["{}"],
  }, controller.signal);
  await stream.next();
  controller.abort();
  await rejects(stream.next(), { code: "cancelled" });
  await until(() => seen.cancelled === 2);
  const late = fixture.stream(url, "echo.Echo/Forever", {}, { timeoutMs: 200 });
  await rejects(late, { code: "timeout", message: /within 200 ms/ });
  await until(() => seen.cancelled === 3);
});

testInBothModes("calls share a connection, and outlive the server that it led to", async (mode) => {
  const { server, url } = await start();
  await using fixture = await openFixture(mode, [url]);
  const ask = () => fixture.ask(url, "echo.Echo/Unary", { text: "a" });
  await Promise.all(Array.from({ length: 50 }, ask));
  await server[Symbol.asyncDispose]();
  await rejects(ask(), { code: "unreachable", message: /ECONNREFUSED/ });
  const handlers = handlersOf({ metadata: [], cancelled: 0 });
  const { port } = server;
  await using _ = await serveGrpc({ protos: { "echo.proto": ECHO }, handlers, port });
  deepStrictEqual(await ask(), { text: "a" });
});

testInBothModes("a host that is not allowed is refused", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, ["http://127.0.0.1:9"]);
  await rejects(fixture.ask(url, "echo.Echo/Unary"), { code: "url_not_allowed" });
});

/** Waits until something holds, which it must within the time of a test. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  ok(holds());
}
