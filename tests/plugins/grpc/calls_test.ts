import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { openFixture, testInBothModes } from "./fixture.ts";
import { ECHO, handlersOf, type Seen } from "./echo.ts";
import { serveGrpc } from "./server.ts";

async function start(port = 0) {
  const seen: Seen = { metadata: [], cancelled: 0 };
  const protos = { "echo.proto": ECHO };
  const server = await serveGrpc({ protos, handlers: handlersOf(seen), port });
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
  deepStrictEqual(await fixture.ask(url, "echo.Echo/Collect", []), {});
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
    deepStrictEqual([sent?.["x-trace"], sent?.["x-token-bin"]], ["t 1", "AAH/"]);
    match(sent?.["user-agent"] ?? "", /^bowire\//);
    deepStrictEqual(
      [came["x-head"], came["x-bytes-bin"], came["_trailer:x-tail"]],
      ["first", "AAH/", "last"],
    );
    for (const authority of ["a b", "", "u:p@host", "a\r\nx: y", "é"]) {
      const metadata = { ":authority": authority };
      await rejects(fixture.ask(url, "echo.Echo/Unary", {}, { metadata }), {
        code: "invalid_argument",
        message: 'cannot use ":authority": it is no host',
      });
    }
    const bad = { "grpc-timeout": "1S", "x y": "1", "x-a-bin": "%", "x-a": "é" };
    for (const [name, value] of Object.entries(bad)) {
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

testInBothModes(
  "a stream that is not read to its end tells its headers all the same",
  async (mode) => {
    const { server, url } = await start();
    await using _ = server;
    await using fixture = await openFixture(mode, [url]);
    const call = { url, service: "echo.Echo", method: "Unary", protocol: "grpc", messages: ["{}"] };
    const stream = fixture.host.caller.subscribe(call, new AbortController().signal);
    const { done, value } = await stream.next();
    strictEqual(done === true ? undefined : value.metadata?.["x-head"], "first");
    await stream.return();
  },
);

testInBothModes("what is not given is not sent where many may be sent", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  const none = { messages: [] };
  deepStrictEqual(await fixture.ask(url, "echo.Echo/Unary", {}, none), {});
  deepStrictEqual(await fixture.ask(url, "echo.Echo/Collect", {}, none), {});
  deepStrictEqual((await fixture.stream(url, "echo.Echo/Chat", {}, none)).frames, []);
});

testInBothModes("a service that nothing has is told with what each protocol says", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  const unnamed = { protocol: undefined };
  await rejects(fixture.ask(url, "echo.Ecco/Unary", {}, unnamed), {
    code: "unknown_service",
    message: /REST: .*gRPC: 1 service/,
    hint: "near it are: echo.Echo",
  });
  deepStrictEqual(await fixture.ask(url, "echo.Echo/Unary", { text: "a" }, unnamed), { text: "a" });
});

testInBothModes("a message that is too large is refused", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  await rejects(fixture.ask(url, "echo.Echo/Large"), {
    code: "too_large",
    message: /larger than 4194304 bytes/,
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

testInBothModes("a server that is killed and comes back is called again", async (mode) => {
  const { server, url } = await start();
  await using _ = server;
  await using fixture = await openFixture(mode, [url]);
  const ask = () => fixture.ask(url, "echo.Echo/Unary", { text: "a" });
  await Promise.all(Array.from({ length: 50 }, ask));
  const { caller } = fixture.host;
  const call = { url, service: "echo.Echo", method: "Forever", protocol: "grpc" };
  const stream = caller.subscribe({ ...call, messages: ["{}"] }, new AbortController().signal);
  await stream.next();
  await server[Symbol.asyncDispose]();
  const { done, value } = await stream.next();
  deepStrictEqual([done, done === true && value?.status], [true, "Unavailable"]);
  await rejects(ask()); // the connection may not know yet
  await rejects(ask(), { code: "unreachable", message: /ECONNREFUSED/ });
  const back = await start(server.port);
  await using __ = back.server;
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
