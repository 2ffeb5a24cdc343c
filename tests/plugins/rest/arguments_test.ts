import assert from "node:assert/strict";
import { api, inputsOf, openRest, send } from "./fixture.ts";

const jsonBody = (schema: unknown, others: Readonly<Record<string, unknown>> = {}) => ({
  content: { "application/json": { schema } },
  ...others,
});
const PET = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, id: { type: "string" }, tag: { type: "string" } },
};
const PATHS = {
  "/pets/{id}": {
    parameters: [{ name: "id", in: "path", required: true }],
    get: {
      operationId: "getPet",
      tags: ["pets"],
      parameters: [{ name: "fields", in: "query" }, {
        name: "X-Tenant",
        in: "header",
        required: true,
      }],
    },
    put: { operationId: "putPet", tags: ["pets"], requestBody: jsonBody(PET, { required: true }) },
  },
  "/users": { get: { operationId: "list", tags: ["users"] } },
  "/shops": { get: { operationId: "list", tags: ["shops"] } },
};

Deno.test("a method is found by name or by verb and path, in any case, with or without service", async () => {
  await using site = api(PATHS);
  const message = { id: "1", "X-Tenant": "t" };
  for (
    const [service, method] of [
      ["pets", "getPet"],
      ["", "getPet"],
      ["pets", "GET /pets/{id}"],
      ["PETS", "getpet"],
    ]
  ) {
    const { path } = await send(site, { service: service ?? "", method: method ?? "", message });
    assert.equal(path, "/pets/1");
  }
});

Deno.test("an unknown service or method is refused with the closest names", async () => {
  await using site = api(PATHS);
  const rest = openRest(site);
  await assert.rejects(rest.invoke({ service: "pest", method: "getPet" }), {
    code: "unknown_service",
    hint: "did you mean: pets",
  });
  await assert.rejects(rest.invoke({ service: "pets", method: "getPets" }), {
    code: "unknown_method",
    hint: /^did you mean: getPet/,
  });
  await assert.rejects(rest.invoke({ service: "pets", method: "zzz" }), {
    hint: /^there are, for instance: getPet/,
  });
});

Deno.test("a method that several services have needs its service", async () => {
  await using site = api(PATHS);
  await assert.rejects(openRest(site).invoke({ method: "list" }), {
    code: "invalid_argument",
    hint: /users: list, shops: list/,
  });
  assert.equal((await send(site, { service: "shops", method: "list" })).path, "/shops");
});

Deno.test("C60 unknown arguments are refused by name", async () => {
  await using site = api(PATHS);
  const call = { method: "getPet", message: { id: "1", "X-Tenant": "t", feilds: "a", body: {} } };
  await assert.rejects(openRest(site).invoke(call), {
    code: "invalid_argument",
    message: /unknown arguments: "feilds", "body"$/,
    hint: "it takes: id, fields, X-Tenant; " +
      "validate: false (--no-validate) sends a body that the document has not",
  });
  await assert.rejects(
    openRest(site).invoke({ method: "putPet", message: { id: "1", nmae: "x" } }),
    {
      message: /"nmae"/,
    },
  );
});

Deno.test("all missing arguments are named at once, with their places", async () => {
  await using site = api(PATHS);
  const rest = openRest(site);
  await assert.rejects(rest.invoke({ method: "getPet" }), {
    code: "invalid_argument",
    message: /missing required arguments: id \(path\), X-Tenant \(header\)$/,
  });
  await assert.rejects(rest.invoke({ method: "putPet", message: { id: null } }), {
    message: /: id \(path\), name \(body\)$/,
  });
  assert.equal(site.received.length, 1);
});

Deno.test("metadata may stand for a required header or query parameter", async () => {
  await using site = api({
    "/a": {
      get: {
        parameters: [
          { name: "X-Tenant", in: "header", required: true },
          { name: "key", in: "query", required: true },
        ],
      },
    },
  });
  const metadata = { "x-tenant": "t", "__bowireQuery__key": "k&1", "__bowireOther": "not sent" };
  const sent = await send(site, { method: "get_a", metadata });
  assert.equal(sent.path, "/a?key=k%261");
  assert.equal(sent.headers.get("x-tenant"), "t");
  assert.deepEqual([...sent.headers.keys()].filter((name) => name.includes("bowire")), []);
});

Deno.test("a path argument is also the body's property of the same name", async () => {
  await using site = api(PATHS);
  const { path, body } = await send(site, { method: "putPet", message: { id: "7", name: "Rex" } });
  assert.deepEqual([path, body], ["/pets/7", '{"id":"7","name":"Rex"}']);
});

Deno.test("a path argument is not a property of another type, which the whole body has", async () => {
  const schema = {
    type: "object",
    required: ["id"],
    properties: { id: { type: "object" }, name: { type: "string" } },
  };
  const id = { name: "id", in: "path", schema: { type: "string" } };
  const put = { operationId: "putIt", parameters: [id], requestBody: jsonBody(schema) };
  await using site = api({ "/pets/{id}": { put } });
  const rest = openRest(site);
  const flat = rest.invoke({ method: "putIt", message: { id: "7", name: "Rex" } });
  await assert.rejects(flat, { message: /missing required arguments: id \(body\)/ });
  const { input } = await rest.describe("putIt");
  assert.deepEqual(Object.keys(input.properties), ["id", "body"]);
  const { body } = await send(site, { method: "putIt", message: { id: "7", body: { id: {} } } });
  assert.equal(body, '{"id":{}}');
});

Deno.test("the whole body can be given under one name", async () => {
  await using site = api(PATHS);
  const message = { id: "7", body: { id: "8", name: "Rex", extra: 1 } };
  const { path, body } = await send(site, { method: "putPet", message });
  assert.deepEqual([path, JSON.parse(body)], ["/pets/7", message.body]);
  const both = openRest(site).invoke({ method: "putPet", message: { ...message, tag: "x" } });
  await assert.rejects(both, { code: "invalid_argument", message: /"body" is the whole body/ });
});

Deno.test("the whole body has another name when an argument is called body", async () => {
  await using site = api({
    "/a": {
      post: {
        parameters: [{ name: "body", in: "query" }],
        requestBody: jsonBody({ type: "array", items: {} }),
      },
    },
  });
  assert.deepEqual(Object.keys(await inputsOf(site)), ["body", "requestBody"]);
  const sent = await send(site, { method: "post_a", message: { body: 1, requestBody: [2] } });
  assert.deepEqual([sent.path, sent.body], ["/a?body=1", "[2]"]);
});

Deno.test("a body that takes further properties gets the arguments nobody declared", async () => {
  await using site = api({
    "/a": {
      post: {
        requestBody: jsonBody({
          properties: { known: {} },
          additionalProperties: { type: "string" },
        }),
      },
    },
  });
  const { body } = await send(site, { method: "post_a", message: { known: 1, other: "x" } });
  assert.deepEqual(JSON.parse(body), { known: 1, other: "x" });
});

Deno.test("a message that is no object is the body of a method that takes it whole", async () => {
  await using site = api({ "/a": { post: { requestBody: jsonBody({ type: "array" }) } } });
  assert.equal((await send(site, { method: "post_a", message: [1, 2] })).body, "[1,2]");
  await using pets = api(PATHS);
  await assert.rejects(openRest(pets).invoke({ method: "putPet", message: [1] }), {
    code: "invalid_argument",
  });
});

Deno.test("an optional body without arguments is not sent, a required one is an empty object", async () => {
  const schema = { type: "object", properties: { a: {} } };
  await using site = api({
    "/optional": { post: { requestBody: jsonBody({ ...schema, required: ["a"] }) } },
    "/required": { post: { requestBody: jsonBody(schema, { required: true }) } },
  });
  const optional = await send(site, { method: "post_optional" });
  assert.deepEqual([optional.body, optional.headers.get("content-type")], ["", null]);
  assert.equal((await send(site, { method: "post_required" })).body, "{}");
});

Deno.test("a property that only answers have is not missing from a body", async () => {
  const schema = {
    type: "object",
    required: ["id", "name"],
    properties: { id: { readOnly: true }, name: {} },
  };
  await using site = api({ "/a": { post: { requestBody: jsonBody(schema, { required: true }) } } });
  assert.equal(
    (await send(site, { method: "post_a", message: { name: "x" } })).body,
    '{"name":"x"}',
  );
});

Deno.test("an argument goes by the name that is shown when the document's has stray characters", async () => {
  await using site = api({ "/a": { get: { parameters: [{ name: "q\u200b ", in: "query" }] } } });
  assert.deepEqual(Object.keys(await inputsOf(site)), ["q"]);
  assert.equal(
    (await send(site, { method: "get_a", message: { q: 1 } })).path,
    "/a?q%E2%80%8B%20=1",
  );
});

for (const messages of [["{"], ["{}", "{}"]]) {
  Deno.test(`a call with the messages ${JSON.stringify(messages)} is refused`, async () => {
    await using site = api(PATHS);
    const call = openRest(site).invoke({ service: "users", method: "list", messages });
    await assert.rejects(call, { code: "invalid_argument" });
  });
}

for (
  const [name, value] of [["Host", "x"], ["Transfer-Encoding", "chunked"], ["X-A", "a\r\nB: c"], [
    "a b",
    "x",
  ]]
) {
  Deno.test(`the header ${JSON.stringify(name)}: ${JSON.stringify(value)} is refused`, async () => {
    await using site = api(PATHS);
    const metadata = { [name ?? ""]: value ?? "" };
    await assert.rejects(openRest(site).invoke({ service: "users", method: "list", metadata }), {
      code: "invalid_argument",
    });
    assert.deepEqual(site.received, []);
  });
}
