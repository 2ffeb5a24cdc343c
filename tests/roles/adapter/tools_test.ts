import { deepEqual, equal, match, ok } from "node:assert/strict";
import { assertPortable } from "../../adapter/fixture.ts";
import { api, json, openapi, serve } from "../../plugins/rest/fixture.ts";
import { type Agent, dataOf, goodText, openAdapted } from "./fixture.ts";

const OK = { responses: { 200: { description: "ok" } } };

function posting(operationId: string, schema: unknown) {
  const requestBody = { required: true, content: { "application/json": { schema } } };
  return { post: { operationId, tags: ["t"], requestBody, ...OK } };
}

/** The tools of an agent, each of which every client takes. */
async function portableTools(agent: Agent) {
  const tools = await agent.tools();
  for (const { inputSchema } of tools.values()) assertPortable(inputSchema);
  return tools;
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

Deno.test("C01 schemas that recur stay whole, each with definitions of its own", async () => {
  const schemas = {
    Node: {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: ref("Node") } },
    },
    A: { type: "object", properties: { b: ref("B") } },
    B: { type: "object", properties: { a: ref("A"), note: { type: "string" } } },
    Only: { allOf: [ref("Only")] },
    Loop: { allOf: [ref("Pool"), { properties: { x: { type: "integer" } } }] },
    Pool: { allOf: [ref("Loop")] },
    Dict: { type: "object", additionalProperties: ref("Dict") },
  };
  const names = Object.keys(schemas);
  await using site = api(
    Object.fromEntries([
      ...names.map((name) => [`/${name}`, posting(name, ref(name))]),
      ["/again", posting("again", { type: "object", properties: { node: ref("Node") } })],
    ]),
    { components: { schemas } },
  );
  await using adapted = await openAdapted(["--url", site.url]);
  const tools = await portableTools(adapted.agent);
  equal(tools.size, names.length + 1);
  const [node, again] = ["t_Node", "t_again"].map((name) => tools.get(name)?.inputSchema);
  match(JSON.stringify(node?.properties), /"\$ref":"#\/\$defs\/Node"/);
  const definitions = Object.keys(Object(again?.$defs));
  deepEqual([Object.keys(Object(node?.$defs)), definitions], [["Node"], ["Node"]]);
  for (
    const [name, body] of [
      ["Node", { name: "a", children: [{ name: "b", children: [{ children: [] }] }] }],
      ["A", { b: { a: { b: { note: "deep" } } } }],
      ["Loop", { x: 1 }],
      ["Dict", { a: { b: {} } }],
    ] as const
  ) {
    goodText(await adapted.agent.call(`t_${name}`, body));
    deepEqual(JSON.parse(site.received.at(-1)?.body ?? ""), body, name);
  }
});

for (const [limit, args] of [[50, []], [64, ["--tool-name-limit", "64"]]] as const) {
  Deno.test(`C03 a name of 90 characters is cut to ${limit}, and told whole`, async () => {
    const long = `list${"AllTheThings".repeat(8)}`.slice(0, 90);
    await using site = api({ "/things": { get: { operationId: long, tags: ["api"], ...OK } } });
    await using adapted = await openAdapted(["--url", site.url, ...args]);
    const [tool, ...others] = (await adapted.agent.tools()).values();
    ok(tool && others.length === 0);
    equal(tool.name.length, limit);
    match(tool.name, /^api_listAllTheThings\w+_[0-9a-f]{8}$/);
    equal(tool.title, `api/${long}`);
    match(JSON.stringify(tool._meta), new RegExp(long));
    goodText(await adapted.agent.call(tool.name));
    equal(site.received.at(-1)?.path, "/things");
  });
}

Deno.test("C04 names are all different, and the same in whatever order the document has them", async () => {
  const head = "x".repeat(64);
  const ids = [
    ...Array.from({ length: 12 }, (_, index) => `${head}${index}`),
    ...["CreateVpc", "CreateVpcEndpoint", "create.vpc", "create vpc"],
  ];
  const pathOf = (id: string) => `/${ids.indexOf(id)}`;
  const named: Map<string, string>[] = [];
  for (const order of [ids, ids.toReversed()]) {
    const operations = order.map((operationId) =>
      [pathOf(operationId), { get: { operationId, tags: ["ec2"], ...OK } }] as const
    );
    await using site = api(
      Object.fromEntries(operations.map(([path, item]) => [`/p${path}`, item])),
    );
    await using adapted = await openAdapted(["--url", site.url]);
    const paths = new Map<string, string>();
    for (const name of (await adapted.agent.tools()).keys()) {
      match(name, /^[a-zA-Z0-9_-]{1,50}$/);
      goodText(await adapted.agent.call(name));
      paths.set(name, site.received.at(-1)?.path ?? "");
    }
    equal(new Set(paths.values()).size, ids.length);
    named.push(paths);
  }
  deepEqual(named[0], named[1]);
});

Deno.test("C12 C13 C14 schemas are such as every client takes", async (test) => {
  const properties = {
    age: { type: "integer", minimum: 0, exclusiveMinimum: true, example: 3 },
    pet: {
      type: "object",
      xml: { name: "pet" },
      externalDocs: { url: "http://a.test" },
      discriminator: { propertyName: "kind" },
      properties: { kind: { type: "string", example: "dog" } },
    },
    kind: { type: "string", enum: ["a", "b", "a"] },
    list: { type: "array" },
  };
  const paths = { "/pets": posting("add", { type: "object", properties }) };
  await using site = serve({
    "/openapi.json": json({ ...Object(openapi(paths)), openapi: "3.0.3" }),
  }, json({}));
  await using adapted = await openAdapted(["--url", site.url]);
  const { agent } = adapted;
  const schema = (await portableTools(agent)).get("t_add")?.inputSchema;
  const property = (name: string) => Object(schema?.properties?.[name]);
  await test.step("C12 words of OpenAPI's own are no part of them", () => {
    const { exclusiveMinimum, minimum } = property("age");
    deepEqual([exclusiveMinimum, minimum], [0, undefined]);
    const words = JSON.stringify(schema).match(/"(?:example|xml|externalDocs|discriminator)"/g);
    equal(words, null);
  });
  await test.step("C13 a value that is listed twice is offered once", () => {
    deepEqual(property("kind").enum, ["a", "b"]);
  });
  await test.step("C14 a list of whatever says that its items are anything", async () => {
    deepEqual(property("list").items, {});
    goodText(await agent.call("t_add", { list: [1, "two", null] }));
    equal(site.received.at(-1)?.body, '{"list":[1,"two",null]}');
  });
});

/** A document of 1,223 operations, as GitHub's has. */
function manyPaths(description = ""): Record<string, unknown> {
  const parameters = [{ name: "id", in: "path", required: true, schema: { type: "string" } }];
  return Object.fromEntries(
    Array.from({ length: 1223 }, (_, index) => [
      `/p${index}/{id}`,
      { get: { operationId: `get-${index}`, tags: ["p"], description, parameters, ...OK } },
    ]),
  );
}

Deno.test("C20 too many tools are a search, whose line at the start tells what all would cost", async () => {
  await using site = api(manyPaths());
  await using adapted = await openAdapted(["--url", site.url]);
  const { agent, server } = adapted;
  const size = String.raw`\([\d,]+ bytes, about [\d,]+ tokens\)`;
  match(
    server.stderr(),
    new RegExp(`^\\[bowire-mcp\\] 3 tools ${size}; in place of 1,223 tools ${size}$`, "m"),
  );
  deepEqual([...(await agent.tools()).keys()], ["find_methods", "describe_method", "call_method"]);
  const found = dataOf(await agent.call("find_methods", { query: "get-1222" }));
  const [{ name }] = found.methods;
  equal(name, "p_get-1222");
  deepEqual(dataOf(await agent.call("describe_method", { name })).inputSchema.required, ["id"]);
  goodText(await agent.call("call_method", { name, arguments: { id: "7" } }));
  equal(site.received.at(-1)?.path, "/p1222/7");
});

Deno.test("C20 --tools all lists every tool, in pages, and warns", async () => {
  await using site = api(manyPaths());
  await using adapted = await openAdapted(["--url", site.url, "--tools", "all"]);
  const { agent, server } = adapted;
  match(
    server.stderr(),
    /1,223 tools \([\d,]+ bytes, about [\d,]+ tokens\); more than many clients/,
  );
  const names = new Set<string>();
  const sizes: number[] = [];
  for (let params = {}; sizes.length < 10;) {
    const { tools, nextCursor } = await agent.client.request({ method: "tools/list", params });
    sizes.push(tools.length);
    for (const { name } of tools) names.add(name);
    if (nextCursor === undefined) break;
    params = { cursor: nextCursor };
  }
  deepEqual(sizes, [250, 250, 250, 250, 223]);
  equal(names.size, 1223);
});

Deno.test("C21 a document of 12.5 MB is read", async () => {
  const paths = manyPaths("All about it. ".repeat(720));
  await using site = api(paths);
  ok(JSON.stringify(paths).length > 12_500_000);
  await using adapted = await openAdapted(["--url", `${site.url}/openapi.json`]);
  goodText(await adapted.agent.call("p_get-7", { id: "a" }));
  equal(site.received.at(-1)?.path, "/p7/a");
});
