import assert from "node:assert/strict";
import { json, methodsOf, openapi, openRest, serve, text } from "./fixture.ts";

async function discoverText(body: string, contentType?: string) {
  await using site = serve({ "/doc": text(body, contentType) });
  return await openRest(site).discover("/doc");
}

Deno.test("a YAML document may use merge keys, unquoted versions and numbers as keys", async () => {
  const found = await discoverText(
    `
openapi: 3.1
info: { title: Merged, version: 1.0.0 }
x-common: &common
  tags: [things]
  responses:
    200: { description: fine }
paths:
  /things:
    get: { <<: *common, operationId: listThings }
    post: { <<: *common, operationId: addThing }
`,
    "application/octet-stream",
  );
  assert.deepEqual(found.services.map(({ name, package: title }) => [name, title]), [
    ["things", "Merged"],
  ]);
  assert.deepEqual(methodsOf(found).map(({ name }) => name), ["listThings", "addThing"]);
});

Deno.test("a YAML document whose aliases multiply without end is refused", async () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) => `  l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(", ")}]`,
  );
  const bomb = `openapi: 3.0.0\nx:\n  l0: &l0 [a]\n${levels.join("\n")}\npaths: {}`;
  await assert.rejects(discoverText(bomb), { code: "bad_document", message: /aliases/ });
});

for (const version of ["3.0.3", "3.1.0", "3.2.0"]) {
  Deno.test(`an OpenAPI ${version} document is read`, async () => {
    const found = await discoverText(JSON.stringify({
      openapi: version,
      paths: { "/a": { get: { operationId: "a" } } },
    }));
    assert.deepEqual(methodsOf(found).map(({ fullName }) => fullName), ["GET /a"]);
  });
}

Deno.test("C10 a nullable field of OpenAPI 3.0 keeps its type", async () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string", nullable: true },
      owner: { $ref: "#/components/schemas/Owner", nullable: true },
    },
  };
  const found = await discoverText(JSON.stringify({
    openapi: "3.0.0",
    paths: { "/a": { post: { requestBody: { content: { "application/json": { schema } } } } } },
    components: { schemas: { Owner: { type: "object", properties: { id: { type: "integer" } } } } },
  }));
  const fields = methodsOf(found)[0]?.inputType.fields ?? [];
  assert.deepEqual(fields.map(({ name, type }) => [name, type]), [
    ["name", "string"],
    ["owner", "message"],
  ]);
  assert.equal(fields[1]?.messageType?.fullName, "Owner");
});

Deno.test("a Swagger 2 document is read, stray extensions and nulls included", async () => {
  const found = await discoverText(JSON.stringify({
    swagger: "2.0",
    info: { title: "Old", version: "9" },
    definitions: { Pet: { type: "object", properties: { name: { type: "string" } } } },
    paths: {
      "/pets": {
        "x-note": "text among the verbs",
        post: {
          operationId: "addPet",
          parameters: [
            { in: "body", name: "pet", required: true, schema: { $ref: "#/definitions/Pet" } },
          ],
          responses: {
            201: null,
            200: { description: "ok", schema: { $ref: "#/definitions/Pet" } },
          },
        },
      },
    },
  }));
  const [method] = methodsOf(found);
  assert.equal(method?.name, "addPet");
  assert.deepEqual(method?.inputType.fields.map(({ name, source }) => [name, source]), [
    ["name", "body"],
  ]);
  assert.deepEqual(method?.outputType.fields.map(({ name }) => name), ["name"]);
});

Deno.test("numbers that no double can hold stay exact in examples of every version", async () => {
  const big = "9007199254740993";
  const swagger = `{"swagger":"2.0","paths":{"/a":{"post":{"parameters":[{"in":"body","name":"b",
    "schema":{"type":"object","properties":{"id":{"type":"integer","example":${big}}}}}]}}}}`;
  const yaml =
    `openapi: 3.1.0\npaths: {/a: {get: {parameters: [{in: query, name: id, example: ${big}}]}}}`;
  const json30 = `{"openapi":"3.0.0","paths":{"/a":{"get":{"parameters":[
    {"in":"query","name":"id","schema":{"type":"integer","default":${big}}}]}}}}`;
  for (const document of [swagger, yaml, json30]) {
    const [method] = methodsOf(await discoverText(document));
    assert.equal(method?.inputType.fields[0]?.example, big, document);
  }
});

Deno.test("C21 a large JSON document is read by the JSON parser", async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`/things/${index}/{id}`, {
      get: { operationId: `get${index}`, description: "x".repeat(1500) },
    }]),
  );
  // A key twice is fine in JSON and refused in YAML, so the YAML parser would have failed.
  const body = `{"x-twice": 1,\t"x-twice": 2,\n${JSON.stringify(openapi(paths)).slice(1)}`;
  assert.ok(body.length > 4_000_000);
  assert.equal(methodsOf(await discoverText(body)).length, 3000);
});

const BROKEN: readonly (readonly [name: string, body: string, reason: RegExp])[] = [
  ["JSON that ends early", '{"openapi": "3.1.0",\n"paths": {', /JSON/],
  ["YAML with a key twice", "openapi: 3.0.0\npaths: {}\npaths: {}", /\(3:1\)/],
  ["nesting without end", `{"openapi": "3.1.0", "x": ${"[".repeat(1e5)}${"]".repeat(1e5)}}`, /500/],
  ["an unknown version", '{"openapi": "4.0.0"}', /3\.1/],
  ["paths that are a list", '{"openapi": "3.1.0", "paths": []}', /paths/],
];
for (const [name, body, reason] of BROKEN) {
  Deno.test(`discover refuses ${name}, with the reason`, async () => {
    await assert.rejects(discoverText(body), { code: "bad_document", message: reason });
  });
}

Deno.test("text that merely mentions OpenAPI is no document", async () => {
  for (
    const body of ["<p>openapi: 3.0</p>", '{"apis": [{"openapi": "3.1.0"}]}', "openapi is nice"]
  ) {
    assert.deepEqual((await discoverText(body)).services, [], body);
  }
});

Deno.test("a broken document at one usual place does not hide a good one", async () => {
  await using site = serve({
    "/openapi.json": text('{"openapi": "3.1.0"'),
    "/swagger.json": json(openapi({ "/a": { get: {} } })),
  });
  assert.equal(methodsOf(await openRest(site).discover("/")).length, 1);
});

for (const [version, expected] of [["3.0.3", "int32"], ["3.1.0", "string"]] as const) {
  Deno.test(`a type beside a reference counts as OpenAPI ${version} has it`, async () => {
    const document = openapi({
      "/a": {
        get: {
          parameters: [
            { name: "p", in: "query", schema: { $ref: "#/components/schemas/P", type: "string" } },
          ],
        },
      },
    }, { openapi: version, components: { schemas: { P: { type: "integer" } } } });
    await using site = serve({ "/openapi.json": json(document) });
    const [method] = methodsOf(await openRest(site).discover());
    assert.equal(method?.inputType.fields[0]?.type, expected);
  });
}
