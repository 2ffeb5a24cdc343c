import assert from "node:assert/strict";
import { api, inputsOf, json, openapi, openRest, send, serve, type Site } from "../fixture.ts";

function upload(types: Readonly<Record<string, unknown>>): Site {
  return api({ "/a": { post: { operationId: "send", requestBody: { content: types } } } });
}
const FIELDS = {
  schema: {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      more: { type: "object", properties: { a: {} } },
    },
  },
};
const URLENCODED = "application/x-www-form-urlencoded";

Deno.test("JSON is preferred, then a form, then whatever comes first", async () => {
  const types = ["text/plain", "multipart/form-data", URLENCODED, "application/vnd.api+json"];
  const wanted = ["application/vnd.api+json", URLENCODED, "multipart/form-data", "text/plain"];
  for (const expected of wanted) {
    await using site = upload(Object.fromEntries(types.map((type) => [type, FIELDS])));
    const message = expected === "text/plain" ? { body: "x" } : { name: "x" };
    const { headers } = await send(site, { method: "send", message });
    assert.equal(headers.get("content-type")?.split(";")[0], expected);
    types.splice(types.indexOf(expected), 1);
  }
});

const RANGES:
  readonly (readonly [offered: string, schema: unknown, body: unknown, type: string])[] = [
    ["*/*", FIELDS.schema, { name: "x" }, "application/json"],
    ["application/*", FIELDS.schema, { name: "x" }, "application/json"],
    ["*/*", { type: "string", format: "binary" }, "eA==", "application/octet-stream"],
    ["text/*", { type: "string" }, "x", "text/plain"],
    ["image/*", {}, "eA==", "application/octet-stream"],
  ];
for (const [offered, schema, body, type] of RANGES) {
  Deno.test(`a body of ${offered} is ${type} for ${JSON.stringify(body)}`, async () => {
    await using site = upload({ [offered]: { schema } });
    const sent = await send(site, { method: "send", message: { body } });
    const text = typeof body === "string" ? "x" : JSON.stringify(body);
    assert.deepEqual([sent.headers.get("content-type"), sent.body], [type, text]);
  });
}

Deno.test("a content type has the parameters that the document writes", async () => {
  const type = "application/json; odata.metadata=minimal";
  await using site = upload({ [type]: FIELDS });
  const { headers } = await send(site, { method: "send", message: { name: "x" } });
  assert.equal(headers.get("content-type"), type);
});

Deno.test("the caller may choose among the content types offered", async () => {
  await using site = upload({ "application/json": FIELDS, [URLENCODED]: FIELDS });
  const call = { method: "send", message: { name: "x" } };
  const sent = await send(site, { ...call, metadata: { "Content-Type": URLENCODED } });
  assert.deepEqual([sent.headers.get("content-type"), sent.body], [URLENCODED, "name=x"]);
  await assert.rejects(openRest(site).invoke({ ...call, metadata: { "content-type": "a/b" } }), {
    code: "invalid_argument",
    hint: `it takes: application/json, ${URLENCODED}`,
  });
});

Deno.test("a form is encoded, lists by name and structures as JSON", async () => {
  await using site = upload({ [URLENCODED]: FIELDS });
  const { name } = await inputsOf(site);
  assert.equal(name?.source, "formdata");
  const message = { name: "a b&c=ü", tags: ["x", "y"], more: { a: 1 } };
  const { body } = await send(site, { method: "send", message });
  assert.deepEqual([...new URLSearchParams(body)], [
    ["name", "a b&c=ü"],
    ["tags", "x"],
    ["tags", "y"],
    ["more", '{"a":1}'],
  ]);
});

Deno.test("a form's encoding gives its fields a style", async () => {
  const encoding = { more: { style: "deepObject" }, tags: { explode: false } };
  await using site = upload({ [URLENCODED]: { ...FIELDS, encoding } });
  const message = { name: "n", tags: ["x", "y"], more: { a: 1 } };
  const { body } = await send(site, { method: "send", message });
  assert.equal(body, "name=n&tags=x,y&more%5Ba%5D=1");
});

const ADDRESS = {
  streetAddress: "123 Example Dr.",
  city: "Somewhere",
  state: "CA",
  zip: "99999+1234",
};
const ID = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
const FORMS:
  readonly (readonly [name: string, encoding: unknown, message: unknown, body: string])[] = [
    [
      "OpenAPI's example of JSON values",
      {},
      { id: ID, address: ADDRESS },
      `id=${ID}&address=%7B%22streetAddress%22%3A%22123+Example+Dr.%22%2C%22city%22%3A%22Somewhere` +
      "%22%2C%22state%22%3A%22CA%22%2C%22zip%22%3A%2299999%2B1234%22%7D",
    ],
    [
      "OpenAPI's example of a string as JSON",
      { id: { contentType: "application/json" } },
      { id: ID },
      `id=%22${ID}%22`,
    ],
    [
      "a list, item by item",
      {},
      { list: ["a b", null, { c: 1 }, [2]] },
      "list=a+b&list=%7B%22c%22%3A1%7D&list=%5B2%5D",
    ],
    [
      "a list of JSON",
      { list: { contentType: "application/json" } },
      { list: ["a", 1] },
      "list=%22a%22&list=1",
    ],
    [
      "a list in one",
      { list: { style: "form", explode: false } },
      { list: ["a b", "c,d"] },
      "list=a%20b,c%2Cd",
    ],
    ["a list with pipes", { list: { style: "pipeDelimited" } }, { list: [1, 2] }, "list=1%7C2"],
    [
      "an object's members",
      { address: { explode: true } },
      { address: { a: 1, b: "x y" } },
      "a=1&b=x%20y",
    ],
    [
      "an object in brackets",
      { address: { style: "deepObject" } },
      { address: { a: "~" } },
      "address%5Ba%5D=~",
    ],
    ["reserved characters", { id: { allowReserved: true } }, { id: "/a?b:c&d" }, "id=/a?b:c%26d"],
    [
      "XML",
      { address: { contentType: "application/xml" } },
      { address: { a: 1 } },
      "address=" +
      encodeURIComponent('<?xml version="1.0"?><address><a>1</a></address>')
        .replaceAll("%20", "+"),
    ],
    ["nothing", {}, { list: [], address: null }, ""],
  ];
for (const [name, encoding, message, expected] of FORMS) {
  Deno.test(`a form writes ${name}`, async () => {
    const schema = {
      properties: { id: {}, address: { xml: { name: "address" } }, list: {} },
    };
    await using site = upload({ [URLENCODED]: { schema, encoding } });
    const sent = await send(site, { method: "send", message: { body: message } });
    assert.deepEqual([sent.body, sent.headers.get("content-type")], [expected, URLENCODED]);
  });
}

Deno.test("a form's numbers are exact, its order is the document's, and text is sent as it is", async () => {
  await using site = upload({ [URLENCODED]: { schema: { properties: { b: {}, a: {} } } } });
  const messages = ['{"a": 0.10000000000000000001, "b": {"n": 12345678901234567890}}'];
  const sent = await send(site, { method: "send", messages });
  assert.equal(sent.body, "b=%7B%22n%22%3A12345678901234567890%7D&a=0.10000000000000000001");
  assert.equal((await send(site, { method: "send", message: { body: "a=%20" } })).body, "a=%20");
});

Deno.test("a required field makes a form required", async () => {
  await using site = upload({ [URLENCODED]: FIELDS });
  await assert.rejects(openRest(site).invoke({ method: "send" }), { message: /name \(formdata\)/ });
});

Deno.test("multipart sends text and bytes as parts", async () => {
  const schema = {
    properties: {
      note: {},
      file: { type: "string", format: "binary" },
      files: { type: "array", items: { type: "string", contentMediaType: "image/png" } },
    },
  };
  let form = new FormData();
  await using site = serve({
    "/openapi.json": json(openapi({
      "/a": {
        post: {
          operationId: "send",
          requestBody: { content: { "multipart/form-data": { schema } } },
        },
      },
    })),
    "/a": async (request) => {
      form = await request.formData();
      return new Response(null, { status: 204 });
    },
  });
  const fields = await inputsOf(site);
  assert.deepEqual([fields["file"]?.isBinary, fields["files"]?.isBinary], [true, true]);
  await openRest(site).invoke({
    method: "send",
    message: { note: "hä?", file: btoa("\x00\xff"), files: [btoa("1"), btoa("2")] },
  });
  assert.equal(form.get("note"), "hä?");
  const parts = await Promise.all(
    ["file", "files"].flatMap((name) => form.getAll(name)).map(async (part) =>
      part instanceof File ? [...await part.bytes()] : part
    ),
  );
  assert.deepEqual(parts, [[0, 255], [49], [50]]);
});

Deno.test("bytes are given as base64, text as it is", async () => {
  await using bytes = upload({ "application/octet-stream": {} });
  const { body: field } = await inputsOf(bytes);
  assert.deepEqual([field?.type, field?.isBinary], ["bytes", true]);
  assert.equal(
    (await send(bytes, { method: "send", message: { body: btoa("hello") } })).body,
    "hello",
  );
  await assert.rejects(
    openRest(bytes).invoke({ method: "send", message: { body: "no base64!" } }),
    {
      code: "invalid_argument",
    },
  );
  await using plain = upload({ "text/plain": { schema: { type: "string" } } });
  assert.equal((await send(plain, { method: "send", message: { body: "aGk=" } })).body, "aGk=");
});

Deno.test("Swagger 2 form fields, also by reference, become one form", async () => {
  await using site = serve({
    "/openapi.json": json({
      swagger: "2.0",
      consumes: [URLENCODED],
      parameters: { Token: { in: "formData", name: "token", type: "string", required: true } },
      paths: {
        "/login": {
          post: {
            operationId: "login",
            parameters: [
              { $ref: "#/parameters/Token" },
              { in: "formData", name: "user", type: "string" },
              { in: "formData", name: "roles", type: "array", items: {}, collectionFormat: "csv" },
            ],
          },
        },
      },
    }),
  }, json({}));
  const message = { token: "t", user: "u", roles: ["a", "b"] };
  const { body } = await send(site, { method: "login", message });
  assert.deepEqual(body.split("&").sort(), ["roles=a,b", "token=t", "user=u"]);
});

for (
  const [type, before] of [
    ["application/x-ndjson", ""],
    ["application/jsonl", ""],
    ["application/json-seq", "\x1e"],
    ["application/geo+json-seq", "\x1e"],
  ]
) {
  Deno.test(`${type} is one line a value`, async () => {
    await using site = upload({ [type ?? ""]: {} });
    const messages = ['{"body": [{"a": "x\\n"}, [1], "t", 12345678901234567890]}'];
    const sent = await send(site, { method: "send", messages });
    assert.equal(sent.headers.get("content-type"), type);
    const lines = ['{"a":"x\\n"}', "[1]", '"t"', "12345678901234567890"];
    assert.equal(sent.body, lines.map((line) => `${before}${line}\n`).join(""));
    const bodyOf = async (body: unknown) =>
      (await send(site, { method: "send", message: { body } })).body;
    assert.equal(await bodyOf({ a: 1 }), `${before}{"a":1}\n`);
    assert.equal(await bodyOf('{"a":1}\r\n{}'), '{"a":1}\r\n{}');
  });
}

const TEXTS:
  readonly (readonly [type: string, body: unknown, bytes: string | readonly number[]])[] = [
    ["text/plain", "gr\u00fc\u00df", "gr\u00fc\u00df"],
    ["text/plain", "", ""],
    ["text/plain", { a: [1, null] }, '{"a":[1,null]}'],
    ["text/csv", 1.5, "1.5"],
    ["text/plain; charset=UTF-8", "\u00fc", "\u00fc"],
    ['text/plain; charset="iso-8859-1"', "\u00fc", [0xfc]],
    ["text/plain; charset=us-ascii", "u", "u"],
    ["application/yaml", { a: 1 }, '{"a":1}'],
    ["application/graphql", "{ a }", "{ a }"],
  ];
for (const [type, body, expected] of TEXTS) {
  Deno.test(`${JSON.stringify(body)} is sent as ${type}`, async () => {
    await using site = upload({ [type.split(";", 1)[0] ?? ""]: {} });
    const metadata = { "content-type": type };
    const sent = await send(site, { method: "send", message: { body }, metadata });
    assert.equal(sent.headers.get("content-type"), type);
    const bytes = typeof expected === "string" ? new TextEncoder().encode(expected) : expected;
    assert.deepEqual([...sent.bytes], [...bytes]);
  });
}

for (const charset of ["utf-16", "iso-8859-1", "us-ascii", "shift_jis"]) {
  Deno.test(`text that ${charset} cannot carry, or Bowire cannot write so, is refused`, async () => {
    await using site = upload({ "text/plain": {} });
    const metadata = { "content-type": `text/plain; charset=${charset}` };
    const call = { method: "send", message: { body: "\u65e5" }, metadata };
    await assert.rejects(openRest(site).invoke(call), {
      code: "invalid_argument",
      message: new RegExp(`"${charset}"`),
      hint: /charset=utf-8/,
    });
    assert.equal(site.received.length, 1);
  });
}

Deno.test("a form's escapes are those of UTF-8, and no other charset is claimed for them", async () => {
  await using site = upload({ [URLENCODED]: FIELDS });
  const metadata = { "content-type": `${URLENCODED}; charset=iso-8859-1` };
  const { body } = await send(site, { method: "send", message: { name: "a b" }, metadata });
  assert.equal(body, "name=a+b");
  await assert.rejects(send(site, { method: "send", message: { name: "ü" }, metadata }), {
    code: "invalid_argument",
    message: /iso-8859-1/,
  });
});

Deno.test("of several types the first that the arguments fit is sent", async () => {
  await using site = upload({
    "application/json": {
      schema: { type: "object", properties: { name: {} }, required: ["name"] },
    },
    [URLENCODED]: { schema: { type: "object", properties: { id: {}, name: {} } } },
    "text/plain": { schema: { type: "string" } },
  });
  const typeFor = async (message: unknown) =>
    (await send(site, { method: "send", message })).headers.get("content-type");
  assert.equal(await typeFor({ name: "x" }), "application/json");
  assert.equal(await typeFor({ id: 1 }), URLENCODED);
  assert.equal(await typeFor({ body: "<x/>" }), URLENCODED);
  const none = openRest(site).invoke({ method: "send", message: { other: 1 } });
  await assert.rejects(none, { message: /"other"/, hint: "it takes: name, body" });
});

Deno.test("text goes to a type that takes text when an object is what JSON wants", async () => {
  const schema = { type: "object", xml: { name: "x" }, properties: { a: {} } };
  await using site = upload({ "application/json": { schema }, "application/xml": { schema } });
  const sent = await send(site, { method: "send", message: { body: "<x/>" } });
  assert.deepEqual([sent.headers.get("content-type"), sent.body], ["application/xml", "<x/>"]);
  assert.equal((await send(site, { method: "send", message: { a: 1 } })).body, '{"a":1}');
});

Deno.test("a body that a GET describes is not sent, and one of a DELETE is", async () => {
  const requestBody = { content: { "application/json": FIELDS } };
  const verbs = ["get", "head", "delete", "options"];
  const methods = verbs.map((verb) => [verb, { operationId: `${verb}It`, requestBody }]);
  await using site = api({ "/a": Object.fromEntries(methods) });
  const message = { name: "x" };
  for (const method of ["getIt", "headIt"]) {
    assert.equal((await send(site, { method })).body, "");
    await assert.rejects(send(site, { method, message }), { message: /unknown arguments: "name"/ });
  }
  for (const method of ["deleteIt", "optionsIt"]) {
    assert.equal((await send(site, { method, message })).body, '{"name":"x"}');
  }
});

Deno.test("an ad-hoc DELETE has a body when its content type is named, else a query", async () => {
  await using site = upload({});
  const call = { path: "/x", method: "DELETE", message: { a: 1 } };
  const query = await send(site, call);
  assert.deepEqual([query.path, query.body], ["/x?a=1", ""]);
  const metadata = { "content-type": "application/json" };
  const body = await send(site, { ...call, metadata });
  assert.deepEqual([body.path, body.body], ["/x", '{"a":1}']);
});

Deno.test("an ad-hoc body is a form, parts or lines by its content type", async () => {
  await using site = upload({});
  const send_ = async (type: string, message: unknown) =>
    await send(site, { path: "/x", method: "POST", message, metadata: { "content-type": type } });
  assert.equal((await send_(URLENCODED, { a: [1, { b: 2 }] })).body, "a=1&a=%7B%22b%22%3A2%7D");
  assert.equal((await send_("application/x-ndjson", [{ a: 1 }, 2])).body, '{"a":1}\n2\n');
  assert.match(
    (await send_("multipart/form-data", { a: { b: 2 } })).body,
    /application\/json\r\n\r\n{"b":2}\r\n/,
  );
  assert.equal((await send_("application/soap+xml", "<e/>")).body, "<e/>");
  assert.match((await send_("application/xml", { a: { b: 2 } })).body, /<a><b>2<\/b><\/a>$/);
  const named = openRest(site).invoke({
    path: "/x",
    method: "POST",
    message: { a: 1, b: 2 },
    metadata: { "content-type": "application/xml" },
  });
  await assert.rejects(named, { code: "invalid_argument", hint: /XML text/ });
});
