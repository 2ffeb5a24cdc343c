import assert from "node:assert/strict";
import type { Message } from "../../../lib/model/mod.ts";
import { api, inputsOf, methodsOf, openRest } from "./fixture.ts";

const JSON_TYPE = "application/json";
const answer = (schema: unknown) => ({ 200: { content: { [JSON_TYPE]: { schema } } } });
const body = (schema: unknown) => ({ requestBody: { content: { [JSON_TYPE]: { schema } } } });

Deno.test("methods are named by operationId, or else by verb and path", async () => {
  await using site = api({
    "/pets/{id}": { get: { operationId: "getPet", summary: "One\npet", deprecated: true } },
    "/pets/{id}/toys": { post: { tags: ["toys", "pets"] } },
  }, { tags: [{ name: "toys", description: "All toys" }] });
  const { services } = await openRest(site).discover();
  assert.deepEqual(services.map(({ name, description }) => [name, description]), [
    ["Default", undefined],
    ["toys", "All toys"],
  ]);
  const [pet, toy] = services.flatMap(({ methods }) => methods);
  assert.deepEqual(
    [pet?.name, pet?.fullName, pet?.httpMethod, pet?.httpPath, pet?.summary, pet?.deprecated],
    ["getPet", "GET /pets/{id}", "GET", "/pets/{id}", "One pet", true],
  );
  assert.deepEqual([toy?.name, toy?.methodType], ["post_pets__id__toys", "Unary"]);
});

Deno.test("methods of one service that share a name are told apart, the first keeps it", async () => {
  const operation = { operationId: "same" };
  await using site = api({
    "/a": { get: operation, post: operation },
    "/b": { get: operation, post: { ...operation, tags: ["other"] } },
    "/c": { get: operation },
  });
  const { services } = await openRest(site).discover();
  const names = services.map(({ methods }) => methods.map(({ name }) => name));
  assert.deepEqual(names, [["same", "same_post", "same_get", "same_get_2"], ["same"]]);
});

Deno.test("C16 a path's parameters are inherited, overridden by name and place", async () => {
  await using site = api({
    "/items/{id}": {
      summary: "not a method",
      parameters: [
        { name: "id", in: "path", schema: { type: "string" } },
        { name: "page", in: "query", description: "of the path", schema: { type: "string" } },
        { name: "page", in: "header", schema: { type: "string" } },
      ],
      get: {
        parameters: [{ name: "page", in: "query", required: true, schema: { type: "integer" } }],
      },
    },
  });
  const methods = methodsOf(await openRest(site).discover());
  assert.equal(methods.length, 1);
  assert.deepEqual(
    methods[0]?.inputType.fields.map(({ name, type, source, label, description }) => [
      name,
      type,
      source,
      label,
      description,
    ]),
    [
      ["id", "string", "path", "required", undefined],
      ["page", "int32", "query", "required", undefined],
    ],
  );
});

Deno.test("a path's $ref is followed, and an undeclared path parameter is added", async () => {
  await using site = api({ "/a/{key}": { $ref: "#/components/pathItems/A" } }, {
    components: { pathItems: { A: { get: { operationId: "a" } } } },
  });
  const { key } = await inputsOf(site);
  assert.deepEqual([key?.source, key?.type, key?.required], ["path", "string", true]);
});

Deno.test("fields have proto type names, and say what repeats and what maps", async () => {
  const schemas: Record<string, unknown> = {
    small: { type: "integer" },
    large: { type: "integer", format: "int64" },
    real: { type: "number" },
    single: { type: "number", format: "float" },
    flag: { type: ["boolean", "null"] },
    data: { type: "string", contentEncoding: "base64" },
    file: { type: "string", format: "binary" },
    color: { type: "string", enum: ["red", "blue", "red"] },
    list: { type: "array", items: { type: "integer" } },
    labels: { type: "object", additionalProperties: { type: "string" } },
    anything: {},
    either: { oneOf: [{ type: "string" }, { type: "integer" }] },
    part: { type: "object", properties: { x: { type: "string" } } },
  };
  await using site = api({ "/a": { post: body({ type: "object", properties: schemas }) } });
  const fields = await inputsOf(site);
  const types = Object.values(fields).map(({ name, type, isRepeated, isMap, isBinary }) =>
    [name, type, isRepeated && "repeated", isMap && "map", isBinary && "binary"].filter(Boolean)
      .join(" ")
  );
  assert.deepEqual(types, [
    "small int32",
    "large int64",
    "real double",
    "single float",
    "flag bool",
    "data bytes",
    "file bytes binary",
    "color string",
    "list int32 repeated",
    "labels string map",
    "anything message",
    "either string",
    "part message",
  ]);
  assert.deepEqual(fields["color"]?.enumValues, [
    { name: "red", number: 0 },
    { name: "blue", number: 1 },
  ]);
  assert.equal(fields["anything"]?.messageType?.fullName, "google.protobuf.Value");
  assert.deepEqual(fields["part"]?.messageType?.name, "partType");
});

Deno.test("examples come from the parameter, then the schema, then its default", async () => {
  const schema = { type: "integer", example: 2, default: 3 };
  await using site = api({
    "/a": {
      get: {
        parameters: [
          { name: "one", in: "query", schema, example: 1 },
          { name: "two", in: "query", schema },
          { name: "three", in: "query", schema: { default: { a: [null] } } },
          { name: "long", in: "query", schema: { example: "x".repeat(5000) } },
        ],
      },
    },
  });
  const fields = Object.values(await inputsOf(site));
  assert.deepEqual(fields.map(({ example }) => example), ["1", "2", '{"a":[null]}', undefined]);
});

Deno.test("allOf is merged, and alternatives are laid side by side", async () => {
  await using site = api({
    "/a": {
      post: body({
        allOf: [
          { type: "object", required: ["id"], properties: { id: { type: "string" } } },
          {
            oneOf: [
              { required: ["kind", "meow"], properties: { kind: {}, meow: { type: "boolean" } } },
              { required: ["kind", "bark"], properties: { kind: {}, bark: { type: "number" } } },
            ],
          },
        ],
      }),
    },
  });
  const [method] = methodsOf(await openRest(site).discover());
  assert.deepEqual(method?.inputType.fields.map(({ name }) => name), [
    "id",
    "kind",
    "meow",
    "bark",
  ]);
});

Deno.test("what only answers have is no input, and what is only sent is no output", async () => {
  const schema = {
    type: "object",
    properties: { id: { readOnly: true }, password: { writeOnly: true }, name: {} },
  };
  await using site = api({ "/a": { post: { ...body(schema), responses: answer(schema) } } });
  const [method] = methodsOf(await openRest(site).discover());
  assert.deepEqual(method?.inputType.fields.map(({ name }) => name), ["password", "name"]);
  assert.deepEqual(method?.outputType.fields.map(({ name }) => name), ["id", "name"]);
  assert.equal(method?.outputType.name, "post_aResponse");
});

Deno.test("an output that is no object is one field, and one without schema is empty", async () => {
  await using site = api({
    "/list": { get: { responses: answer({ type: "array", items: { type: "string" } }) } },
    "/none": { get: { responses: { 204: {} } } },
  });
  const [list, none] = methodsOf(await openRest(site).discover());
  assert.deepEqual(list?.outputType.fields.map(({ name, isRepeated }) => [name, isRepeated]), [
    ["body", true],
  ]);
  assert.deepEqual(none?.outputType, { name: "Response", fullName: "Response", fields: [] });
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const CIRCLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "list of itself": {
    Start: { type: "object", properties: { children: { type: "array", items: ref("Start") } } },
  },
  "A to B to A": {
    Start: { type: "object", properties: { b: ref("B") } },
    B: { type: "object", properties: { a: ref("Start") } },
  },
  "allOf only": { Start: { allOf: [ref("B")] }, B: { allOf: [ref("Start")] } },
  "map value": { Start: { type: "object", additionalProperties: ref("Start") } },
  "reference to itself": { Start: ref("Start") },
};
for (const [name, schemas] of Object.entries(CIRCLES)) {
  Deno.test(`C01 a circle of schemas (${name}) is listed and ends`, async () => {
    const operation = { ...body(ref("Start")), responses: answer(ref("Start")) };
    await using site = api({ "/a": { post: operation } }, { components: { schemas } });
    const found = await openRest(site).discover();
    assert.ok(JSON.stringify(found).length < 5000);
    assert.equal(methodsOf(found).length, 1);
  });
}

Deno.test("a type that recurs ends in an empty message of the same name", async () => {
  const Node = { type: "object", properties: { next: ref("Node"), value: { type: "string" } } };
  await using site = api({ "/a": { post: body({ properties: { node: ref("Node") } }) } }, {
    components: { schemas: { Node } },
  });
  const { node } = await inputsOf(site);
  const next = node?.messageType?.fields[0]?.messageType;
  assert.deepEqual([next?.fullName, next?.fields], ["Node", []]);
});

Deno.test("messages within each other go eight deep", async () => {
  let schema: unknown = { type: "string" };
  for (let level = 20; level > 0; level--) {
    schema = { type: "object", properties: { [`level${level}`]: schema } };
  }
  await using site = api({ "/a": { post: body(schema) } });
  const [method] = methodsOf(await openRest(site).discover());
  let depth = 0;
  let message: Message | undefined = method?.inputType;
  while (message !== undefined && message.fields.length > 0) {
    depth++;
    message = message.fields[0]?.messageType;
  }
  assert.equal(depth, 9);
});

Deno.test("references that lead nowhere are noted, and the rest is listed", async () => {
  await using site = api({
    "/a": { post: body({ properties: { gone: ref("Gone"), there: { type: "string" } } }) },
    "/b": { get: { parameters: [{ $ref: "other.yaml#/x" }], responses: {} } },
  });
  const found = await openRest(site).discover();
  assert.deepEqual(
    methodsOf(found).map(({ inputType }) => inputType.fields.map(({ name }) => name)),
    [
      ["gone", "there"],
      [],
    ],
  );
  assert.deepEqual(found.diagnostics.map(({ severity, details }) => [severity, details]), [
    ["note", ["#/components/schemas/Gone", "other.yaml#/x"]],
  ]);
});

Deno.test("text of a document is shown without invisible characters and within bounds", async () => {
  const nasty = "see\u202e \u200bthis" + "!".repeat(3000);
  await using site = api({
    "/a": {
      get: {
        operationId: "na\u200bme",
        summary: nasty,
        description: nasty,
        parameters: [{ name: "q", in: "query", description: nasty }],
      },
    },
  });
  const [method] = methodsOf(await openRest(site).discover());
  assert.equal(method?.name, "name");
  assert.deepEqual([method?.summary?.length, method?.description?.length], [300, 2000]);
  assert.ok(method?.description?.startsWith("see this!"));
  assert.equal(method?.inputType.fields[0]?.description?.length, 2000);
});
