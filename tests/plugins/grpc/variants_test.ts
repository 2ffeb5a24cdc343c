import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { type ConnectOrigins, type NodeServer, startConnect } from "../../peers/node_servers.ts";
import { makeAuthority } from "../../protocol/certificates.ts";
import { ECHO } from "./echo.ts";
import { type Fixture, type Mode, openFixture, testInBothModes } from "./fixture.ts";

/** Ways to call the server, by what is in front of the URL: its origin, and the HTTP it then speaks. */
const WAYS = [
  ["grpcweb", "http1", "1.1"],
  ["connect", "http1", "1.1"],
  ["grpcweb", "https1", "1.1"],
  ["connect", "https1", "1.1"],
  ["grpcweb", "https2", "2.0"],
  ["connect", "https2", "2.0"],
  ["grpc", "h2c", "2.0"],
  ["grpc", "https2", "2.0"],
] as const;

/** As the server calls them. */
const PROTOCOLS = { grpcweb: "grpc-web", connect: "connect", grpc: "grpc" };

/** One way to call, and the shortest ways to go it. */
interface Way {
  readonly name: string;
  readonly protocol: string;
  readonly http: string;
  readonly invoke: (method: string, body?: unknown, metadata?: object) => ReturnType<
    Fixture["invoke"]
  >;
  readonly ask: (method: string, body?: unknown) => Promise<unknown>;
  readonly stream: (method: string, body?: unknown, more?: object) => ReturnType<Fixture["stream"]>;
}

/** A server of @connectrpc/connect-node, and a host that knows its service by its file. */
interface Parts {
  readonly server: NodeServer<ConnectOrigins>;
  readonly fixture: Fixture;
  readonly ways: readonly Way[];
}

async function withConnect(mode: Mode, run: (parts: Parts) => Promise<void>): Promise<void> {
  const authority = await makeAuthority("Harbour");
  await using server = await startConnect(ECHO, await authority.issue("connect"));
  const { said, folder } = server;
  const urls = Object.values(said);
  await using fixture = await openFixture(mode, urls, { allowedFileFolders: [folder] });
  const { caller, schemas } = fixture.host;
  for (const url of urls) {
    const request = { url, protocol: "grpc", files: [`${folder}/service.proto`], roots: [] };
    const { bytes, services } = await caller.readSchema(request, new AbortController().signal);
    await schemas.addForRun({ ...request, services, content: bytes });
  }
  const __bowireMtls__ = JSON.stringify({ caCertificate: authority.certificate });
  const ways = WAYS.map(([hint, origin, http]): Way => {
    const url = `${hint}@${said[origin]}`;
    const metadata = { __bowireMtls__ };
    return {
      name: `${hint}@${origin}`,
      protocol: PROTOCOLS[hint],
      http,
      invoke: (method, body, more = {}) =>
        fixture.invoke(url, `echo.Echo/${method}`, body, { metadata: { ...metadata, ...more } }),
      ask: (method, body) => fixture.ask(url, `echo.Echo/${method}`, body, { metadata }),
      stream: (method, body, more) =>
        fixture.stream(url, `echo.Echo/${method}`, body, { metadata, ...more }),
    };
  });
  await run({ server, fixture, ways });
}

function testWays(name: string, run: (parts: Parts) => Promise<void>): void {
  testInBothModes(`connect-node: ${name}`, (mode) => withConnect(mode, run));
}

testWays("one message each way, with headers and trailers, compressed or not", async ({ ways }) => {
  const note = { text: "a", big: "9007199254740993", counts: { a: "-1" } };
  const long = { ...note, text: "long ".repeat(2000) }; // long enough for the server to compress it
  for (const { name, protocol, http, invoke } of ways) {
    for (const encoding of ["identity", "gzip"]) {
      for (const body of [note, long]) {
        const metadata = { "x-trace": "t 1", "grpc-encoding": encoding };
        const { ok, response, metadata: came } = await invoke("Unary", body, metadata);
        deepStrictEqual([ok, JSON.parse(response ?? "")], [true, body], name);
        deepStrictEqual(
          ["x-head", "x-bytes-bin", "_trailer:x-tail", "x-protocol", "x-http"].map((key) =>
            came[key]
          ),
          ["t 1", "AAH/", "last", protocol, http],
          name,
        );
      }
    }
  }
});

testWays("streams to the server, and from it up to an error", async ({ ways }) => {
  const notes = [{ text: "one" }, { text: "two" }];
  for (const { name, ask, stream } of ways) {
    deepStrictEqual(await ask("Collect", notes), { text: "one+two" }, name);
    const { frames, end } = await stream("Burst");
    deepStrictEqual(frames, [{ text: "a" }, { text: "b" }, { text: "c" }], name);
    deepStrictEqual(
      [end?.status, JSON.parse(end?.response ?? "")],
      ["DataLoss", { code: 15, message: "no more" }],
      name,
    );
  }
});

testWays("streams both ways over HTTP/2, and a clear refusal over HTTP/1.1", async ({ ways }) => {
  const notes = [{ text: "one" }, { text: "two" }];
  for (const { name, http, stream } of ways) {
    const { frames, end } = await stream("Chat", notes);
    if (http === "2.0") deepStrictEqual([frames, end?.status], [notes, "OK"], name);
    else {
      deepStrictEqual([frames, end?.status], [[], "Unimplemented"], name);
      match(end?.hint ?? "", /takes this call over HTTP\/2 only/, name);
    }
  }
});

testWays("details of an error, its headers told from its trailers", async ({ ways }) => {
  for (const { name, protocol, http, invoke } of ways) {
    const { status, response, metadata } = await invoke("Fail");
    strictEqual(status, "InvalidArgument", name);
    deepStrictEqual(JSON.parse(response ?? ""), {
      code: 3,
      message: "bad text",
      details: [{
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field: "text", description: "too short" }],
      }],
    }, name);
    // Connect's errors of unary calls have it among their headers.
    const tail = protocol === "connect" ? "x-tail" : "_trailer:x-tail";
    deepStrictEqual([metadata[tail], metadata["x-http"]], ["last", http], name);
    strictEqual(metadata["_trailer:x-http"], undefined, name);
  }
});

testWays("a message that is too large is refused", async ({ ways }) => {
  for (const { name, ask } of ways) {
    const refused = { code: "too_large", message: /larger than 4194304 bytes/ };
    await rejects(ask("Large"), refused, name);
    deepStrictEqual(await ask("Unary", { text: "there" }), { text: "there" }, name);
  }
});

testWays("who stops listening ends the call at the server", async ({ server, ways }) => {
  for (const { name, protocol, stream } of ways) {
    const { frames } = await stream("Forever", {}, { count: 1 });
    deepStrictEqual(frames, [{ text: "begun" }], name);
    deepStrictEqual(await server.next(), { cancelled: protocol }, name);
    await rejects(stream("Forever", {}, { timeoutMs: 300 }), { code: "timeout" }, name);
    deepStrictEqual(await server.next(), { cancelled: protocol }, name);
  }
});

testWays("only gRPC over HTTP/2 keeps a stream open", async ({ ways }) => {
  for (const { name, protocol, stream } of ways) {
    const kept = stream("Chat", { text: "a" }, { keepsOpen: true, count: 1 });
    if (protocol === "grpc") deepStrictEqual((await kept).frames, [{ text: "a" }], name);
    else await rejects(kept, { code: "invalid_argument", hint: /half-close/ }, name);
  }
});

testWays("a path is the prefix of every call", async ({ server, fixture }) => {
  for (const hint of ["grpcweb", "connect"] as const) {
    for (const path of ["/prefix", "/prefix/"]) {
      const url = `${hint}@${server.said.http1}${path}`;
      const { ok, metadata } = await fixture.invoke(url, "echo.Echo/Unary");
      deepStrictEqual([ok, metadata["x-protocol"]], [true, PROTOCOLS[hint]]);
    }
    const nowhere = `${hint}@${server.said.http1}/nowhere`;
    const { status } = await fixture.invoke(nowhere, "echo.Echo/Unary");
    strictEqual(status, "Unimplemented");
  }
});

testWays("metadata names the protocol as the URL does", async ({ server, fixture }) => {
  for (const [value, protocol] of [["web", "grpc-web"], ["connect", "connect"]] as const) {
    const metadata = { "X-Bowire-Grpc-Transport": value };
    const answer = await fixture.invoke(server.said.http1, "echo.Echo/Unary", {}, { metadata });
    deepStrictEqual([answer.ok, answer.metadata["x-protocol"]], [true, protocol]);
  }
  const metadata = { "X-Bowire-Grpc-Transport": "telex" };
  await rejects(fixture.ask(server.said.http1, "echo.Echo/Unary", {}, { metadata }), {
    code: "invalid_argument",
    hint: /connect/,
  });
});

testWays("a port of HTTP/1.1 is no gRPC, with TLS or without", async ({ server, fixture }) => {
  for (const origin of [server.said.http1, server.said.https1]) {
    const metadata = { __bowireMtls__: JSON.stringify({ allowSelfSigned: true }) };
    await rejects(fixture.ask(`grpc@${origin}`, "echo.Echo/Unary", {}, { metadata }), {
      code: "unreachable",
      message: /does not speak HTTP\/2/,
      hint: /grpcweb@ and connect@/,
    });
  }
});

testWays("another authority than the server's is not trusted", async ({ server, fixture }) => {
  const stranger = await makeAuthority("Pirates");
  for (const settings of [{}, { caCertificate: stranger.certificate }]) {
    for (const hint of ["grpcweb", "connect", "grpc"]) {
      const metadata = { __bowireMtls__: JSON.stringify(settings) };
      const call = fixture.ask(`${hint}@${server.said.https2}`, "echo.Echo/Unary", {}, {
        metadata,
      });
      await rejects(call, { code: "unreachable", message: /certificate|issuer/i });
    }
  }
});
