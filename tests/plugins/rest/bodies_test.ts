import assert from "node:assert/strict";
import { api, inputsOf, json, openapi, openRest, send, serve, type Site } from "./fixture.ts";

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

Deno.test("a body of any type is JSON", async () => {
  await using site = upload({ "*/*": FIELDS });
  const { headers, body } = await send(site, { method: "send", message: { name: "x" } });
  assert.deepEqual([headers.get("content-type"), body], ["application/json", '{"name":"x"}']);
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
