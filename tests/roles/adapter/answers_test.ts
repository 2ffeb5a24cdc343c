import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { PATHS } from "../../adapter/shop.ts";
import { within } from "../../fakes/deadline.ts";
import { Home } from "../../fakes/home.ts";
import { json, openapi, serve } from "../../plugins/rest/fixture.ts";
import { Agent, dataOf, errorOf, goodText, openAdapted, textOf } from "./fixture.ts";

const ERAS = ["legacy", "modern"] as const;
const get = (operationId: string) => ({
  get: { operationId, tags: ["t"], responses: { 200: { description: "ok" } } },
});

/** Bytes of every value, as many as are wanted. */
function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, index) => index % 256);
}

/** An API with answers of many kinds. */
function openArchive() {
  const names = ["large", "text", "picture", "paper", "film", "nothing", "list"];
  const bytes = (length: number, type: string) => () =>
    new Response(bytesOf(length), { headers: { "content-type": type } });
  return serve({
    "/openapi.json": json(
      openapi(Object.fromEntries(names.map((name) => [`/${name}`, get(name)]))),
    ),
    "/large": () => new Response(LARGE, { headers: { "content-type": "application/json" } }),
    "/text": () => new Response("ahoy, Bö"),
    "/picture": bytes(300, "image/png"),
    "/paper": bytes(300, "application/pdf"),
    "/film": bytes(20_000, "video/mp4"),
    "/nothing": () => new Response(null, { status: 204 }),
    "/list": json([1, 2]),
  });
}

const LARGE = `{"items":[${Array.from({ length: 20_000 }, (_, id) => `{"id":${id}}`)}],` +
  `"next":9007199254740993}`;

/** The URI of a result's link. */
function linkIn({ content }: Awaited<ReturnType<Agent["call"]>>) {
  const link = content.find(({ type }) => type === "resource_link");
  ok(link?.type === "resource_link", JSON.stringify(content).slice(0, 500));
  return link;
}

Deno.test("an answer that is too large is shown in part, and read whole by its link", async () => {
  await using archive = openArchive();
  await using adapted = await openAdapted(["--url", archive.url, "--max-answer-chars", "5000"]);
  for (const era of ERAS) {
    await using agent = await Agent.overHttp(adapted.server.url, { era });
    const result = await agent.call("t_large");
    const text = goodText(result);
    ok(text.length < 6000, `${text.length} characters`);
    match(text, /too large to be shown: [\d,]+ characters, 20,000 items in "items"\..*first 5,000/);
    const { uri, mimeType, size } = linkIn(result);
    deepEqual([mimeType, size], ["application/json", LARGE.length]);
    const { contents } = await agent.client.readResource({ uri });
    deepEqual(contents, [{ uri, mimeType: "application/json", text: LARGE }]);
    await rejects(agent.client.readResource({ uri: `${uri}0` }), /not found|unknown/i);
  }
});

Deno.test("bytes are pictures, resources or links, and each is whole", async () => {
  await using archive = openArchive();
  await using adapted = await openAdapted(["--url", archive.url, "--max-answer-chars", "5000"]);
  const { agent } = adapted;
  const [, picture] = (await agent.call("t_picture")).content;
  const base64 = bytesOf(300).toBase64();
  deepEqual(picture, { type: "image", data: base64, mimeType: "image/png" });
  const [said, paper] = (await agent.call("t_paper")).content;
  deepEqual(said, { type: "text", text: "The answer is application/pdf, 300 bytes." });
  ok(paper?.type === "resource" && "blob" in paper.resource);
  deepEqual([paper.resource.mimeType, paper.resource.blob], ["application/pdf", base64]);
  const { uri, mimeType, size } = linkIn(await agent.call("t_film"));
  deepEqual([mimeType, size], ["video/mp4", 20_000]);
  const { contents: [film] } = await agent.client.readResource({ uri });
  ok(film && "blob" in film);
  equal(film.blob, bytesOf(20_000).toBase64());
});

Deno.test("text, lists and no content at all are told as they are", async () => {
  await using archive = openArchive();
  await using adapted = await openAdapted(["--url", archive.url]);
  const { agent } = adapted;
  equal(goodText(await agent.call("t_text")), "ahoy, Bö");
  const list = await agent.call("t_list");
  deepEqual([goodText(list), list.structuredContent], ["[1,2]", undefined]);
  match(goodText(await agent.call("t_nothing")), /^The target answered OK, without content\.$/);
});

Deno.test("--output-schemas: clients check answers, and one that does not fit is no failure", async () => {
  const schema = {
    type: "object",
    required: ["id"],
    properties: { id: { type: "integer" }, name: { type: "string" } },
  };
  const responses = { 200: { description: "ok", content: { "application/json": { schema } } } };
  const parameters = [{ name: "id", in: "path", required: true, schema: { type: "string" } }];
  await using site = serve({
    "/openapi.json": json(openapi({
      "/pets/{id}": { get: { operationId: "read", tags: ["pets"], parameters, responses } },
    })),
    "/pets/good": json({ id: 1, name: "Rex", more: true }),
    "/pets/odd": json({ id: 1, name: 7 }),
    "/pets/text": () => new Response("no pet"),
  });
  await using adapted = await openAdapted(["--url", site.url, "--output-schemas"]);
  const { agent } = adapted;
  const output = (await agent.tools()).get("pets_read")?.outputSchema;
  deepEqual(Object.keys(Object(output?.properties)), ["id", "name"]);
  deepEqual(dataOf(await agent.call("pets_read", { id: "good" })), {
    id: 1,
    name: "Rex",
    more: true,
  });
  const odd = await agent.call("pets_read", { id: "odd" });
  deepEqual(dataOf(odd), { id: 1 });
  match(goodText(odd), /^\{"id":1,"name":7\}\n.*not what its description says.*"name"/);
  match(goodText(await agent.call("pets_read", { id: "text" })), /^no pet\n.*it is no object/);
});

/** An API with one method that is never answered. */
function openHanging() {
  const hanging = Promise.withResolvers<void>();
  const abandoned = Promise.withResolvers<void>();
  const site = serve({
    "/openapi.json": json(openapi({ "/hang": get("hang"), "/fine": get("fine") })),
    "/hang": async ({ signal }) => {
      signal.addEventListener("abort", () => abandoned.resolve(), { once: true });
      hanging.resolve();
      await abandoned.promise;
      return new Response();
    },
  }, json({}));
  return { ...site, hanging: hanging.promise, abandoned: abandoned.promise };
}

for (const way of ["HTTP", "stdio"] as const) {
  Deno.test(`an agent that cancels over ${way} lets go of the API`, async () => {
    await Promise.all(ERAS.map(async (era) => {
      await using site = openHanging();
      await using home = await Home.make();
      await using stack = new AsyncDisposableStack();
      const agent = way === "HTTP"
        ? stack.use(await openAdapted(["--url", site.url], { era })).agent
        : stack.use(await Agent.overStdio(home, ["--url", site.url], { era }));
      const controller = new AbortController();
      const called = agent.call("t_hang", {}, { signal: controller.signal });
      await within(site.hanging, "the call to arrive");
      controller.abort();
      await rejects(called);
      await within(site.abandoned, `the API to be let go (${era})`);
      deepEqual(dataOf(await agent.call("t_fine")), {});
    }));
  });
}

Deno.test("--call-timeout-ms ends a call that is not answered, which may be tried again", async () => {
  await using site = openHanging();
  await using adapted = await openAdapted(["--url", site.url, "--call-timeout-ms", "200"]);
  const { code, message } = errorOf(await adapted.agent.call("t_hang"));
  equal(code, "timeout");
  match(message, /200 ms/);
  await within(site.abandoned, "the API to be let go");
});

for (const tools of ["all", "search"] as const) {
  Deno.test(`--tools ${tools}: an unknown tool is an error of the protocol, unknown arguments are none`, async () => {
    await using site = serve({ "/openapi.json": json(openapi(PATHS)) });
    await using adapted = await openAdapted(["--url", site.url, "--tools", tools]);
    for (const era of ERAS) {
      await using agent = await Agent.overHttp(adapted.server.url, { era });
      await rejects(agent.call("pets_nobody"), { code: -32602, message: /pets_nobody/ });
      const { code, message, hint } = errorOf(await agent.call("pets_getPet", { pet: "1" }));
      equal(code, "invalid_argument");
      match(message, /unknown arguments: "pet"/);
      equal(hint, "it takes: petId");
    }
  });
}

Deno.test("an API's own errors say what it said, and whether to try again", async () => {
  await using site = serve({
    "/openapi.json": json(openapi({ "/a": get("a"), "/b": get("b"), "/c": get("c") })),
    "/a": () => Response.json({ reason: "no such thing" }, { status: 404 }),
    "/b": () => new Response("busy", { status: 503, headers: { "retry-after": "9" } }),
    "/c": () => new Response(null, { status: 401 }),
  });
  await using adapted = await openAdapted(["--url", site.url]);
  const results = await Promise.all(["t_a", "t_b", "t_c"].map((name) => adapted.agent.call(name)));
  const [gone, busy, denied] = results;
  ok(gone && busy && denied);
  deepEqual(
    results.map((result) => [errorOf(result).httpStatus, errorOf(result).retryable]),
    [[404, false], [503, true], [401, false]],
  );
  deepEqual(dataOf(gone).body, { reason: "no such thing" });
  match(textOf(busy), /may succeed later\.\n(?:.*\n)*retry-after: 9\n.*\nbusy$/);
  match(textOf(denied), /Credentials of the API are set by whoever started the adapter/);
});

Deno.test("services are resources, and prompts speak of them", async () => {
  await using site = serve({ "/openapi.json": json(openapi(PATHS)) });
  await using adapted = await openAdapted(["--url", site.url]);
  for (const era of ERAS) {
    await using agent = await Agent.overHttp(adapted.server.url, { era });
    const { client } = agent;
    const { resources } = await client.listResources();
    deepEqual(resources.map(({ uri, description }) => [uri, description]), [
      ["bowire-service://rest/media", "REST service schema, 1 method"],
      ["bowire-service://rest/pets", "REST service schema, 4 methods"],
    ]);
    const { contents: [pets] } = await client.readResource({ uri: "bowire-service://rest/pets" });
    ok(pets && "text" in pets);
    const { plugin, service, methods } = JSON.parse(pets.text);
    deepEqual([plugin, service, methods.length], ["rest", "pets", 4]);
    const missing = client.readResource({ uri: "bowire-service://rest/cats" });
    await rejects(missing, { message: /not found: bowire-service:\/\/rest\/cats/ });

    const { prompts } = await client.listPrompts();
    deepEqual(prompts.map(({ name }) => name), ["describe-service", "generate-sample-request"]);
    const { messages: [message] } = await client.getPrompt({
      name: "generate-sample-request",
      arguments: { service: "pets", method: "createPet" },
    });
    ok(message?.content.type === "text");
    match(message.content.text, /by the tool pets_createPet\./);
    const unknown = client.getPrompt({ name: "describe-service", arguments: { service: "pet" } });
    await rejects(unknown, { code: -32602, message: /no service "pet"/ });
  }
});
