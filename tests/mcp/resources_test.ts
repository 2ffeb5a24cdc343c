import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { BowireError, type ErrorCode } from "../../lib/errors/mod.ts";
import { createEndpoint } from "../../lib/mcp/mod.ts";
import { tinyCatalogue, tinyPrompts, tinyResources } from "../fakes/tiny_catalogue.ts";
import { ask, connectHttp, ERAS } from "./connect.ts";

function failWith(code: ErrorCode): () => never {
  return () => {
    throw new BowireError(code, `cannot read "${code}": no`, { hint: "do better" });
  };
}

const FULL = tinyCatalogue({
  broken() {
    throw new Error("secret of a tool");
  },
}, {
  resources: tinyResources({
    "tiny:a": "text of a",
    "tiny:argument": failWith("invalid_argument"),
    "tiny:service": failWith("unknown_service"),
    "tiny:timeout": failWith("timeout"),
    "tiny:broken": () => {
      throw new Error("secret of a resource");
    },
  }),
  prompts: tinyPrompts,
});

const BROKEN = {
  ...FULL,
  prompts: {
    ...tinyPrompts,
    list() {
      throw new Error("secret of a list");
    },
  },
};

function open() {
  const endpoint = createEndpoint(FULL);
  return { ...endpoint, [Symbol.asyncDispose]: () => endpoint.close() };
}

for (const { era, mode } of ERAS) {
  Deno.test(`resources and prompts are served in a ${era}`, async () => {
    await using connected = await connectHttp(FULL, { mode });
    const { client } = connected;
    deepStrictEqual(client.getServerCapabilities(), { tools: {}, resources: {}, prompts: {} });
    const { resources } = await client.listResources();
    deepStrictEqual(resources[0], { uri: "tiny:a", name: "Name of tiny:a" });
    const { contents } = await client.readResource({ uri: "tiny:a" });
    deepStrictEqual(contents, [{ uri: "tiny:a", text: "text of a" }]);
    const { prompts } = await client.listPrompts();
    deepStrictEqual(prompts, [{ name: "greet", arguments: [{ name: "who", required: true }] }]);
    const { messages } = await client.getPrompt({ name: "greet", arguments: { who: "Ada" } });
    deepStrictEqual(messages, [{ role: "user", content: { type: "text", text: "Hello, Ada." } }]);
  });

  Deno.test(`a catalogue of tools has no other capability in a ${era}`, async () => {
    await using connected = await connectHttp(tinyCatalogue({}), { mode });
    deepStrictEqual(connected.client.getServerCapabilities(), { tools: {} });
  });
}

const REVISIONS = [
  ["2024-11-05", -32002],
  ["2025-06-18", -32002],
  ["2025-11-25", -32002],
  ["2026-07-28", -32602],
] as const;

for (const [revision, code] of REVISIONS) {
  Deno.test(`an unknown resource is ${code} with its URI in ${revision}`, async () => {
    await using endpoint = open();
    const { error } = await ask(endpoint, revision, {
      method: "resources/read",
      params: { uri: "tiny:none" },
    });
    const message = "Resource not found: tiny:none";
    deepStrictEqual(error, { code, message, data: { uri: "tiny:none" } });
  });

  Deno.test(`an unknown prompt, and one without its arguments, is -32602 in ${revision}`, async () => {
    await using endpoint = open();
    const answers = [];
    for (const name of ["none", "greet"]) {
      answers.push(await ask(endpoint, revision, { method: "prompts/get", params: { name } }));
    }
    deepStrictEqual(answers.map(({ error }) => error), [
      { code: -32602, message: "Unknown prompt: none" },
      {
        code: -32602,
        message: 'cannot greet without "who"',
        data: { code: "invalid_argument", hint: "name one", retryable: false },
      },
    ]);
  });
}

const BAD_PARAMS = [
  ["tools/list", { cursor: 5 }, "cursor"],
  ["resources/list", { cursor: 5 }, "cursor"],
  ["prompts/list", { cursor: 5 }, "cursor"],
  ["resources/read", {}, "uri"],
  ["prompts/get", { name: "greet", arguments: { who: 5 } }, "arguments.who"],
] as const;

for (const { revision } of ERAS) {
  for (const [method, params, what] of BAD_PARAMS) {
    Deno.test(`a bad ${what} of ${method} is -32602 and named in ${revision}`, async () => {
      await using endpoint = open();
      const { error } = await ask(endpoint, revision, { method, params });
      strictEqual(error?.code, -32602);
      match(error.message, new RegExp(`^Invalid params for ${method}: ${what}: .*expected string`));
    });
  }
}

const FAILURES = [["argument", -32602], ["service", -32602], ["timeout", -32603]] as const;

for (const { revision } of ERAS) {
  for (const [name, code] of FAILURES) {
    Deno.test(`a read that fails, "${name}", is ${code} with its reason in ${revision}`, async () => {
      await using endpoint = open();
      const params = { uri: `tiny:${name}` };
      const { error } = await ask(endpoint, revision, { method: "resources/read", params });
      strictEqual(error?.code, code);
      strictEqual(error.message.startsWith("cannot read"), true);
      strictEqual((error.data as { hint: string }).hint, "do better");
    });
  }

  Deno.test(`what breaks inside is told to the log alone in ${revision}`, async () => {
    const logged: string[] = [];
    const endpoint = createEndpoint(BROKEN, { onError: ({ message }) => logged.push(message) });
    const read = { method: "resources/read", params: { uri: "tiny:broken" } };
    const call = { method: "tools/call", params: { name: "broken", arguments: {} } };
    const list = { method: "prompts/list" };
    for (const request of [read, call, list]) {
      const answer = await ask(endpoint, revision, request);
      strictEqual(answer.error?.code, -32603);
      doesNotMatch(JSON.stringify(answer), /secret|\.ts\b/);
    }
    deepStrictEqual(logged, ["secret of a resource", "secret of a tool", "secret of a list"]);
    await endpoint.close();
  });
}
