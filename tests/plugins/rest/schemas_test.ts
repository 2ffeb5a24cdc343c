import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { BowireError } from "../../../lib/errors/mod.ts";
import type { Violation } from "../../../lib/schema/validate.ts";
import { api, json, type JsonData, openapi, openRest, send, serve, type Site } from "./fixture.ts";

/** An API with one method `save`, which takes a JSON body and answers with a schema. */
function saving(
  schema: unknown,
  others: Readonly<
    { version?: string; schemas?: unknown; parameters?: unknown; answer?: unknown; path?: string }
  > = {},
): Site {
  const { version = "3.1.0", schemas = {}, parameters = [], answer, path = "/items" } = others;
  const body = { required: true, content: { "application/json": { schema } } };
  const document = {
    openapi: version,
    info: { title: "t", version: "1" },
    paths: {
      [path]: {
        post: {
          operationId: "save",
          parameters,
          ...schema === undefined ? {} : { requestBody: body },
          responses: {
            200: { description: "", content: { "application/json": { schema: answer ?? {} } } },
          },
        },
      },
    },
    components: { schemas },
  };
  return serve({ "/openapi.json": json(document) }, json({}));
}

function object(properties: Readonly<Record<string, unknown>>, required: readonly string[] = []) {
  return { type: "object", properties, required };
}

function ref(name: string, siblings = {}) {
  return { $ref: `#/components/schemas/${name}`, ...siblings };
}

/** A validator of another implementation, which also holds the schema against its meta-schema. */
function compile(schema: JsonData): (value: unknown) => boolean {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    validateFormats: false,
    validateSchema: true,
  });
  return ajv.compile(schema);
}

/** The schemas and the sample of `save`, the sample held against the schema by that one. */
async function describeSave(site: Site) {
  const described = await openRest(site).describe("save");
  const { input, output, sample } = described;
  assert.equal(input.$schema, "https://json-schema.org/draft/2020-12/schema");
  assert.equal(input.type, "object");
  const isInput = compile(input);
  if (output !== undefined) compile(output);
  if (sample !== undefined) assert.ok(isInput(sample), `${JSON.stringify(sample)} does not fit`);
  return { input, output, sample, isInput };
}

/** The refusal of a call of `save`. */
async function refusalOf(site: Site, message: unknown): Promise<BowireError> {
  return await openRest(site).invoke({ method: "save", message })
    .then(() => assert.fail("nothing was refused"), (error) => error);
}

/** The violations of a refused call, `path message`. */
async function violationsOf(site: Site, message: unknown): Promise<string[]> {
  const { code, details, message: said } = await refusalOf(site, message);
  assert.equal(code, "invalid_argument", said);
  const violations = (details?.["violations"] ?? []) as readonly Violation[]; // what it is said to be
  assert.deepEqual(site.received.filter(({ method }) => method !== "GET"), []);
  return violations.map(({ path, message }) => `${path} ${message}`);
}

const ODD:
  readonly (readonly [name: string, version: string, schema: JsonData, schemas?: JsonData])[] = [
    [
      "C12 example and xml",
      "3.0.3",
      object({
        id: { type: "integer", example: 7, xml: { attribute: true } },
        link: { type: "string", externalDocs: { url: "x" }, discriminator: { propertyName: "x" } },
      }),
    ],
    [
      "C12 boolean exclusive bounds",
      "3.0.3",
      object({
        n: {
          type: "number",
          minimum: 1,
          exclusiveMinimum: true,
          maximum: 9,
          exclusiveMaximum: false,
        },
      }),
    ],
    [
      "C10 nullable",
      "3.0.3",
      object({
        a: { type: "string", nullable: true },
        b: { type: "string", enum: ["x"], nullable: true },
        c: ref("Other", { nullable: true }),
        d: { allOf: [ref("Other")], nullable: true },
      }),
      { Other: object({ x: { type: "integer" } }) },
    ],
    ["C13 an enum with one value twice", "3.1.0", object({ e: { enum: ["a", "b", "a"] } })],
    ["C14 an array without items", "3.1.0", object({ list: { type: "array" } })],
    ["C01 a schema in itself", "3.1.0", ref("Node"), {
      Node: object({ name: { type: "string" }, children: { type: "array", items: ref("Node") } }),
    }],
    ["C01 two schemas in each other", "3.1.0", ref("A"), {
      A: object({ b: ref("B") }),
      B: object({ a: ref("A"), map: { type: "object", additionalProperties: ref("B") } }),
    }],
    ["C01 a circle of allOf alone", "3.1.0", object({ x: ref("A") }), {
      A: { allOf: [ref("B")] },
      B: { allOf: [ref("A")] },
    }],
    [
      "types that are none",
      "3.1.0",
      object({
        a: { type: "file" },
        b: { type: ["string", "any"] },
        c: { type: {} },
        d: { type: "string", format: 7, pattern: "(", minLength: "x", required: true },
        e: { enum: "text" },
        f: { items: [{ type: "string" }, { type: "integer" }] },
        g: { properties: [], required: "id", additionalProperties: "no" },
        h: "text",
        i: null,
        j: { $ref: "#/nowhere" },
        k: { type: "integer", minimum: "1" },
      }),
    ],
    ["names that need care", "3.1.0", ref("A b/c~d%ü"), {
      "A b/c~d%ü": object({ "$ref": { type: "string" }, "a/b": {}, "__proto__x": {}, " ": {} }),
    }],
    ["true and false as schemas", "3.1.0", object({ a: true, b: { items: false }, c: false })],
    [
      "a Swagger 2 relic",
      "3.0.0",
      object({ f: { type: "string", format: "byte", readOnly: false } }),
    ],
  ];
for (const [name, version, schema, schemas = {}] of ODD) {
  Deno.test(`${name}: schemas compile, the sample fits, and a call with it is made`, async () => {
    await using site = saving(schema, { version, schemas, answer: schema });
    const { sample, input } = await describeSave(site);
    assert.doesNotMatch(
      JSON.stringify(input),
      /#\/components|"(example|xml|nullable|discriminator)":/,
    );
    assert.notEqual(sample, undefined);
    await openRest(site).invoke({ method: "save", message: sample });
    assert.equal(site.received.at(-1)?.path, "/items");
  });
}

Deno.test("C10 null is a value of a nullable property, and of no other, in and out", async () => {
  const schema = object({
    may: { type: "string", nullable: true },
    choice: { type: "string", enum: ["a"], nullable: true },
    other: ref("Other", { nullable: true }),
    not: { type: "string" },
  });
  await using site = saving(schema, {
    version: "3.0.3",
    schemas: { Other: object({}) },
    answer: schema,
  });
  const { input, output, isInput } = await describeSave(site);
  assert.deepEqual(input.properties.may.type, ["string", "null"]);
  const isOutput = compile(output);
  for (const isValid of [isInput, isOutput]) {
    assert.ok(isValid({ may: null, choice: null, not: "x" }));
    assert.ok(!isValid({ not: null }));
  }
  await openRest(site).invoke({ method: "save", message: { may: null, choice: null } });
  assert.equal(site.received.at(-1)?.body, '{"may":null,"choice":null}');
});

Deno.test("C12 exclusive bounds of OpenAPI 3.0 exclude", async () => {
  const number = {
    type: "number",
    minimum: 1,
    exclusiveMinimum: true,
    maximum: 9,
    exclusiveMaximum: true,
  };
  await using site = saving(object({ n: number }), { version: "3.0.3" });
  const { isInput } = await describeSave(site);
  assert.deepEqual([1, 1.1, 8.9, 9].map((n) => isInput({ n })), [false, true, true, false]);
  assert.equal((await violationsOf(site, { n: 9 })).length, 1);
});

Deno.test("C01 circles are kept as definitions of the schema itself, and checked to the end", async () => {
  await using site = saving(ref("Node"), {
    schemas: {
      Node: object({ id: { type: "integer" }, children: { type: "array", items: ref("Node") } }),
    },
    answer: ref("Node"),
  });
  const { input, output } = await describeSave(site);
  for (const schema of [input, output]) {
    assert.match(JSON.stringify(schema), /"\$ref":"#\/\$defs\/Node"/);
    assert.ok(schema.$defs.Node);
  }
  const deep = { id: 1, children: [{ id: 2, children: [{ id: "three" }] }] };
  assert.match((await violationsOf(site, deep)).join(), /^children\[0\]\.children\[0\]\.id /);
});

Deno.test("C16 inherited parameters are in the schema, overridden by name and place", async () => {
  const parameter = (name: string, place: string, type: string, required = place === "path") => ({
    name,
    in: place,
    required,
    schema: { type },
  });
  await using site = api({
    "/items/{id}": {
      summary: "not a method",
      parameters: [parameter("id", "path", "string"), parameter("limit", "query", "string")],
      post: { operationId: "save", parameters: [parameter("limit", "query", "integer", true)] },
    },
  });
  const { input, sample } = await describeSave(site);
  assert.deepEqual(input.properties, {
    id: { type: "string", minLength: 1 },
    limit: { type: "integer" },
  });
  assert.deepEqual(input.required.toSorted(), ["id", "limit"]);
  assert.equal(input.additionalProperties, false);
  await openRest(site).invoke({ method: "save", message: sample });
});

const ORDER = object({
  items: {
    type: "array",
    minItems: 1,
    items: object({ price: { type: "number", minimum: 0 }, sku: { type: "string" } }, ["sku"]),
  },
  kind: { enum: ["a", "b"] },
  "odd name": { type: "object", additionalProperties: { type: "integer" } },
}, ["items"]);

Deno.test("all violations are named with their paths, and nothing is sent", async () => {
  await using site = saving(ORDER);
  const violations = await violationsOf(site, {
    items: [{ sku: "x", price: 1 }, { price: 2 }, { sku: "z", price: "3" }, { sku: 4, price: -1 }],
    kind: "c",
    "odd name": { "a.b": 1.5 },
  });
  assert.deepEqual(violations.map((text) => text.replace(/ is .*/, "")), [
    "items[1].sku",
    "items[2].price",
    "items[3].sku",
    "items[3].price",
    "kind",
    '["odd name"]["a.b"]',
  ]);
});

Deno.test("validate: false sends what breaks the schema", async () => {
  await using site = saving(ORDER);
  const message = { items: [{ price: "3" }], kind: "c" };
  await openRest(site).invoke({ method: "save", message, validate: false });
  assert.equal(site.received.at(-1)?.body, JSON.stringify(message));
  const { hint } = await refusalOf(site, { items: [] });
  assert.match(hint ?? "", /validate: false/);
});

Deno.test("no refusal quotes the value of an argument", async () => {
  await using site = saving(object({
    token: { type: "integer" },
    secret: { type: "string", pattern: "^x", maxLength: 3, format: "uuid" },
    choice: { enum: ["a"] },
    list: { type: "array", uniqueItems: true },
  }));
  const message = {
    token: "CANARY",
    secret: "CANARY",
    choice: "CANARY",
    list: ["CANARY", "CANARY"],
  };
  const { message: said, hint, details } = await refusalOf(site, message);
  assert.doesNotMatch(JSON.stringify([said, hint, details]), /CANARY/);
  assert.match(said, /"token".*"secret".*"choice".*"list"/s);
});

Deno.test("what is read-only is not asked for, and refused; what is write-only is not answered", async () => {
  const schema = object({
    id: { type: "integer", readOnly: true },
    name: { type: "string" },
    password: { type: "string", writeOnly: true },
    inner: object({ made: { type: "string", readOnly: true }, x: {} }, ["made", "x"]),
  }, ["id", "name", "password"]);
  await using site = saving(schema, { answer: schema });
  const { input, output, sample } = await describeSave(site);
  assert.deepEqual(Object.keys(input.properties), ["name", "password", "inner"]);
  assert.deepEqual(input.required.toSorted(), ["name", "password"]);
  assert.deepEqual(Object.keys(input.properties.inner.properties), ["x"]);
  assert.deepEqual(Object.keys(output.properties), ["id", "name", "inner"]);
  assert.deepEqual(output.required.toSorted(), ["id", "name"]);
  const given = await refusalOf(site, { ...sample, id: 7 });
  assert.match(given.message, /"id"/);
  const within = await refusalOf(site, { ...sample, inner: { made: "now", x: 1 } });
  assert.match(within.message, /"inner\.made"/);
  await openRest(site).invoke({ method: "save", message: { ...sample, id: 7 }, validate: false });
  assert.match(site.received.at(-1)?.body ?? "", /"id":7/);
});

const COERCED: readonly (readonly [schema: unknown, value: unknown, text: string])[] = [
  [{ type: "integer" }, "7", "7"],
  [{ type: "integer" }, 7, "7"],
  [{ type: "string" }, 7, "7"],
  [{ type: "string" }, true, "true"],
  [{ type: "boolean" }, "true", "true"],
  [{ type: "number" }, "1e3", "1e3"],
  [{ type: "integer", minimum: 5 }, "5", "5"],
  [{ enum: [1, 2] }, "2", "2"],
  [{ type: "array", items: { type: "integer" } }, "3", "3"],
];
for (const [schema, value, text] of COERCED) {
  Deno.test(`${JSON.stringify(value)} is fine in path and query for ${JSON.stringify(schema)}`, async () => {
    const parameters = ["path", "query"].map((place) => ({
      name: place[0],
      in: place,
      required: true,
      schema,
    }));
    await using site = saving(undefined, { parameters, path: "/items/{p}" });
    const { path } = await send(site, { method: "save", message: { p: value, q: value } });
    assert.equal(path, `/items/${text}?q=${text}`);
  });
}

const NOT_COERCED: readonly (readonly [schema: unknown, value: unknown])[] = [
  [{ type: "integer" }, "seven"],
  [{ type: "integer" }, "7.5"],
  [{ type: "integer" }, ""],
  [{ type: "integer", minimum: 5 }, "4"],
  [{ type: "boolean" }, "yes"],
  [{ type: "boolean" }, 1],
  [{ enum: ["a"] }, "b"],
  [{ type: "string", maxLength: 1 }, 77],
  [{ type: "string" }, { a: 1 }],
];
for (const [schema, value] of NOT_COERCED) {
  Deno.test(`${JSON.stringify(value)} is refused in a query for ${JSON.stringify(schema)}`, async () => {
    await using site = saving(undefined, { parameters: [{ name: "q", in: "query", schema }] });
    const [violation] = await violationsOf(site, { q: value });
    assert.match(violation ?? "", /^q\S* \S/);
  });
}

Deno.test("a JSON body is not coerced", async () => {
  await using site = saving(object({ n: { type: "integer" }, s: { type: "string" } }));
  assert.deepEqual((await violationsOf(site, { n: "7", s: 7 })).map((text) => text[0]), ["n", "s"]);
});

const BIG = "9007199254740993";

Deno.test("C31 numbers beyond doubles are exact in path, query, body and answer, and checked", async () => {
  const document = openapi({
    "/items/{id}": {
      post: {
        operationId: "save",
        parameters: [
          { name: "id", in: "path", schema: { type: "integer", format: "int64" } },
          { name: "after", in: "query", schema: { type: "array", items: { type: "integer" } } },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: object({
                big: { type: "integer", format: "int64" },
                price: { type: "number" },
                small: { type: "integer", maximum: 9007199254740992 },
              }),
            },
          },
        },
      },
    },
  });
  await using site = serve(
    { "/openapi.json": json(document) },
    () =>
      new Response(`{"id":${BIG},"price":1.10}`, {
        headers: { "content-type": "application/json" },
      }),
  );
  const rest = openRest(site);
  const answer = await rest.invoke({
    method: "save",
    messages: [`{"id":${BIG},"after":[${BIG},-${BIG}],"big":${BIG},"price":1.10e400}`],
  });
  const { path, body } = site.received.at(-1) ?? {};
  assert.equal(path, `/items/${BIG}?after=${BIG}&after=-${BIG}`);
  assert.equal(body, `{"big":${BIG},"price":1.10e400}`);
  assert.equal(answer.response, `{"id":${BIG},"price":1.10}`);
  const text = await rest.invoke({ method: "save", message: { id: BIG } });
  assert.equal(text.ok, true);
  assert.match(site.received.at(-1)?.path ?? "", new RegExp(`^/items/${BIG}$`));
  await assert.rejects(
    rest.invoke({ method: "save", messages: [`{"id":1,"small":${BIG}}`] }),
    { code: "invalid_argument", message: /"small"/ },
  );
  await assert.rejects(
    rest.invoke({ method: "save", messages: ['{"id":1,"big":9223372036854775808}'] }),
    { code: "invalid_argument", message: /"big"/ },
  );
});

Deno.test("a property that a parameter hides is given by the whole body", async () => {
  const parameters = [{ name: "flag", in: "query", schema: { type: "boolean" } }];
  await using site = saving(object({ flag: { type: "array" }, name: { type: "string" } }), {
    parameters,
  });
  const { input, sample } = await describeSave(site);
  assert.ok(input.properties.body, JSON.stringify(input));
  assert.deepEqual(input.properties.flag, { type: "boolean" });
  await openRest(site).invoke({ method: "save", message: sample });
  const message = { flag: true, body: { flag: [1], name: "x" } };
  const { path, body } = await send(site, { method: "save", message });
  assert.deepEqual([path, body], ["/items?flag=true", '{"flag":[1],"name":"x"}']);
});

Deno.test("describe of what is not there says so", async () => {
  await using site = saving(ORDER);
  await using empty = serve({});
  await assert.rejects(openRest(empty).describe("save"), { code: "not_discovered" });
  await assert.rejects(openRest(site).describe("svae"), { code: "unknown_method", hint: /save/ });
  await assert.rejects(openRest(site).describe("save", { service: "Nope" }), {
    code: "unknown_service",
  });
});

Deno.test("a schema of ten thousand properties stays small, and calls of it are still made", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`p${index}`, object({ x: { type: "string" } })]),
  );
  await using site = saving(object({ ...many, last: { type: "integer" } }));
  const { input } = await openRest(site).describe("save");
  compile(input);
  assert.ok(JSON.stringify(input).length < 300_000);
  await openRest(site).invoke({ method: "save", message: { p9999: { x: "y" } } });
  assert.equal(site.received.at(-1)?.body, '{"p9999":{"x":"y"}}');
});
