import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { openFixture, testBoth } from "./fixture.ts";
import { MODERN, serveMcp, toolNamed } from "./scripted.ts";

const BASE64 = (text: string) =>
  `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`;

const INPUT = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    count: { type: "integer", "x-mcp-header": "Count" },
    dry: { type: "boolean", "x-mcp-header": "Dry-Run" },
    place: {
      type: "object",
      properties: { city: { type: "string", "x-mcp-header": "City" } },
    },
    silent: { type: "string" },
  },
};

testBoth("arguments are told in header fields where the tool wants that", async (mode) => {
  const tools = [{ name: "query", inputSchema: INPUT }];
  await using server = serveMcp({ revision: MODERN, tools });
  await using fixture = await openFixture(mode, server.url);
  const args = '{"region":"us-west","count":9007199254740993,"dry":false,"place":{"city":"Malmö"}}';
  await fixture.tool("query", args);
  const [call] = server.named("tools/call");
  const told = [...call?.headers ?? []].filter(([name]) => name.startsWith("mcp-param-"));
  deepStrictEqual(Object.fromEntries(told), {
    "mcp-param-region": "us-west",
    "mcp-param-count": "9007199254740993",
    "mcp-param-dry-run": "false",
    "mcp-param-city": BASE64("Malmö"),
  });
});

const VALUES: readonly (readonly [value: string, field: string])[] = [
  ["plain text", "plain text"],
  [" spaces around ", BASE64(" spaces around ")],
  ["", BASE64("")],
  ["two\nlines", BASE64("two\nlines")],
  ["=?base64?eA==?=", BASE64("=?base64?eA==?=")],
  ["=?base64?", "=?base64?"],
];
for (const [value, field] of VALUES) {
  testBoth(`the argument ${JSON.stringify(value)} fits in a header field`, async (mode) => {
    const tools = [{ name: "query", inputSchema: INPUT }];
    await using server = serveMcp({ revision: MODERN, tools });
    await using fixture = await openFixture(mode, server.url);
    await fixture.tool("query", { region: value, place: null }, { validate: false });
    const [call] = server.named("tools/call");
    strictEqual(call?.headers.get("mcp-param-region"), field);
    strictEqual(call?.headers.has("mcp-param-city"), false);
  });
}

testBoth("names that are no plain ASCII are told in base64", async (mode) => {
  await using server = serveMcp({
    revision: MODERN,
    tools: [toolNamed("tauchen: tief ⚓")],
    resources: [{ uri: "log://büro", name: "x" }],
    on: { "resources/read": () => ({ contents: [] }) },
  });
  await using fixture = await openFixture(mode, server.url);
  await fixture.tool("tauchen: tief ⚓");
  await fixture.invoke("Resources", "log://büro");
  const named = ["tools/call", "resources/read"].map((method) =>
    server.named(method)[0]?.headers.get("mcp-name")
  );
  deepStrictEqual(named, [BASE64("tauchen: tief ⚓"), BASE64("log://büro")]);
});

testBoth("a server with a handshake is told no arguments in header fields", async (mode) => {
  await using server = serveMcp({ tools: [{ name: "query", inputSchema: INPUT }] });
  await using fixture = await openFixture(mode, server.url);
  await fixture.tool("query", { region: "us" });
  const [call] = server.named("tools/call");
  const names = [...call?.headers.keys() ?? []].filter((name) => name.startsWith("mcp-"));
  deepStrictEqual(names.sort(), ["mcp-protocol-version", "mcp-session-id"]);
});

const UNSOUND: readonly (readonly [what: string, schema: object, fault: RegExp])[] = [
  ["at the root", { "x-mcp-header": "A" }, /stands at the root/],
  ["with a space", property({ "x-mcp-header": "a b" }), /"a b" is no name of a header field/],
  ["with a line break", property({ "x-mcp-header": "a\r\nb" }), /is no name of a header field/],
  ["that is empty", property({ "x-mcp-header": "" }), /is no name/],
  ["that is a number", property({ "x-mcp-header": 7 }), /is no name/],
  ["of an object", property({ type: "object", "x-mcp-header": "A" }), /is no string, integer/],
  ["of a number", property({ type: "number", "x-mcp-header": "A" }), /is no string, integer/],
  [
    "within a list",
    property({ type: "array", items: { type: "string", "x-mcp-header": "A" } }),
    /below "items"/,
  ],
  [
    "twice in other cases",
    {
      type: "object",
      properties: {
        a: { type: "string", "x-mcp-header": "Same" },
        b: { type: "string", "x-mcp-header": "sAME" },
      },
    },
    /"same" stands at two properties/,
  ],
];

function property(schema: object): object {
  return { type: "object", properties: { a: { type: "string", ...schema } } };
}

for (const [what, inputSchema, fault] of UNSOUND) {
  testBoth(`a tool with a header field ${what} is left out with a note`, async (mode) => {
    const tools = [{ name: "bad", inputSchema }, toolNamed("good")];
    await using server = serveMcp({ revision: MODERN, tools });
    await using fixture = await openFixture(mode, server.url);
    const { services, attempts: [attempt] } = await fixture.discover();
    deepStrictEqual(services[0]?.methods.map(({ name }) => name), ["good"]);
    strictEqual(attempt?.outcome, "ok");
    match(attempt?.message ?? "", /the tool "bad" is left out/);
    match(attempt?.message ?? "", fault);
    await rejects(fixture.tool("bad"), { code: "unknown_method" });
  });
}

testBoth("the word x-mcp-header in a value is no annotation", async (mode) => {
  const inputSchema = {
    type: "object",
    properties: { a: { type: "object", default: { "x-mcp-header": "A" }, properties: {} } },
  };
  await using server = serveMcp({ revision: MODERN, tools: [{ name: "good", inputSchema }] });
  await using fixture = await openFixture(mode, server.url);
  deepStrictEqual((await fixture.methods("Tools")).map(({ name }) => name), ["good"]);
});
