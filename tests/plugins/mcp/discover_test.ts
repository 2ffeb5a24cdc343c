import { deepStrictEqual, doesNotMatch, match, ok, rejects, strictEqual } from "node:assert/strict";
import type { Field } from "../../../lib/model/mod.ts";
import { openFixture, testBoth } from "./fixture.ts";
import { type Json, Refused, type Script, serveMcp, toolNamed } from "./scripted.ts";

/** What is seen of fields at a glance. */
function glance(fields: readonly Field[] = []): unknown[] {
  return fields.map(({ name, type, label, messageType, enumValues, union }) => [
    name,
    type,
    label,
    ...messageType === undefined ? [] : [glance(messageType.fields)],
    ...enumValues === undefined ? [] : [enumValues.map((value) => value.name)],
    ...union === undefined ? [] : [union],
  ]);
}

testBoth("C45 a server with tools alone is asked for nothing else", async (mode) => {
  await using server = serveMcp({ tools: [toolNamed("dive")] });
  await using fixture = await openFixture(mode, server.url);
  const { attempts, services } = await fixture.discover();
  deepStrictEqual(services.map(({ name }) => name), ["Tools"]);
  strictEqual(attempts[0]?.outcome, "ok");
  const asked = server.arrived.map(({ message }) => message.method);
  deepStrictEqual(asked.filter((method) => String(method).endsWith("/list")), ["tools/list"]);
});

testBoth("C45 a server that does not know templates has none", async (mode) => {
  const resources = [{ uri: "log://today", name: "today" }];
  await using server = serveMcp({ capabilities: { resources: {}, prompts: {} }, resources });
  await using fixture = await openFixture(mode, server.url);
  const { attempts, services } = await fixture.discover();
  deepStrictEqual(services.map(({ name }) => name), ["Resources"]);
  strictEqual(attempts[0]?.outcome, "ok");
  deepStrictEqual(server.named("resources/templates/list").length, 1);
});

testBoth("a list that fails is told and hides no other", async (mode) => {
  await using server = serveMcp({
    tools: [toolNamed("dive")],
    resources: [],
    on: {
      "resources/list"() {
        throw new Refused(-32603, "the shelf fell\u001b[31m");
      },
      "resources/templates/list": () => new Response("oh", { status: 502 }),
    },
  });
  await using fixture = await openFixture(mode, server.url);
  const { attempts: [attempt], services } = await fixture.discover();
  deepStrictEqual(services.map(({ name }) => name), ["Tools"]);
  strictEqual(attempt?.outcome, "partial");
  match(attempt?.message ?? "", /resources\/list failed: the shelf fell\[31m/);
  match(attempt?.message ?? "", /resources\/templates\/list failed: HTTP 502/);
});

testBoth("all pages of a list are read, an empty cursor as any other", async (mode) => {
  const cursors: unknown[] = [];
  const pages: Record<string, Json> = {
    undefined: { tools: [toolNamed("a"), toolNamed("b")], nextCursor: "" },
    "": { tools: [toolNamed("c")], nextCursor: "p3" },
    p3: { tools: [toolNamed("d")] },
  };
  await using server = serveMcp({
    tools: [],
    on: {
      "tools/list"({ cursor }) {
        cursors.push(cursor);
        return pages[String(cursor)];
      },
    },
  });
  await using fixture = await openFixture(mode, server.url);
  const names = (await fixture.methods("Tools")).map(({ name }) => name);
  deepStrictEqual(names, ["a", "b", "c", "d"]);
  deepStrictEqual(cursors, [undefined, "", "p3"]);
});

testBoth("a cursor that repeats is told, and what was read is kept", async (mode) => {
  let page = 0;
  await using server = serveMcp({
    tools: [],
    on: { "tools/list": () => ({ tools: [toolNamed(`t${page++}`)], nextCursor: "again" }) },
  });
  await using fixture = await openFixture(mode, server.url);
  const { attempts: [attempt], services } = await fixture.discover();
  deepStrictEqual(services[0]?.methods.map(({ name }) => name), ["t0", "t1"]);
  deepStrictEqual(attempt?.outcome, "partial");
  match(attempt?.message ?? "", /tools\/list gave the same cursor twice/);
});

testBoth("a page that fails is told, and those before it are kept", async (mode) => {
  await using server = serveMcp({
    tools: [],
    on: {
      "tools/list"({ cursor }) {
        if (cursor !== undefined) throw new Refused(-32602, "no such page");
        return { tools: [toolNamed("first")], nextCursor: "x" };
      },
    },
  });
  await using fixture = await openFixture(mode, server.url);
  const { attempts: [attempt], services } = await fixture.discover();
  deepStrictEqual(services[0]?.methods.map(({ name }) => name), ["first"]);
  match(attempt?.message ?? "", /failed at page 2: no such page/);
});

/** A schema that is `depth` objects deep. */
function deepSchema(depth: number): string {
  const open = '{"type":"object","properties":{"a":';
  return `${open.repeat(depth)}{"type":"string"}${"}}".repeat(depth)}`;
}

const BROKEN_SCHEMAS: Readonly<Record<string, string>> = {
  missing: "",
  null: ',"inputSchema":null',
  string: ',"inputSchema":"object"',
  list: ',"inputSchema":[1,2]',
  number: ',"inputSchema":12345678901234567890',
  "of a text": ',"inputSchema":{"type":"string"}',
  "with properties that are none": ',"inputSchema":{"type":"object","properties":7,"required":"x"}',
  "with a property that is null": ',"inputSchema":{"type":"object","properties":{"a":null}}',
  cyclic: ',"inputSchema":{"type":"object","properties":{"a":{"$ref":"#"}}}',
  "cyclic at once": ',"inputSchema":{"$ref":"#"}',
  "cyclic in two steps":
    ',"inputSchema":{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}',
  "with a reference to nowhere":
    ',"inputSchema":{"type":"object","properties":{"a":{"$ref":"#/none"}}}',
  "with a reference to another host":
    ',"inputSchema":{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1:1/x"}}}',
  "with a pattern that is none":
    ',"inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"("}}}',
  "very deep": `,"inputSchema":${deepSchema(2000)}`,
};

for (const [what, schema] of Object.entries(BROKEN_SCHEMAS)) {
  testBoth(`a tool whose schema is ${what} takes no other with it`, async (mode) => {
    const text =
      `{"tools":[{"name":"bad"${schema}},{"name":"good","inputSchema":{"type":"object",` +
      '"properties":{"n":{"type":"integer"}},"required":["n"]}}]}';
    await using server = serveMcp({
      tools: [],
      on: {
        "tools/list": (_params, { message: { id } }) =>
          new Response(`{"jsonrpc":"2.0","id":${id},"result":${text}}`, {
            headers: { "content-type": "application/json" },
          }),
      },
    });
    await using fixture = await openFixture(mode, server.url);
    const [bad, good] = await fixture.methods("Tools");
    deepStrictEqual([bad?.name, good?.name], ["bad", "good"]);
    deepStrictEqual(glance(good?.inputType.fields), [["n", "int32", "required"]]);
    const { input } = await fixture.describe("Tools", "bad");
    strictEqual(input.type, "object");
    strictEqual((await fixture.invoke("Tools", "bad")).ok, true);
    await rejects(fixture.invoke("Tools", "good"), { code: "invalid_argument" });
  });
}

testBoth(
  "tools without a name, with that of another, or with one that hides something are left out",
  async (mode) => {
    const tools = [
      toolNamed("dive", { description: "the first" }),
      toolNamed("dive", { description: "the second" }),
      { inputSchema: {} },
      null,
      toolNamed(""),
      { name: 7 },
      toolNamed("di\u200bve"),
      toolNamed("dive\u202e"),
    ];
    await using server = serveMcp({ tools });
    await using fixture = await openFixture(mode, server.url);
    const { services, attempts: [attempt] } = await fixture.discover();
    deepStrictEqual(services[0]?.methods.map(({ description }) => description), ["the first"]);
    match(
      attempt?.message ?? "",
      /tools\/list: 7 of 8 have no name, one that cannot be seen whole, or that of another/,
    );
  },
);

const RICH = {
  type: "object",
  $defs: {
    berth: { type: "object", properties: { pier: { type: "string" }, no: { type: "integer" } } },
    node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } },
  },
  properties: {
    name: { type: "string", description: "of the ship" },
    kind: { enum: ["sail", "steam"] },
    tags: { type: "array", items: { type: "string" } },
    berth: { $ref: "#/$defs/berth" },
    crew: {
      type: "array",
      items: { type: "object", properties: { age: { type: "number" } }, required: ["age"] },
    },
    either: { anyOf: [{ type: "string" }, { type: "integer" }] },
    maybe: { type: ["boolean", "null"] },
    list: { $ref: "#/$defs/node" },
    preset: { type: "integer", default: 3 },
  },
  required: ["name", "kind", "preset"],
};

testBoth("schemas are fields: nested, listed, chosen, joined and referred to", async (mode) => {
  await using server = serveMcp({ tools: [{ name: "moor", inputSchema: RICH }] });
  await using fixture = await openFixture(mode, server.url);
  const [moor] = await fixture.methods("Tools");
  deepStrictEqual(glance(moor?.inputType.fields), [
    ["name", "string", "required"],
    ["kind", "string", "required", ["sail", "steam"]],
    ["tags", "string", "repeated"],
    ["berth", "message", "optional", [["pier", "string", "optional"], ["no", "int32", "optional"]]],
    ["crew", "message", "repeated", [["age", "double", "required"]]],
    ["either", "string", "optional", ["string", "integer"]],
    ["maybe", "bool", "optional"],
    ["list", "message", "optional", [["next", "message", "optional", []]]],
    ["preset", "int32", "optional"],
  ]);
  strictEqual(moor?.inputType.fields[0]?.description, "of the ship");
});

testBoth("the schema of a method stands alone, and its sample satisfies it", async (mode) => {
  await using server = serveMcp({ tools: [{ name: "moor", inputSchema: RICH }] });
  await using fixture = await openFixture(mode, server.url);
  const { input, sample } = await fixture.describe("Tools", "moor");
  deepStrictEqual(input.required, ["name", "kind"]);
  const references = JSON.stringify(input).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g);
  for (const [, name = ""] of references) ok(Object.hasOwn(input.$defs, name), name);
  strictEqual((await fixture.invoke("Tools", "moor", sample)).ok, true);
});

testBoth("titles and annotations are kept as what the server says of its tools", async (mode) => {
  const tools = [
    toolNamed("a", { title: "The A", annotations: { title: "no", destructiveHint: true } }),
    toolNamed("b", {
      annotations: {
        title: "The B",
        readOnlyHint: true,
        idempotentHint: "x",
        openWorldHint: false,
      },
    }),
    toolNamed("c", { annotations: { readOnlyHint: 1 } }),
  ];
  await using server = serveMcp({ tools });
  await using fixture = await openFixture(mode, server.url);
  const methods = await fixture.methods("Tools");
  deepStrictEqual(methods.map(({ title, hints }) => [title, hints]), [
    ["The A", { destructive: true }],
    ["The B", { readOnly: true, openWorld: false }],
    [undefined, undefined],
  ]);
});

testBoth("hostile text of a server is cleaned before anybody reads it", async (mode) => {
  const hostile = "a\u001b[31mred\u0007\u009b\u202e\u200bb\r\nc";
  const item = { title: hostile, description: hostile };
  await using server = serveMcp({
    tools: [{
      name: "t",
      ...item,
      inputSchema: { type: "object", properties: { x: { type: "string", ...item } } },
    }],
    resources: [{ uri: "x://y", name: "y", mimeType: hostile, ...item }],
    prompts: [{ name: "p", ...item, arguments: [{ name: "q", ...item }] }],
    on: {
      initialize: () => ({
        protocolVersion: "2025-11-25",
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: hostile, version: hostile },
        instructions: hostile,
      }),
    },
  });
  await using fixture = await openFixture(mode, server.url);
  const discovery = await fixture.discover();
  strictEqual(discovery.services.length, 3);
  const { methods: [tool] } = discovery.services[0] ?? { methods: [] };
  deepStrictEqual([tool?.title, tool?.description], ["a[31mredb c", "a[31mredb\nc"]);
  const texts: string[] = [];
  JSON.stringify(discovery, (_name, value) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  // deno-lint-ignore no-control-regex -- these must not be there
  doesNotMatch(texts.join("|"), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/);
});

testBoth("a resource, a template and a prompt are methods", async (mode) => {
  await using server = serveMcp({
    resources: [{ uri: "log://today", name: "Today", description: "the log", mimeType: "text/x" }],
    templates: [{ uriTemplate: "log://{year}/{month}{?q,lang*}", name: "By month" }],
    prompts: [{
      name: "greet",
      arguments: [{ name: "who", required: true, description: "whom" }, { name: "how" }],
    }],
  });
  await using fixture = await openFixture(mode, server.url);
  const { services } = await fixture.discover();
  deepStrictEqual(
    services.flatMap(({ name, methods }) =>
      methods.map((method) => [name, method.name, glance(method.inputType.fields), method.hints])
    ),
    [
      ["Resources", "log://today", [], { readOnly: true, idempotent: true }],
      [
        "Resource Templates",
        "log://{year}/{month}{?q,lang*}",
        ["year", "month", "q", "lang"].map((name) => [name, "string", "optional"]),
        { readOnly: true, idempotent: true },
      ],
      ["Prompts", "greet", [["who", "string", "required"], ["how", "string", "optional"]], {
        readOnly: true,
        idempotent: true,
      }],
    ],
  );
  strictEqual(services[0]?.methods[0]?.summary, "text/x");
});

const STRANGERS: readonly (readonly [what: string, answer: () => Response])[] = [
  ["a page", () => new Response("<html>hi</html>", { headers: { "content-type": "text/html" } })],
  ["404", () => new Response("nothing here", { status: 404 })],
  ["JSON that is no message", () => Response.json({ hello: "world" })],
  ["500", () => new Response("broken", { status: 500 })],
  ["nothing", () => new Response(null, { status: 204 })],
];
for (const [what, answer] of STRANGERS) {
  testBoth(
    `a web server that answers with ${what} is no MCP, unless somebody says so`,
    async (mode) => {
      await using server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen() {} },
        () => answer(),
      );
      const url = `http://127.0.0.1:${server.addr.port}/mcp`;
      await using fixture = await openFixture(mode, url);
      const { attempts } = await fixture.discover({ protocol: undefined });
      const attempt = attempts.find(({ pluginId }) => pluginId === "mcp");
      deepStrictEqual([attempt?.outcome, attempt?.servicesFound], ["empty", 0]);
      match(
        attempt?.message ?? "",
        /answered with (HTTP \d+|something else than a message of MCP)/,
      );
      await using named = await openFixture(mode, `mcp@${url}`);
      const [told] = (await named.discover({ protocol: undefined })).attempts;
      strictEqual(told?.outcome, "error");
      match(told?.details?.join() ?? "", /often \/mcp/);
    },
  );
}

testBoth("a server with nothing to offer is empty, and tells who it is", async (mode) => {
  const script: Script = { capabilities: {} };
  await using server = serveMcp(script);
  await using fixture = await openFixture(mode, server.url);
  const [attempt] = (await fixture.discover()).attempts;
  strictEqual(attempt?.outcome, "empty");
  match(attempt?.message ?? "", /scripted 1\.0, revision 2025-11-25/);
});
