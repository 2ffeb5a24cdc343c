import { deepEqual, equal, match, ok } from "node:assert/strict";
import { createAdapter } from "../../lib/adapter/mod.ts";
import type { Method } from "../../lib/model/mod.ts";
import { startHarbour } from "../../samples/grpc_target/server.ts";
import { invocationOf, protocolOf, serviceOf } from "../fakes/protocols.ts";
import { rejectionOf } from "../fakes/rooms.ts";
import { text } from "../plugins/rest/fixture.ts";
import {
  assertPortable,
  call,
  callFor,
  namesOf,
  openAdapter,
  openHost,
  textOf,
} from "./fixture.ts";
import { openShop } from "./shop.ts";

Deno.test("an adapter lists every unary method, and counts what it leaves out", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url] });
  deepEqual(namesOf(bench), [
    "media_getPhoto",
    "pets_createPet",
    "pets_deletePet",
    "pets_getPet",
    "pets_listPets",
  ]);
  const { bytes, tokens, ...figures } = bench.adapter.figures();
  const json = JSON.stringify({ tools: bench.adapter.listTools() });
  equal(bytes, json.length);
  equal(tokens, Math.ceil(bytes / 4));
  equal(figures.mode, "all");
  deepEqual(figures.leftOut, { streaming: 0, incoming: 1, filtered: 0 });
  match(
    bench.adapter.report(),
    /^5 tools \([\d,]+ bytes, about \d+ tokens\); left out: 1 incoming$/,
  );
  for (const { inputSchema } of bench.adapter.listTools()) assertPortable(inputSchema);
});

Deno.test("a tool says what it calls, and what that does", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url] });
  const tools = new Map(bench.adapter.listTools().map((tool) => [tool.name, tool]));
  equal(tools.get("pets_listPets")?.description, "List all pets.\n`GET /pets`");
  equal(tools.get("pets_deletePet")?.description, "Deprecated.\n`DELETE /pets/{petId}`");
  equal(tools.get("pets_listPets")?.title, "pets/listPets");
  deepEqual(tools.get("pets_listPets")?._meta, {
    "bowire/method": { protocol: "rest", service: "pets", method: "listPets" },
  });
  deepEqual(
    ["pets_listPets", "pets_createPet", "pets_deletePet"].map((name) =>
      Object.entries(tools.get(name)?.annotations ?? {}).filter(([, is]) => is).map(([hint]) =>
        hint
      )
    ),
    [
      ["readOnlyHint", "idempotentHint", "openWorldHint"],
      ["destructiveHint", "openWorldHint"],
      ["destructiveHint", "idempotentHint", "openWorldHint"],
    ],
  );
});

Deno.test("tools of several URLs tell theirs", async () => {
  await using shop = openShop();
  await using other = openShop();
  const urls = [shop.url, other.url];
  await using bench = await openAdapter({ urls, include: { tag: ["public"] } });
  const told = bench.adapter.listTools().map(({ _meta }) => _meta?.["bowire/method"]);
  const method = { protocol: "rest", service: "pets", method: "listPets" };
  deepEqual(new Set(told), new Set(urls.map((url) => ({ ...method, url }))));
});

Deno.test("a call sends its arguments and gives the answer back, numbers exact", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url] });
  const list = await callFor(bench, "pets_listPets", { arguments: { limit: 3 } });
  equal(textOf(list), '[{"id":9007199254740993,"name":"Tom"}]\nx-total-count: 1');
  equal(list.structured, undefined);
  equal(shop.received.at(-1)?.path, "/pets?limit=3");
  const pet = await callFor(bench, "pets_getPet", { arguments: { petId: "7" } });
  equal(JSON.stringify(pet.structured), '{"id":9007199254740993,"name":7}');
  await callFor(bench, "pets_createPet", { arguments: { name: "Rex" } });
  equal(shop.received.at(-1)?.body, '{"name":"Rex"}');
  const [, photo] = (await callFor(bench, "media_getPhoto")).content;
  deepEqual(photo, { type: "image", data: "iVBOR/8A", mimeType: "image/png" });
});

Deno.test("gRPC methods become tools as they are documented, exact to the last digit", async () => {
  await using harbour = await startHarbour();
  await using bench = await openAdapter({ urls: [`grpc@${harbour.url}`], outputSchemas: true });
  deepEqual(namesOf(bench), [
    "harbour_v1_Harbour_FindShip",
    "harbour_v1_Harbour_GetShip",
    "harbour_v1_Harbour_ListShips",
    "harbour_v1_Harbour_PutShip",
  ]);
  equal(bench.adapter.figures().leftOut.streaming, 3);
  for (const { inputSchema, outputSchema } of bench.adapter.listTools()) {
    assertPortable(inputSchema);
    assertPortable(outputSchema);
  }
  const ship = await callFor(bench, "harbour_v1_Harbour_GetShip", {
    arguments: { id: "9007199254740993" },
  });
  equal(ship.isError, false);
  equal(ship.structured?.["id"], "9007199254740993");
  const none = await callFor(bench, "harbour_v1_Harbour_GetShip", { arguments: { id: 404 } });
  match(textOf(none), /the target answered NotFound/);
});

Deno.test("C57 an error of the target is an error of the tool", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url] });
  const gone = await callFor(bench, "pets_getPet", { arguments: { petId: "gone" } });
  equal(gone.isError, true);
  match(textOf(gone), /NotFound \(HTTP 404 Not Found\)\.\nThe same call will fail again/);
  deepEqual(gone.structured?.["body"], { reason: "no such pet" });
  const busy = await callFor(bench, "pets_getPet", { arguments: { petId: "busy" } });
  match(textOf(busy), /may succeed later\.\nretry-after: 9\nIt said nothing more/);
});

Deno.test("C60 arguments that do not fit are refused by name, unsent", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url] });
  const before = shop.received.length;
  const outcome = await callFor(bench, "pets_createPet", { arguments: { name: "Rex", nmae: 1 } });
  equal(outcome.isError, true);
  match(textOf(outcome), /nmae/);
  equal(shop.received.length, before);
});

Deno.test("a tool that nobody listed is none", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url], exclude: { method: ["DELETE"] } });
  equal(await call(bench, "nobody"), undefined);
  equal(await call(bench, "pets_deletePet", { arguments: { petId: "7" } }), undefined);
  equal(await call(bench, "find_methods"), undefined);
  equal(bench.adapter.figures().leftOut.filtered, 1);
});

Deno.test("headers go to the targets they are for, and those of the client only when named", async () => {
  await using shop = openShop();
  await using other = openShop();
  await using bench = await openAdapter({
    urls: [shop.url, other.url],
    headers: { "x-all": "all" },
    metadata: { [other.url]: { authorization: "Bearer OWN" } },
    forwardHeaders: ["X-Tenant"],
  });
  const headers = {
    authorization: "Bearer IN",
    cookie: "in=1",
    "x-tenant": "t1",
    "x-other": "canary",
  };
  const names = namesOf(bench).filter((name) => name.startsWith("pets_listPets_"));
  equal(names.length, 2);
  for (const name of names) await callFor(bench, name, { headers });
  const seen = [shop, other].map(({ received }) => received.at(-1)?.headers);
  deepEqual(
    ["authorization", "x-all", "x-tenant", "x-other", "cookie"].map((name) =>
      seen.map((headers) => headers?.get(name))
    ),
    [[null, "Bearer OWN"], ["all", "all"], ["t1", "t1"], [null, null], [null, null]],
  );
  ok(shop.received.every(({ headers }) => headers.get("x-all") === "all"));
  ok(
    [...shop.received, ...other.received].every(({ headers }) =>
      headers.get("authorization") !== "Bearer IN"
    ),
  );
});

Deno.test("outputSchemas tells of answers that are objects, and takes any of them", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url], outputSchemas: true });
  const schemas = new Map(bench.adapter.listTools().map((tool) => [tool.name, tool.outputSchema]));
  equal(schemas.get("pets_listPets"), undefined);
  assertPortable(schemas.get("pets_getPet"));
  const pet = await callFor(bench, "pets_getPet", { arguments: { petId: "7" } });
  equal(JSON.stringify(pet.structured), '{"id":9007199254740993}');
  match(textOf(pet), /left out of the data, is "name"/);
  equal(pet.isError, false);
});

Deno.test("a URL that offers nothing is left out as long as another offers something", async () => {
  await using shop = openShop();
  await using empty = openShop({ "/openapi.json": text("gone", "text/plain", 404) });
  await using bench = await openAdapter({ urls: [empty.url, shop.url] });
  equal(namesOf(bench).length, 5);
  await using host = await openHost([empty.url, shop.url]);
  const alone = await rejectionOf(createAdapter(host, { urls: [empty.url] }));
  equal(alone.code, "not_discovered");
  const filtered = await rejectionOf(
    createAdapter(host, { urls: [shop.url], include: { tag: ["nobody"] } }),
  );
  match(filtered.message, /can be a tool: 0 stream, 0 are webhooks, 6 are filtered out/);
});

Deno.test("a URL that is not allowed is not adapted", async () => {
  await using shop = openShop();
  await using host = await openHost(["http://127.0.0.1:1"]);
  const refusal = await rejectionOf(createAdapter(host, { urls: [shop.url] }));
  equal(refusal.code, "url_not_allowed");
  deepEqual(shop.received, []);
});

Deno.test("methods that stream are left out, and those without schemas made of their fields", async () => {
  const field = {
    name: "text",
    number: 1,
    type: "string",
    label: "required",
    isMap: false,
    isRepeated: true,
    required: true,
    isBinary: false,
    description: "What to say",
  } as const;
  const method: Method = {
    name: "Say",
    fullName: "Talk/Say",
    methodType: "Unary",
    clientStreaming: false,
    serverStreaming: false,
    inputType: { name: "In", fullName: "In", fields: [field] },
    outputType: { name: "Out", fullName: "Out", fields: [] },
    deprecated: false,
    hints: { readOnly: true },
  };
  const stream: Method = { ...method, name: "Listen", methodType: "ServerStreaming" };
  const talk = { ...serviceOf("Talk"), methods: [method, stream] };
  const sent: string[] = [];
  const plugin = protocolOf("talk", {
    discover: () => Promise.resolve({ services: [talk], diagnostics: [] }),
    invoke: ({ messages }) => {
      sent.push(...messages);
      return Promise.resolve(invocationOf("{}"));
    },
  });
  await using bench = await openAdapter({ urls: ["http://127.0.0.1:1"] }, [plugin]);
  const [tool, ...others] = bench.adapter.listTools();
  deepEqual(others, []);
  deepEqual(tool?.inputSchema, {
    type: "object",
    properties: {
      text: { type: "array", description: "What to say", items: { type: "string" } },
    },
    required: ["text"],
  });
  equal(tool?.description, "Calls Talk/Say (The talk protocol).");
  equal(tool?.annotations.readOnlyHint, true);
  equal(bench.adapter.figures().leftOut.streaming, 1);
  await callFor(bench, "Talk_Say", { arguments: { text: ["a"] } });
  deepEqual(sent, ['{"text":["a"]}']);
});

Deno.test("close ends calls that go on", async () => {
  await using shop = openShop({ "/pets": () => new Promise(() => {}) });
  const asked = Promise.withResolvers<void>();
  await using bench = await openAdapter({ urls: [shop.url] });
  const stop = bench.host.caller.observe(({ kind }) => kind === "resolved" && asked.resolve());
  const waiting = callFor(bench, "pets_listPets");
  await asked.promise;
  stop();
  await bench.adapter.close();
  equal((await waiting).isError, true);
});

Deno.test("headers that are handed on are sent with the call, and not with what is read before it", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url], forwardHeaders: ["x-trace"] });
  const before = shop.received.length;
  for (const trace of ["1", "2"]) {
    await callFor(bench, "pets_listPets", { headers: { "x-trace": trace, "x-other": "no" } });
  }
  deepEqual(
    shop.received.slice(before).map(({ path, headers }) => [
      path,
      headers.get("x-trace"),
      headers.get("x-other"),
    ]),
    [["/pets", "1", null], ["/pets", "2", null]],
  );
});
