import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { openFixture, testBoth } from "./fixture.ts";
import { type Answer, Refused, type Script, serveMcp, toolNamed } from "./scripted.ts";

/** A server with one tool, `dive`, that answers so. */
function serveTool(result: unknown, members: object = {}, script: Script = {}) {
  const answer: Answer = typeof result === "function" ? result as Answer : () => result;
  return serveMcp({
    tools: [toolNamed("dive", members)],
    on: { "tools/call": answer },
    ...script,
  });
}

for (const streams of [false, true]) {
  const how = streams ? "a stream of events" : "JSON";
  testBoth(`a tool is called with its arguments, answered by ${how}`, async (mode) => {
    await using server = serveTool({ content: [{ type: "text", text: "42 m" }] }, {}, { streams });
    await using fixture = await openFixture(mode, server.url);
    const { status, ok, retryable, response, metadata, durationMs } = await fixture.invoke(
      "Tools",
      "dive",
      { depth: 42, who: { name: "Bo" } },
    );
    deepStrictEqual([status, ok, retryable], ["OK", true, false]);
    strictEqual(response, '{"content":[{"type":"text","text":"42 m"}]}');
    deepStrictEqual(metadata, { mcp_protocol_version: "2025-11-25", mcp_server: "scripted 1.0" });
    strictEqual(durationMs > 0, true);
    const { name, arguments: args } = server.named("tools/call")[0]?.message.params ?? {};
    deepStrictEqual([name, args], ["dive", { depth: 42, who: { name: "Bo" } }]);
  });

  testBoth(`numbers beyond 2^53 stay exact both ways, answered by ${how}`, async (mode) => {
    const big = '{"id":9007199254740993,"x":[0.1000000000000000055,1e400]}';
    const answer: Answer = (_params, { text }) => {
      const id = JSON.parse(text).id;
      const message = `{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":${big}}}`;
      return streams
        ? new Response(`data: ${message}\n\n`, { headers: { "content-type": "text/event-stream" } })
        : new Response(message, { headers: { "content-type": "application/json" } });
    };
    await using server = serveTool(answer);
    await using fixture = await openFixture(mode, server.url);
    const { response } = await fixture.invoke("Tools", "dive", big);
    strictEqual(response, `{"structuredContent":${big}}`);
    const sent = server.named("tools/call")[0]?.text ?? "";
    ok(sent.includes(`"arguments":${big}`), sent);
  });
}

testBoth("a method is found by its name and by its full name", async (mode) => {
  await using server = serveMcp({ tools: [toolNamed("dive"), toolNamed("Tools/dive")] });
  await using fixture = await openFixture(mode, server.url);
  for (const name of ["dive", "Tools/dive", "Tools/Tools/dive"]) {
    await fixture.tool(name);
  }
  const called = server.named("tools/call").map(({ message }) => message.params.name);
  deepStrictEqual(called, ["dive", "Tools/dive", "Tools/dive"]);
});

testBoth("a tool that fails is a failed call with its own words", async (mode) => {
  const content = [{ type: "image", data: "" }, { type: "text", text: "too\u001b[31m deep\n:(" }];
  await using server = serveTool({ isError: true, content });
  await using fixture = await openFixture(mode, server.url);
  const { status, ok, hint, response } = await fixture.invoke("Tools", "dive");
  deepStrictEqual([status, ok, hint], ["ToolError", false, "too[31m deep :("]);
  deepStrictEqual(JSON.parse(response ?? ""), { isError: true, content });
});

testBoth("a tool that fails without a word has no hint", async (mode) => {
  await using server = serveTool({ isError: true, content: [] });
  await using fixture = await openFixture(mode, server.url);
  const { status, hint } = await fixture.invoke("Tools", "dive");
  deepStrictEqual([status, hint], ["ToolError", undefined]);
});

testBoth("content of every kind is kept as the server sent it", async (mode) => {
  const result = {
    content: [
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource_link", uri: "log://today", name: "today" },
      { type: "resource", resource: { uri: "log://today", blob: "aGk=" } },
      { type: "something new", x: 1 },
    ],
    structuredContent: { depth: 42 },
    _meta: { "acme/trace": "t" },
  };
  await using server = serveTool(result);
  await using fixture = await openFixture(mode, server.url);
  deepStrictEqual(await fixture.tool("dive"), result);
});

const OUTPUT = {
  outputSchema: {
    type: "object",
    properties: { depth: { type: "integer" } },
    required: ["depth"],
  },
};
const PROMISES: readonly (readonly [what: string, result: object, warning: RegExp | undefined])[] =
  [
    ["kept", { structuredContent: { depth: 1 } }, undefined],
    ["broken", { structuredContent: { depth: "1" } }, /breaks the tool's output schema: "\/?depth/],
    ["forgotten", { content: [] }, /promised structured content and gave none/],
    ["of no account when it fails", { isError: true, content: [] }, undefined],
  ];
for (const [what, result, warning] of PROMISES) {
  testBoth(`an output schema that is ${what} leaves the answer as it is`, async (mode) => {
    await using server = serveTool(result, OUTPUT);
    await using fixture = await openFixture(mode, server.url);
    const { response, metadata: { mcp_warning } } = await fixture.invoke("Tools", "dive");
    deepStrictEqual(JSON.parse(response ?? ""), result);
    if (warning === undefined) strictEqual(mcp_warning, undefined);
    else match(mcp_warning ?? "", warning);
  });
}

const ERRORS: readonly (readonly [code: number, status: string])[] = [
  [-32602, "InvalidParams"],
  [-32601, "MethodNotFound"],
  [-32603, "InternalError"],
  [-32042, "UrlElicitationRequired"],
  [-1, "Error-1"],
  [7, "Error7"],
];
for (const [code, status] of ERRORS) {
  testBoth(`the error ${code} of a server is a failed call`, async (mode) => {
    await using server = serveTool(() => {
      throw new Refused(code, "no\u001b[2J way", { big: 1 });
    });
    await using fixture = await openFixture(mode, server.url);
    const invocation = await fixture.invoke("Tools", "dive");
    deepStrictEqual([invocation.status, invocation.ok, invocation.hint], [
      status,
      false,
      "no[2J way",
    ]);
    deepStrictEqual(JSON.parse(invocation.response ?? ""), {
      error: { code, message: "no\u001b[2J way", data: { big: 1 } },
    });
  });
}

testBoth("a tool that there is not is told with those near it", async (mode) => {
  await using server = serveMcp({ tools: [toolNamed("dive"), toolNamed("surface")] });
  await using fixture = await openFixture(mode, server.url);
  await rejects(fixture.invoke("Tools", "dvie"), {
    code: "unknown_method",
    message: /no "dvie" among its Tools/,
    hint: /near it are: dive/,
  });
  await rejects(fixture.invoke("Tools", "xyzxyzxyz"), {
    code: "unknown_method",
    hint: /known are: dive, surface/,
  });
  await rejects(fixture.invoke("Prompts", "dive"), {
    code: "unknown_service",
    hint: /it has: Tools/,
  });
  strictEqual(server.named("tools/call").length, 0);
});

testBoth("a tool that came since the list was read is found", async (mode) => {
  const tools = [toolNamed("dive")];
  await using server = serveMcp({ tools: [], on: { "tools/list": () => ({ tools }) } });
  await using fixture = await openFixture(mode, server.url);
  await fixture.tool("dive");
  tools.push(toolNamed("surface"));
  await fixture.tool("surface");
  strictEqual(server.named("tools/list").length, 2);
});

testBoth(
  "arguments that break the schema are refused unsent, or sent as they are",
  async (mode) => {
    const inputSchema = {
      type: "object",
      properties: {
        depth: { type: "integer", maximum: 100 },
        unit: { type: "string", default: "m" },
      },
      required: ["depth", "unit"],
    };
    await using server = serveTool({ content: [] }, { inputSchema });
    await using fixture = await openFixture(mode, server.url);
    for (const args of [{}, { depth: "x" }, { depth: 101 }]) {
      await rejects(fixture.invoke("Tools", "dive", args), {
        code: "invalid_argument",
        message: /cannot call "Tools\/dive": .*depth/,
      });
    }
    strictEqual(server.named("tools/call").length, 0);
    await fixture.tool("dive", { depth: 1 }); // what has a default may be left out
    await fixture.tool("dive", { depth: "x" }, { validate: false });
    const sent = server.named("tools/call").map(({ message }) => message.params.arguments);
    deepStrictEqual(sent, [{ depth: 1 }, { depth: "x" }]);
  },
);

for (const args of ["[]", "7", '"text"', "null", "{oh"]) {
  testBoth(`arguments that are no object are refused: ${args}`, async (mode) => {
    await using server = serveTool({ content: [] });
    await using fixture = await openFixture(mode, server.url);
    await rejects(fixture.invoke("Tools", "dive", args), { code: "invalid_argument" });
  });
}

testBoth("no message at all calls a tool without arguments", async (mode) => {
  await using server = serveTool({ content: [] });
  await using fixture = await openFixture(mode, server.url);
  strictEqual((await fixture.invoke("Tools", "dive", "", { messages: [] })).ok, true);
  deepStrictEqual(server.named("tools/call")[0]?.message.params.arguments, {});
});

testBoth("a resource is read by its URI, and a template is expanded", async (mode) => {
  await using server = serveMcp({
    resources: [{ uri: "log://today", name: "today" }],
    templates: [{ uriTemplate: "log://{year}/{+path}{?q,lang}", name: "any" }],
    on: { "resources/read": ({ uri }) => ({ contents: [{ uri, text: "calm sea" }] }) },
  });
  await using fixture = await openFixture(mode, server.url);
  const read = async (service: string, name: string, args: object) => {
    const { response } = await fixture.invoke(service, name, args);
    return JSON.parse(response ?? "").contents[0].uri;
  };
  strictEqual(await read("Resources", "log://today", {}), "log://today");
  const template = "log://{year}/{+path}{?q,lang}";
  strictEqual(
    await read("Resource Templates", template, { year: "20/26", path: "a/b", q: "ü&" }),
    "log://20%2F26/a/b?q=%C3%BC%26",
  );
  await rejects(fixture.invoke("Resource Templates", template, { yeer: "1" }), {
    code: "invalid_argument",
  });
});

for (const code of [-32002, -32602]) {
  testBoth(`a resource that is gone is a failed call, code ${code}`, async (mode) => {
    await using server = serveMcp({
      resources: [{ uri: "log://today", name: "today" }],
      on: {
        "resources/read"() {
          throw new Refused(code, "Resource not found", { uri: "log://today" });
        },
      },
    });
    await using fixture = await openFixture(mode, server.url);
    const { ok, status } = await fixture.invoke("Resources", "log://today");
    deepStrictEqual([ok, status], [
      false,
      code === -32002 ? "ResourceNotFound" : "InvalidParams",
    ]);
  });
}

testBoth("a prompt is asked for with its arguments", async (mode) => {
  const messages = [{ role: "user", content: { type: "text", text: "Ahoy Bo" } }];
  await using server = serveMcp({
    prompts: [{ name: "greet", arguments: [{ name: "who", required: true }] }],
    on: { "prompts/get": () => ({ description: "a greeting", messages }) },
  });
  await using fixture = await openFixture(mode, server.url);
  const { response } = await fixture.invoke("Prompts", "greet", { who: "Bo" });
  deepStrictEqual(JSON.parse(response ?? ""), { description: "a greeting", messages });
  const { name, arguments: args } = server.named("prompts/get")[0]?.message.params ?? {};
  deepStrictEqual([name, args], ["greet", { who: "Bo" }]);
  await rejects(fixture.invoke("Prompts", "greet"), { code: "invalid_argument", message: /who/ });
});

testBoth(
  "metadata is sent as headers and query, that of the environment below it",
  async (mode) => {
    await using server = serveTool({ content: [] });
    await using fixture = await openFixture(mode, server.url);
    await fixture.home.put("environments.json", {
      globals: {},
      environments: [{
        id: "e",
        name: "e",
        serverUrl: server.url,
        headers: { "X-Env": "{{who}}", "X-Both": "environment" },
        vars: { who: "Bo" },
      }],
      activeEnvId: "e",
    });
    const metadata = { "X-Both": "call", __bowireQuery__key: "s p", __bowireQuery__other: "1" };
    await fixture.tool("dive", {}, { metadata });
    for (const { url, headers, verb } of server.arrived) {
      deepStrictEqual([headers.get("x-env"), headers.get("x-both")], ["Bo", "call"], verb);
      strictEqual(url.search, "?key=s+p&other=1");
    }
    strictEqual(server.named("tools/call").length, 1);
  },
);

testBoth("headers that the protocol sets are not the caller's to set", async (mode) => {
  await using server = serveTool({ content: [] });
  await using fixture = await openFixture(mode, server.url);
  const metadata = {
    "MCP-Protocol-Version": "1999-01-01",
    "Mcp-Session-Id": "stolen",
    accept: "text/html",
    "content-type": "text/plain",
  };
  deepStrictEqual(await fixture.tool("dive", {}, { metadata }), { content: [] });
  const [call] = server.named("tools/call");
  strictEqual(call?.headers.get("mcp-protocol-version"), "2025-11-25");
  strictEqual(call?.headers.get("content-type"), "application/json");
  deepStrictEqual([call?.headers.get("mcp-session-id")], [...server.sessions]);
  strictEqual(server.named("initialize")[0]?.headers.has("mcp-protocol-version"), false);
  for (const { headers } of server.arrived) {
    match(headers.get("accept") ?? "", /text\/event-stream/);
    strictEqual(headers.get("mcp-session-id") === "stolen", false);
  }
  await rejects(fixture.tool("dive", {}, { metadata: { "x-a": "a\nb" } }), {
    code: "invalid_argument",
  });
});
