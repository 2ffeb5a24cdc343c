import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { Status, type Texts } from "../../../samples/grpc_target/grpc_server.ts";
import { openFixture, testInBothModes } from "./fixture.ts";
import { type Handler, type ReflectionOptions, serveGrpc } from "./server.ts";

const SHOP = `
  syntax = "proto3";
  package shop;
  import "rules/validate.proto";
  import "parts/price.proto";
  message Item { string id = 1; int64 count = 2; parts.Price price = 3; rules.Rule rule = 4; }
  message Ask { string id = 1 [(rules.needed) = true]; }
  service Shop { rpc Get(Ask) returns (Item); }
`;
const RULES = `
  syntax = "proto3";
  package rules;
  import "google/protobuf/descriptor.proto";
  message Rule { string text = 1; }
  extend google.protobuf.FieldOptions { bool needed = 50001; }
`;
const PRICE = `syntax = "proto3"; package parts; message Price { int64 units = 1; }`;
const BOOKS = `
  syntax = "proto3";
  package books;
  message Ask {}
  message Title { string text = 1; }
  service Books { rpc First(Ask) returns (Title); }
`;
const PROTOS = {
  "shop.proto": SHOP,
  "rules/validate.proto": RULES,
  "parts/price.proto": PRICE,
  "books.proto": BOOKS,
};

const get: Handler = async (call) => {
  for await (const ask of call.messages()) {
    call.send({ ...Object(ask), count: "9007199254740993", price: { units: "5" } });
  }
};
const first: Handler = (call) => Promise.resolve(call.send({ text: "Moby Dick" }));
const handlers = { "shop.Shop/Get": get, "books.Books/First": first };

function start(reflection: ReflectionOptions | false = {}) {
  return serveGrpc({ protos: PROTOS, handlers, reflection });
}

/** What the only protocol that was asked says about a server. */
async function attemptAt(mode: "none" | "worker", url: string) {
  await using fixture = await openFixture(mode, [url]);
  const { attempts, services } = await fixture.host.caller.discover(url, {
    protocol: "grpc",
    signal: new AbortController().signal,
  });
  return { attempt: attempts[0], services };
}

for (
  const [name, reflection, asked] of [
    ["only v1", { versions: ["v1"] }, ["v1"]],
    ["only v1alpha", { versions: ["v1alpha"] }, ["v1alpha"]],
    [
      "v1 that answers UNAVAILABLE",
      { statusOf: { v1: { code: Status.UNAVAILABLE, message: "not here" } } },
      ["v1", "v1alpha"],
    ],
  ] satisfies [string, ReflectionOptions, string[]][]
) {
  testInBothModes(`C25 a server with ${name} is discovered, and remembered`, async (mode) => {
    await using server = await start(reflection);
    await using fixture = await openFixture(mode, [server.url]);
    const services = await fixture.discover(server.url);
    deepStrictEqual(services.map(({ name }) => name), ["books.Books", "shop.Shop"]);
    deepStrictEqual(server.reflections.slice(0, asked.length), asked);
    const before = server.reflections.length;
    await fixture.discover(server.url);
    const again = server.reflections.slice(before);
    deepStrictEqual(new Set(again), new Set(asked.slice(-1)));
    deepStrictEqual(await fixture.ask(server.url, "shop.Shop/Get", { id: "a" }), {
      id: "a",
      count: "9007199254740993",
      price: { units: "5" },
    });
  });
}

testInBothModes("C27 what a server does not import is opaque, and named", async (mode) => {
  await using server = await start({ without: ["rules/validate.proto"] });
  const { attempt, services } = await attemptAt(mode, server.url);
  strictEqual(attempt?.outcome, "partial");
  match(JSON.stringify(attempt), /rules\/validate\.proto/);
  const item = services.find(({ name }) => name === "shop.Shop")?.methods[0]?.outputType;
  deepStrictEqual(item?.fields.map(({ name }) => name), ["id", "count", "price", "rule"]);
  await using fixture = await openFixture(mode, [server.url]);
  deepStrictEqual(await fixture.ask(server.url, "shop.Shop/Get", { id: "a" }), {
    id: "a",
    count: "9007199254740993",
    price: { units: "5" },
  });
});

for (const isTouchy of [false, true]) {
  const how = isTouchy ? "that ends the conversation" : "that answers with an error";
  testInBothModes(`C28 a service ${how} does not hide the others`, async (mode) => {
    await using server = await start({ alsoListed: ["a.Ghost", "z.Ghost"], isTouchy });
    const { attempt, services } = await attemptAt(mode, server.url);
    deepStrictEqual(services.map(({ name, methods }) => [name, methods.length]), [
      ["a.Ghost", 0],
      ["books.Books", 1],
      ["shop.Shop", 1],
      ["z.Ghost", 0],
    ]);
    match(services[0]?.description ?? "", /not known: (not found|no such symbol)/);
    strictEqual(attempt?.outcome, "partial");
    match(attempt?.details?.join() ?? "", /a\.Ghost.*z\.Ghost/);
  });
}

testInBothModes("C30 metadata goes along with reflection", async (mode) => {
  const guard = (metadata: Texts) =>
    metadata["x-route"] === "blue" ? undefined : { code: Status.NOT_FOUND, message: "no route" };
  await using server = await start({ guard });
  await using fixture = await openFixture(mode, [server.url]);
  const metadata = { "X-Route": "blue" };
  const services = await fixture.discover(server.url, { metadata });
  strictEqual(services.length, 2);
  ok(await fixture.ask(server.url, "shop.Shop/Get", {}, { metadata }));
  await rejects(fixture.ask(server.url, "shop.Shop/Get"), {
    code: "not_discovered",
    message: /reflection answered NotFound \(no route\)/,
  });
  await fixture.home.put("environments.json", {
    globals: {},
    environments: [{
      id: "e",
      name: "e",
      serverUrl: server.url,
      headers: { "x-route": "blue" },
    }],
    activeEnvId: "e",
  });
  strictEqual((await fixture.discover(server.url)).length, 2);
  ok(await fixture.ask(server.url, "shop.Shop/Get"));
});

testInBothModes("a server without reflection says what to do about it", async (mode) => {
  await using server = await start(false);
  const { attempt } = await attemptAt(mode, server.url);
  strictEqual(attempt?.outcome, "empty");
  match(attempt?.message ?? "", /speaks gRPC without reflection: add its schema files/);
  await using fixture = await openFixture(mode, [server.url]);
  await rejects(fixture.ask(server.url, "shop.Shop/Get"), {
    code: "not_discovered",
    message: /without reflection/,
  });
});

testInBothModes("reflection that asks for credentials is told as such", async (mode) => {
  const guard = () => ({ code: Status.UNAUTHENTICATED, message: "who are you?" });
  await using server = await start({ guard });
  const { attempt } = await attemptAt(mode, server.url);
  strictEqual(attempt?.outcome, "error");
  match(attempt?.message ?? "", /reflection answered Unauthenticated \(who are you\?\)/);
});

testInBothModes("a web server is told from a gRPC server", async (mode) => {
  await using h2c = serveWeb();
  const { attempt } = await attemptAt(mode, h2c.url);
  deepStrictEqual([attempt?.outcome, attempt?.servicesFound], ["empty", 0]);
  match(attempt?.message ?? "", /answers HTTP, but not gRPC/);
  await using http1 = await serveHttp1();
  const other = await attemptAt(mode, http1.url);
  strictEqual(other.attempt?.outcome, "empty");
  match(other.attempt?.message ?? "", /does not speak HTTP\/2/);
});

testInBothModes("reflection that never ends is left", async (mode) => {
  await using server = await start({ isEndless: true });
  const { attempt, services } = await attemptAt(mode, server.url);
  strictEqual(attempt?.outcome, "partial");
  deepStrictEqual(services.map(({ name }) => name), ["books.Books", "shop.Shop"]);
});

testInBothModes("names that come close are offered", async (mode) => {
  await using server = await start();
  await using fixture = await openFixture(mode, [server.url]);
  await rejects(fixture.ask(server.url, "shop.Shp/Get"), {
    code: "unknown_service",
    hint: /shop\.Shop/,
  });
  await rejects(fixture.ask(server.url, "shop.Shop/Gte"), { code: "unknown_method", hint: /Get/ });
});

function serveWeb() {
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const server = Deno.serve(options, () => new Response("no", { status: 404 }));
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A server that knows no newer version of HTTP than 1.1. */
async function serveHttp1() {
  const { createServer } = await import("node:http");
  const server = createServer((_request, response) => response.end("{}"));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
