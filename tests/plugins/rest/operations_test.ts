import assert from "node:assert/strict";
import { api, json, methodsOf, openapi, openRest, serve, type Site } from "./fixture.ts";

/** What cannot be called, each with its reason. */
async function leftOut(site: Site): Promise<readonly string[]> {
  const { diagnostics } = await openRest(site).discover();
  return diagnostics.find(({ message }) => message.includes("cannot be called"))?.details ?? [];
}

const PET_BODY = {
  content: { "application/json": { schema: { type: "object", properties: { name: {} } } } },
};
const INCOMING = {
  webhooks: {
    newPet: { post: { operationId: "onNewPet", tags: ["pets"], requestBody: PET_BODY } },
    "pet.gone": { $ref: "#/components/pathItems/Gone" },
  },
  components: {
    pathItems: { Gone: { delete: { summary: "It is gone" } } },
    callbacks: { Done: { "{$request.body#/url}": { put: { requestBody: PET_BODY } } } },
  },
};
const SUBSCRIBE = {
  "/subscribe": {
    post: {
      operationId: "subscribe",
      callbacks: {
        onData: {
          "{$request.query.url}/data": { post: { operationId: "onData", requestBody: PET_BODY } },
          "x-note": "no path item",
        },
        onDone: { $ref: "#/components/callbacks/Done" },
      },
    },
    get: { operationId: "list", callbacks: { onData: { "{$url}": { post: {} } } } },
  },
};

Deno.test("webhooks and callbacks are described as services of their own, and incoming", async () => {
  await using site = api(SUBSCRIBE, INCOMING);
  const { services } = await openRest(site).discover();
  assert.deepEqual(
    services.map(({ name, methods }) => [
      name,
      ...methods.map((method) => `${method.name} = ${method.fullName} ${method.isIncoming}`),
    ]),
    [
      ["Default", "subscribe = POST /subscribe undefined", "list = GET /subscribe undefined"],
      [
        "Webhooks",
        "onNewPet = WEBHOOK POST newPet true",
        "pet_gone = WEBHOOK DELETE pet.gone true",
      ],
      [
        "Callbacks",
        "onData = CALLBACK POST onData {$request.query.url}/data true",
        "onDone___request_body__url_ = CALLBACK PUT onDone {$request.body#/url} true",
        "onData___url_ = CALLBACK POST onData {$url} true",
      ],
    ],
  );
  const [, webhooks] = services;
  assert.deepEqual(webhooks?.methods[0]?.inputType.fields.map(({ name }) => name), ["name"]);
  assert.equal(webhooks?.methods[1]?.summary, "It is gone");
});

for (const method of ["onNewPet", "WEBHOOK POST newPet", "pet_gone", "onData"]) {
  Deno.test(`${method}, which the target calls, is not called`, async () => {
    await using site = api(SUBSCRIBE, INCOMING);
    await assert.rejects(openRest(site).invoke({ method, message: { name: "Rex" } }), {
      code: "invalid_argument",
      message: /the target calls it \(a (webhook|callback)\), not its client/,
    });
    assert.deepEqual(site.received.map(({ path }) => path), ["/openapi.json"]);
  });
}

Deno.test("a method and a webhook of one name are told apart by their services", async () => {
  await using site = api({ "/ping": { get: { operationId: "ping" } } }, {
    webhooks: { ping: { post: { operationId: "ping" } } },
  });
  const rest = openRest(site);
  await assert.rejects(rest.invoke({ method: "ping" }), {
    code: "invalid_argument",
    hint: /Default: ping, Webhooks: ping/,
  });
  assert.equal((await rest.invoke({ service: "Default", method: "ping" })).status, "OK");
});

Deno.test("query and additional operations of OpenAPI 3.2 are called by their verbs", async () => {
  const body = { requestBody: PET_BODY };
  await using site = api({
    "/pets": {
      query: { operationId: "find", ...body },
      additionalOperations: {
        COPY: { operationId: "copy", ...body },
        "M-SEARCH": { operationId: "search" },
        Lock: { operationId: "lock" },
      },
    },
  }, { openapi: "3.2.0" });
  const rest = openRest(site);
  const found = methodsOf(await rest.discover());
  assert.deepEqual(found.map(({ httpMethod }) => httpMethod), [
    "QUERY",
    "COPY",
    "M-SEARCH",
    "Lock",
  ]);
  await rest.invoke({ method: "find", message: { name: "Rex" } });
  await rest.invoke({ method: "COPY /pets", message: { name: "Rex" } });
  await rest.invoke({ method: "search" });
  assert.deepEqual(
    site.received.slice(1).map(({ method, path, body }) => `${method} ${path} ${body}`),
    ['QUERY /pets {"name":"Rex"}', 'COPY /pets {"name":"Rex"}', "M-SEARCH /pets "],
  );
});

Deno.test("what cannot be called is named with its reason, and takes nothing else with it", async () => {
  const dangling = { $ref: "#/components/pathItems/Nope" };
  await using site = api({
    "/a": {
      get: { operationId: "a" },
      trace: { operationId: "traceA" },
      put: "text",
      post: null,
      patch: ["list"],
      delete: dangling,
      servers: "text",
      parameters: 7,
    },
    "/b": dangling,
    "/c": null,
    "/d": "text",
    "/e": { additionalOperations: { "NOT A VERB": {}, CONNECT: {}, "line\nbreak": {} } },
    "x-other": "text",
  }, { webhooks: { broken: 5 } });
  const nowhere = `"${dangling.$ref}" leads nowhere`;
  assert.deepEqual(await leftOut(site), [
    "TRACE /a: HTTP clients on the web platform do not send TRACE",
    "PUT /a: it is not an object",
    "POST /a: it is not an object",
    "PATCH /a: it is not an object",
    `DELETE /a: ${nowhere}`,
    `/b: ${nowhere}`,
    "/c: it is not an object",
    "/d: it is not an object",
    "NOT A VERB /e: its verb is no HTTP token",
    "CONNECT /e: HTTP clients on the web platform do not send CONNECT",
    "line break /e: its verb is no HTTP token",
    "broken: it is not an object",
  ]);
  const rest = openRest(site);
  assert.deepEqual(methodsOf(await rest.discover()).map(({ name }) => name), ["a"]);
  assert.equal((await rest.invoke({ method: "a" })).status, "OK");
});

const NO_PATHS: readonly (readonly [what: string, document: object])[] = [
  ["no paths", { openapi: "3.1.0" }],
  ["null as paths", { openapi: "3.1.0", paths: null }],
  ["no operations", { openapi: "3.1.0", paths: { "/a": { summary: "nothing", parameters: [] } } }],
];
for (const [what, document] of NO_PATHS) {
  Deno.test(`a document with ${what} is one without methods`, async () => {
    await using site = serve({ "/openapi.json": json(document) });
    const { services, diagnostics } = await openRest(site).discover();
    assert.deepEqual(services, []);
    assert.deepEqual(diagnostics.map(({ message }) => message), [
      "the API document has no methods",
    ]);
  });
}

Deno.test("C16 the summary of a path is no method, and its parameters are inherited", async () => {
  const parameter = (name: string, place: string, type: string, others = {}) => ({
    name,
    in: place,
    required: place === "path",
    schema: { type },
    ...others,
  });
  await using site = api({
    "/pets/{id}/{kind}": {
      summary: "One pet",
      description: "text",
      parameters: [
        parameter("id", "path", "string"),
        { $ref: "#/components/parameters/kind" },
        parameter("limit", "query", "string", { description: "of the path" }),
        parameter("limit", "header", "string"),
      ],
      get: {
        operationId: "getPet",
        parameters: [
          parameter("limit", "query", "integer", { required: true }),
          parameter("id", "query", "string"),
        ],
      },
      delete: { operationId: "deletePet" },
    },
  }, { components: { parameters: { kind: parameter("kind", "path", "integer") } } });
  const rest = openRest(site);
  const [get, remove, ...others] = methodsOf(await rest.discover());
  assert.deepEqual(others, []);
  const shown = (method = get) =>
    method?.inputType.fields.map(({ name, source, type, required }) =>
      [name, source, type, required].join(" ")
    );
  assert.deepEqual(shown(), [
    "id path string true",
    "kind path int32 true",
    "limit query int32 true",
  ]);
  assert.deepEqual(shown(remove), [
    "id path string true",
    "kind path int32 true",
    "limit query string false",
  ]);
  await rest.invoke({ method: "getPet", message: { id: "a", kind: 1, limit: 5 } });
  assert.match(site.received.at(-1)?.path ?? "", /^\/pets\/a\/1\?/);
  assert.match(site.received.at(-1)?.path ?? "", /limit=5/);
});

Deno.test("a path item may have members beside its reference", async () => {
  await using site = api({
    "/a/{id}": { $ref: "#/components/pathItems/A", post: { operationId: "postA" } },
  }, {
    components: {
      pathItems: {
        A: {
          get: { operationId: "getA" },
          parameters: [{ name: "id", in: "path", schema: { type: "integer" } }],
        },
      },
    },
  });
  const methods = methodsOf(await openRest(site).discover());
  assert.deepEqual(methods.map(({ name }) => name).sort(), ["getA", "postA"]);
  for (const method of methods) assert.equal(method.inputType.fields[0]?.type, "int32");
});

Deno.test("a path without a slash in front stays on its server", async () => {
  await using site = api({
    "pets": { get: { operationId: "pets" } },
    "@other.test/x": { get: { operationId: "at" } },
    ":81/x": { get: { operationId: "port" } },
  });
  const rest = openRest(site);
  for (const method of ["pets", "at", "port"]) await rest.invoke({ method });
  assert.deepEqual(site.received.slice(1).map(({ path }) => path), [
    "/pets",
    "/@other.test/x",
    "/:81/x",
  ]);
});

Deno.test("methods of one name get names of their own, whatever their names are", async () => {
  const same = { operationId: "same" };
  await using site = serve({
    "/openapi.json": json(openapi({
      "/a": { get: same, post: same },
      "/b": { get: same, post: { operationId: "same_get" } },
      "/c": { get: { operationId: "__proto__" }, post: { operationId: "constructor" } },
      "/d/{x}-{y}": { get: { operationId: "" }, post: { operationId: 7 } },
    })),
  }, json({}));
  const rest = openRest(site);
  const names = methodsOf(await rest.discover()).map(({ name }) => name);
  assert.equal(new Set(names).size, 8);
  assert.deepEqual(names.slice(0, 2), ["same", "same_post"]);
  assert.deepEqual(names.slice(4), ["__proto__", "constructor", "get_d__x___y_", "post_d__x___y_"]);
  for (const method of names.slice(0, 6)) {
    assert.equal((await rest.invoke({ method })).status, "OK", method);
  }
});
