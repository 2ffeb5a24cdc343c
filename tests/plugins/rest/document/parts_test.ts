import assert from "node:assert/strict";
import type { Discovered } from "../../../../lib/protocol/mod.ts";
import { createRest } from "../../../../plugins/rest/plugin.ts";
import {
  json,
  methodsOf,
  openapi,
  openRest,
  type Route,
  serve,
  type Site,
  text,
} from "../fixture.ts";

/** An OpenAPI document whose one method answers with a schema. */
function answering(schema: unknown, others: Readonly<Record<string, unknown>> = {}): unknown {
  const content = { "application/json": { schema } };
  return openapi({ "/a": { get: { operationId: "a", responses: { 200: { content } } } } }, others);
}

/** What the answer of the first method is made of: `name:type`, nested ones in brackets. */
function fieldsIn(found: Discovered): string {
  const [method] = methodsOf(found);
  return JSON.stringify(
    method?.outputType.fields.map(({ name, type, messageType }) =>
      messageType === undefined || messageType.fields.length === 0
        ? `${name}:${type}`
        : [name, ...messageType.fields.map((field) => `${field.name}:${field.type}`)]
    ),
  );
}

/** Remarks on references, each with its reason. */
function dangling({ diagnostics }: Discovered): readonly string[] {
  const remark = diagnostics.find(({ message }) => message.includes("lead nowhere"));
  return remark?.details ?? [];
}

function object(properties: Readonly<Record<string, unknown>>): unknown {
  return { type: "object", properties };
}

const PET = object({ name: { type: "string" } });

const SCHEMA_PARTS: readonly (readonly [what: string, reference: string, part: unknown])[] = [
  ["a schema that is a whole part", "pet.json", PET],
  ["a schema at a pointer", "pet.json#/$defs/Pet", { $defs: { Pet: PET } }],
  ["a schema with an anchor", "pet.json#pet", {
    $defs: { Pet: { ...Object(PET), $anchor: "pet" } },
  }],
  ["a name with a slash as ~1", "pet.json#/x/a~1b", { x: { "a/b": PET } }],
  ["a name with a slash as %2F", "pet.json#/x/a%2Fb", { x: { "a/b": PET } }],
  ["a name with a tilde and blanks", "pet.json#/x/a~0%20b", { x: { "a~ b": PET } }],
  ["a name with ~1 in it", "pet.json#/x/a~01", { x: { "a~1": PET } }],
  ["an item of a list", "pet.json#/x/1", { x: [{}, PET] }],
  ["a component of a whole document", "pet.json#/components/schemas/Pet", {
    openapi: "3.0.3",
    paths: {},
    components: { schemas: { Pet: PET } },
  }],
  ["a definition of a whole Swagger 2 document", "pet.json#/definitions/Pet", {
    swagger: "2.0",
    paths: {},
    definitions: { Pet: PET },
  }],
  ["a definition of a Swagger 2 document at its new place", "pet.json#/components/schemas/Pet", {
    swagger: "2.0",
    paths: {},
    definitions: { Pet: PET },
  }],
];
for (const [what, reference, part] of SCHEMA_PARTS) {
  Deno.test(`a reference leads to ${what} in another part`, async () => {
    await using site = serve({
      "/openapi.json": json(answering({ $ref: reference })),
      "/pet.json": json(part),
    });
    const found = await openRest(site).discover();
    assert.deepEqual(found.diagnostics, []);
    assert.equal(fieldsIn(found), '["name:string"]');
  });
}

Deno.test("a pointer may lead through references, from one part into another", async () => {
  await using site = serve({
    "/openapi.json": json(answering(
      object({
        name: { $ref: "#/components/schemas/Pet/properties/name" },
        owner: { $ref: "#/components/schemas/Pet/properties/owner/properties/city" },
        lost: { $ref: "#/components/schemas/Pet/properties/nothing" },
        round: { $ref: "#/components/schemas/Round/x" },
      }),
      { components: { schemas: { $ref: "schemas.json" } } },
    )),
    "/schemas.json": json({ Pet: { $ref: "pet.json" }, Round: { $ref: "#/Round" } }),
    "/pet.json": json(object({ name: { type: "string" }, owner: { $ref: "owner.json" } })),
    "/owner.json": json(object({ city: { type: "string" } })),
  });
  const found = await openRest(site).discover();
  assert.match(fieldsIn(found), /"name:string","owner:string"/);
  assert.deepEqual(dangling(found).map((reference) => reference.split("/").slice(-2).join("/")), [
    "properties/nothing",
    "schemas.json#/Round",
    "Round/x",
  ]);
});

Deno.test("references of a part are resolved against the part, in YAML and JSON", async () => {
  await using site = serve({
    "/v1/openapi.yaml": text(`openapi: 3.1.0
paths:
  /a:
    get: {responses: {200: {content: {application/json: {schema: {$ref: 'models/pet.yaml#/Pet'}}}}}}
`),
    "/v1/models/pet.yaml": text(`
Pet:
  type: object
  properties:
    name: {$ref: '#/Name'}
    owner: {$ref: people/owner.json}
    home: {$ref: ../shared.json#/Home}
Name: {type: string}
`),
    "/v1/models/people/owner.json": json(object({ pet: { $ref: "../pet.yaml#/Name" } })),
    "/v1/shared.json": json({ Home: object({ city: { type: "string" } }) }),
  });
  const found = await openRest(site).discover("/v1/openapi.yaml");
  assert.deepEqual(found.diagnostics, []);
  assert.equal(fieldsIn(found), '["name:string",["owner","pet:string"],["home","city:string"]]');
});

Deno.test("path items, operations, parameters, bodies and answers may stand in parts", async () => {
  await using site = serve({
    "/openapi.json": json(openapi({
      "/pets/{id}": { $ref: "paths/pets.json#/~1pets~1{id}" },
      "/toys": { post: { $ref: "paths/toys.json" } },
    })),
    "/paths/pets.json": json({
      "/pets/{id}": {
        parameters: [{ $ref: "../parameters.json#/id" }],
        put: {
          operationId: "putPet",
          requestBody: { $ref: "../bodies.json#/Pet" },
          responses: { 200: { $ref: "../answers.json" } },
        },
      },
    }),
    "/paths/toys.json": json({ operationId: "addToy", parameters: [{ name: "q", in: "query" }] }),
    "/parameters.json": json({ id: { name: "id", in: "path", schema: { type: "integer" } } }),
    "/bodies.json": json({ Pet: { content: { "application/json": { schema: PET } } } }),
    "/answers.json": json({ content: { "application/json": { schema: PET } } }),
  }, json({}));
  const rest = openRest(site);
  const found = await rest.discover();
  assert.deepEqual(found.diagnostics, []);
  const [put, add] = methodsOf(found);
  assert.deepEqual(
    put?.inputType.fields.map(({ name, type, source }) => [name, type, source]),
    [["id", "int32", "path"], ["name", "string", "body"]],
  );
  assert.deepEqual(put?.outputType.fields.map(({ name }) => name), ["name"]);
  assert.deepEqual([add?.name, add?.inputType.fields.map(({ name }) => name)], ["addToy", ["q"]]);
  await rest.invoke({ method: "putPet", message: { id: 7, name: "Rex" } });
  const { method, path, body } = site.received.at(-1) ?? {};
  assert.deepEqual([method, path, body], ["PUT", "/pets/7", '{"name":"Rex"}']);
});

Deno.test("all paths may stand in one part", async () => {
  await using site = serve({
    "/openapi.json": json(openapi({ $ref: "paths.json" })),
    "/paths.json": json({ "/a": { get: { operationId: "inPart" } } }),
  });
  const found = await openRest(site).discover();
  assert.deepEqual(methodsOf(found).map(({ name }) => name), ["inPart"]);
});

Deno.test("a path item in a part of a Swagger 2 document is upgraded like the others", async () => {
  const schema = { $ref: "models.json#/definitions/Pet" };
  await using site = serve({
    "/openapi.json": json({ swagger: "2.0", paths: { "/pets": { $ref: "pets.json" } } }),
    "/pets.json": json({
      post: {
        operationId: "addPet",
        parameters: [{ name: "pet", in: "body", schema }],
        responses: { 200: { description: "", schema } },
      },
    }),
    "/models.json": json({ definitions: { Pet: PET } }),
  });
  const found = await openRest(site).discover();
  assert.deepEqual(found.diagnostics, []);
  const [add] = methodsOf(found);
  assert.deepEqual(add?.inputType.fields.map(({ name, source }) => [name, source]), [
    ["name", "body"],
  ]);
  assert.deepEqual(add?.outputType.fields.map(({ name }) => name), ["name"]);
});

Deno.test("parts that refer back and to each other in circles are read once each", async () => {
  await using site = serve({
    "/openapi.json": json(answering({ $ref: "a.json#/A" }, {
      components: { schemas: { Id: { type: "string" } } },
    })),
    "/a.json": json({
      A: object({ b: { $ref: "b.json#/B" }, id: { $ref: "openapi.json#/components/schemas/Id" } }),
    }),
    "/b.json": json({
      B: object({ a: { $ref: "a.json#/A" }, self: { $ref: "#/B" }, n: { $ref: "#/N" } }),
      N: { $ref: "#/N" },
    }),
  });
  const found = await openRest(site).discover();
  assert.match(fieldsIn(found), /"id:string"/);
  assert.deepEqual(dangling(found).length, 1, "the circle of N alone leads nowhere");
  assert.deepEqual(site.received.map(({ path }) => path).sort(), [
    "/a.json",
    "/b.json",
    "/openapi.json",
  ]);
});

Deno.test("$self is what the references of a document are relative to", async () => {
  await using elsewhere = serve({
    "/api/pet.json": json({
      Pet: { $ref: "name.json" },
      other: { $ref: "openapi.json#/components/schemas/Id" },
    }),
    "/api/name.json": json(PET),
  });
  await using site = serve({
    "/openapi.json": json({
      ...Object(
        answering(object({ pet: { $ref: "pet.json#/Pet" }, id: { $ref: "pet.json#/other" } }), {
          components: { schemas: { Id: { type: "integer" } } },
        }),
      ),
      openapi: "3.2.0",
      $self: `${elsewhere.url}/api/openapi.json`,
    }),
  });
  const found = await openRest(site, { allowed: [site.url, elsewhere.url] }).discover();
  assert.deepEqual(found.diagnostics, []);
  assert.equal(fieldsIn(found), '[["pet","name:string"],"id:int32"]');
  assert.deepEqual(elsewhere.received.map(({ path }) => path), ["/api/pet.json", "/api/name.json"]);
});

Deno.test("after a redirect, references are relative to where a document or part was found", async () => {
  await using site = serve({
    "/openapi.json": (request) => Response.redirect(new URL("/v2/openapi.json", request.url)),
    "/v2/openapi.json": json(answering({ $ref: "latest.json#/Pet" })),
    "/v2/latest.json": (request) => Response.redirect(new URL("/models/7/pet.json", request.url)),
    "/models/7/pet.json": json({
      Pet: object({ name: { $ref: "name.json" }, age: { $ref: "#/Age" } }),
      Age: { type: "integer" },
    }),
    "/models/7/name.json": json({ type: "string" }),
  });
  const found = await openRest(site).discover();
  assert.deepEqual(found.diagnostics, []);
  assert.equal(fieldsIn(found), '["name:string","age:int32"]');
});

Deno.test("a part that is not on the allowlist is not dialled, and named with the reason", async () => {
  await using elsewhere = serve({ "/pet.json": json(PET) });
  await using site = serve({
    "/openapi.json": json(answering(object({
      pet: { $ref: `${elsewhere.url}/pet.json` },
      name: { $ref: "name.json" },
      deep: { $ref: "deep.json" },
    }))),
    "/name.json": json({ type: "string" }),
    "/deep.json": json(object({ pet: { $ref: `${elsewhere.url}/pet.json#/x` } })),
  });
  const found = await openRest(site).discover();
  assert.match(fieldsIn(found), /"name:string"/);
  const [first = "", second = "", ...others] = dangling(found);
  assert.deepEqual(others, []);
  for (const [remark, fragment] of [[first, ""], [second, "#/x"]]) {
    assert.ok(remark?.startsWith(`${elsewhere.url}/pet.json${fragment}`), remark ?? "");
    assert.match(remark ?? "", /not on the allowlist/);
  }
  assert.deepEqual(elsewhere.received, []);
});

Deno.test("a part that is allowed later is there at the next discovery", async () => {
  await using elsewhere = serve({ "/pet.json": json(PET) });
  await using site = serve({
    "/openapi.json": json(answering({ $ref: `${elsewhere.url}/pet.json` })),
  });
  const allowed = [site.url];
  const rest = createRest();
  assert.equal(dangling(await openRest(site, { allowed, rest }).discover()).length, 1);
  allowed.push(elsewhere.url);
  const found = await openRest(site, { allowed, rest }).discover();
  assert.equal(fieldsIn(found), '["name:string"]');
  assert.deepEqual(dangling(found), []);
});

const FILES: readonly string[] = [
  "file:///etc/passwd",
  "file://localhost/etc/passwd",
  "ftp://127.0.0.1/x",
];
for (const reference of FILES) {
  Deno.test(`a reference to ${reference} is never read`, async () => {
    await using site = serve({ "/openapi.json": json(answering({ $ref: reference })) });
    const found = await openRest(site).discover();
    assert.equal(dangling(found).length, 1);
    assert.match(
      dangling(found)[0] ?? "",
      /not on the allowlist|it is no HTTP URL|cannot use the URL/,
    );
  });
}

const BAD_PARTS: readonly (readonly [what: string, part: Route, reason: RegExp])[] = [
  ["that is not there", text("nothing", "text/plain", 404), /the server answered 404/],
  [
    "that is a page",
    text("<!doctype html><html></html>", "text/html"),
    /cannot use .*: it is not an object/,
  ],
  ["that is a list", json([1]), /it is not an object/],
  ["that is broken JSON", text('{"Pet": {"type": ', "application/json"), /cannot parse/],
  ["that is broken YAML", text("Pet: [a, b", "application/yaml"), /cannot parse/],
  [
    "of an unknown version of Swagger",
    json({ swagger: "9", definitions: 3 }),
    /nowhere|cannot|pet\.json/,
  ],
  ["that is empty", text(""), /cannot parse/],
];
for (const [what, part, reason] of BAD_PARTS) {
  Deno.test(`a part ${what} takes nothing else with it, and the reason is named`, async () => {
    await using site = serve({
      "/openapi.json": json(
        answering(object({ pet: { $ref: "pet.json#/Pet" }, n: { type: "string" } })),
      ),
      "/pet.json": part,
    });
    const found = await openRest(site).discover();
    assert.match(fieldsIn(found), /"n:string"/);
    assert.equal(dangling(found).length, 1);
    assert.match(dangling(found)[0] ?? "", reason);
  });
}

Deno.test("a part that is too large is named", async () => {
  const zeros = new Uint8Array(1024 * 1024).fill(32);
  const pieces = ReadableStream.from(Array.from({ length: 65 }, () => zeros));
  const bomb = await new Response(pieces.pipeThrough(new CompressionStream("gzip"))).bytes();
  await using site = serve({
    "/openapi.json": json(answering({ $ref: "pet.json" })),
    "/pet.json": () => new Response(bomb, { headers: { "content-encoding": "gzip" } }),
  });
  const found = await openRest(site).discover();
  assert.match(dangling(found)[0] ?? "", /larger than 67108864 bytes/);
});

Deno.test("a part that never answers does not take longer than the discovery", async () => {
  await using site = serve({
    "/openapi.json": json(answering({ $ref: "pet.json" })),
    "/pet.json": (request) =>
      new Promise<Response>((resolve) =>
        request.signal.addEventListener("abort", () => resolve(new Response()))
      ),
  });
  const rest = openRest(site, { context: { timeoutMs: 200 } });
  await assert.rejects(rest.discover(), { code: "timeout" });
});

Deno.test("a pointer that leads nowhere in a part that is there is named", async () => {
  await using site = serve({
    "/openapi.json": json(answering({ $ref: "pet.json#/Dog" })),
    "/pet.json": json({ Pet: PET }),
  });
  assert.deepEqual(dangling(await openRest(site).discover()), ["pet.json#/Dog"]);
});

Deno.test("$ref in examples and fixed values is data and no reference", async () => {
  const data = { $ref: "data.json" };
  await using site = serve({
    "/openapi.json": json(openapi({
      "/a": {
        post: {
          requestBody: {
            content: {
              "application/json": {
                schema: object({
                  pet: { $ref: "pet.json" },
                  any: { example: data, enum: [data], examples: [data] },
                  one: { const: data },
                }),
                examples: { one: { value: data } },
              },
            },
          },
        },
      },
    })),
    "/pet.json": json(object({ any: { example: data } })),
  });
  await openRest(site).discover();
  assert.deepEqual(site.received.map(({ path }) => path), ["/openapi.json", "/pet.json"]);
});

Deno.test("properties that are named like keywords of data have references", async () => {
  const reference = { $ref: "name.json" };
  const properties = {
    example: reference,
    enum: reference,
    const: reference,
    value: reference,
    properties: reference,
  };
  await using site = serve({
    "/openapi.json": json(answering(object({ ...properties, in: { $ref: "part.json" } }))),
    "/part.json": json(
      object({
        example: { $ref: "#/x" },
        deep: { $ref: "deep/d.json" },
        properties: { $ref: "#/x" },
      }),
    ),
    "/deep/d.json": json(object({ example: { $ref: "../name.json" } })),
    "/name.json": json({ type: "string" }),
  });
  const found = await openRest(site).discover();
  const names = Object.keys(properties).map((name) => `"${name}:string"`).join();
  assert.ok(fieldsIn(found).startsWith(`[${names}`), fieldsIn(found));
  assert.deepEqual(dangling(found), [`${site.url}/part.json#/x`]);
});

Deno.test("a document has at most 200 parts, and the others are named", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`p${index}`, { $ref: `parts/${index}.json` }]),
  );
  await using site = serve(
    { "/openapi.json": json(answering(object(properties))) },
    json({ type: "string" }),
  );
  const found = await openRest(site).discover();
  assert.equal(site.received.length, 201);
  assert.match(found.diagnostics[0]?.message ?? "", /^100 references .* lead nowhere/);
  assert.match(dangling(found)[0] ?? "", /parts\/200\.json.*200/);
});

Deno.test("parts that each name another come to an end", async () => {
  await using site = serve({ "/openapi.json": json(answering({ $ref: "0.json" })) }, (request) => {
    const number = Number(/(\d+)\.json$/.exec(request.url)?.[1]);
    return Response.json(object({ next: { $ref: `${number + 1}.json` } }));
  });
  await openRest(site).discover();
  assert.equal(site.received.length, 201);
});

Deno.test("only parts of the same origin are asked for with the caller's headers", async () => {
  await using elsewhere = serve({
    "/pet.json": json({ Pet: PET, Deep: { $ref: "deep.json" } }),
    "/deep.json": json(PET),
  });
  const hosted = (site: Site) =>
    site.received.map(({ path, headers }) => [
      path,
      headers.get("authorization"),
      headers.get("x-app-id"),
      headers.get("cookie"),
    ]);
  await using site = serve({
    "/openapi.json": json(answering(object({
      near: { $ref: "near.json" },
      far: { $ref: `${elsewhere.url}/pet.json#/Pet` },
      deep: { $ref: `${elsewhere.url}/pet.json#/Deep` },
    }))),
    "/near.json": json(PET),
  });
  const rest = openRest(site, { allowed: [site.url, elsewhere.url] });
  const metadata = { Authorization: "Bearer k", "X-App-Id": "42", Cookie: "s=1" };
  const found = await rest.discover("/openapi.json", metadata);
  assert.deepEqual(found.diagnostics, []);
  assert.deepEqual(hosted(site), [
    ["/openapi.json", "Bearer k", "42", "s=1"],
    ["/near.json", "Bearer k", "42", "s=1"],
  ]);
  assert.deepEqual(hosted(elsewhere), [
    ["/pet.json", null, null, null],
    ["/deep.json", null, null, null],
  ]);
});

Deno.test("parts of a Swagger 2 document may have parameters and answers of that version", async () => {
  const paths = {
    "/a": {
      post: {
        operationId: "add",
        parameters: [
          { $ref: "parts.json#/limit" },
          { $ref: "parts.json#/item" },
        ],
        responses: { 200: { $ref: "parts.json#/done" } },
      },
    },
  };
  const parts = {
    limit: { name: "limit", in: "query", type: "integer", maximum: 9 },
    item: { name: "item", in: "body", required: true, schema: { $ref: "#/Item" } },
    done: { description: "ok", schema: { $ref: "#/Item" } },
    Item: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
  };
  await using site = serve({
    "/swagger.json": json({ swagger: "2.0", info: { title: "x", version: "1" }, paths }),
    "/parts.json": json(parts),
  }, json({}));
  const rest = openRest(site);
  const { services } = await rest.discover("/swagger.json");
  const [add] = services.flatMap(({ methods }) => methods);
  assert.deepEqual(
    add?.inputType.fields.map(({ name, type, source }) => [name, type, source]),
    [["limit", "int32", "query"], ["name", "string", "body"]],
  );
  assert.deepEqual(add?.outputType.fields.map(({ name }) => name), ["name"]);
  await rest.invoke({ path: "/swagger.json", method: "add", message: { limit: 3, name: "n" } });
  const { path, body } = site.received.at(-1) ?? {};
  assert.deepEqual([path, body], ["/a?limit=3", '{"name":"n"}']);
});
