/**
 * Bytes as arguments: base64 text, files of a folder, and what becomes of them in every kind of
 * body.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { AllowedFiles } from "../../../../lib/store/mod.ts";
import { api, openRest, type Received, type Site, type TestCall } from "../fixture.ts";

const BINARY = { type: "string", format: "binary" };
const BASE64 = { type: "string", contentEncoding: "base64" };
const BYTES = Uint8Array.of(0, 255, 13, 10, 45, 45);
const TEXT = "AP8NCi0t";

function upload(content: Readonly<Record<string, unknown>>): Site {
  return api({ "/a": { post: { operationId: "send", requestBody: { content } } } });
}

/** What arrives of a call that may send the file `a.png`. */
async function sendFile(site: Site, call: Partial<TestCall>): Promise<Received> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(join(folder, "a.png"), BYTES);
    const context = { files: new AllowedFiles([folder]) };
    await openRest(site, { context }).invoke({ method: "send", ...call });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const last = site.received.at(-1);
  assert.ok(last !== undefined);
  return last;
}

const SPELLINGS: readonly (readonly [name: string, value: unknown])[] = [
  ["base64", TEXT],
  ["base64 of the URL alphabet", "AP8NCi0t".replaceAll("+", "-").replaceAll("/", "_")],
  ["base64 with white space", " AP8N\r\nCi0t\t"],
  ["a data URL", `data:image/png;base64,${TEXT}`],
  ["a data URL that is percent-encoded", "data:image/png,%00%FF%0d%0a--"],
  ["a file", { file: "a.png" }],
  ["an object with base64", { base64: TEXT }],
  ["an object with a data URL", { base64: `data:;base64,${TEXT}` }],
];
for (const [name, body] of SPELLINGS) {
  Deno.test(`C18 a body of bytes takes ${name}`, async () => {
    await using site = upload({ "application/octet-stream": { schema: BINARY } });
    const { bytes, headers } = await sendFile(site, { message: { body } });
    assert.deepEqual(bytes, BYTES);
    const isNamed = typeof body === "string" && body.startsWith("data:image/png");
    assert.equal(headers.get("content-type"), isNamed ? "image/png" : "application/octet-stream");
  });
  Deno.test(`C18 a field and a list of bytes take ${name}`, async () => {
    const schema = { properties: { one: BINARY, many: { type: "array", items: BINARY } } };
    await using site = upload({ "multipart/form-data": { schema } });
    const { bytes, headers } = await sendFile(site, { message: { one: body, many: [body] } });
    const init = { headers: { "content-type": headers.get("content-type") ?? "" } };
    const form = await new Response(new Uint8Array(bytes), init).formData();
    const parts = await Promise.all(
      ["one", "many"].map((key) => form.get(key)).map((part) => {
        assert.ok(part instanceof File);
        return part.bytes();
      }),
    );
    assert.deepEqual(parts, [BYTES, BYTES]);
  });
}

Deno.test("base64 without padding, of one byte and of none is taken", async () => {
  await using site = upload({ "application/octet-stream": {} });
  for (const [body, bytes] of [["/w", [255]], ["_w==", [255]], ["", []]] as const) {
    assert.deepEqual([...(await sendFile(site, { message: { body } })).bytes], bytes);
  }
});

const NO_BYTES: readonly unknown[] = [
  "no base64!",
  "AAAAA",
  "AA=",
  "data:;base64,!",
  5,
  {},
  { file: "a.png", base64: "" },
  { file: 1 },
  { base64: "", name: "x" },
  { base64: "", fileName: 1 },
  { base64: "", headers: "x" },
];
for (const given of NO_BYTES) {
  Deno.test(`${JSON.stringify(given)} is no bytes, and the error names the argument`, async () => {
    const schema = { properties: { photo: BINARY } };
    await using site = upload({ "multipart/form-data": { schema } });
    await assert.rejects(sendFile(site, { message: { photo: given }, validate: false }), {
      code: "invalid_argument",
      message:
        'cannot send "photo": it takes bytes as base64 text, or an object with "file" or "base64"',
      hint: /{"file": "path in an allowed folder"}/,
    });
    assert.equal(site.received.length, 1);
  });
}

Deno.test("a content type that is none and a file that is not allowed are refused", async () => {
  await using site = upload({ "application/octet-stream": {} });
  const strange = { base64: "", contentType: "image/png\r\nX-A: b" };
  await assert.rejects(sendFile(site, { message: { body: strange } }), {
    code: "invalid_argument",
    message: /"body": its "contentType" is no media type/,
  });
  await assert.rejects(sendFile(site, { message: { body: { file: "../a.png" } } }), {
    code: "file_failed",
  });
});

Deno.test("a file tells the type of a part and of a body whose type is open", async () => {
  await using parts = upload({
    "multipart/form-data": { schema: { properties: { photo: BINARY } } },
  });
  const { body } = await sendFile(parts, { message: { photo: { file: "a.png" } } });
  assert.match(body, /name="photo"; filename="a.png"\r\nContent-Type: image\/png\r\n\r\n/);
  const cases: [offered: string, given: object, type: string][] = [
    ["image/*", {}, "image/png"],
    ["*/*", {}, "image/png"],
    ["application/*", {}, "application/octet-stream"],
    ["video/*", {}, "application/octet-stream"],
    ["*/*", { fileName: "a.unknown" }, "application/octet-stream"],
    ["application/octet-stream", {}, "application/octet-stream"],
    ["application/octet-stream", { contentType: "image/x" }, "image/x"],
    ["image/jpeg", { contentType: "image/x" }, "image/jpeg"],
  ];
  for (const [offered, details, type] of cases) {
    await using site = upload({ [offered]: {} });
    const message = { body: { file: "a.png", ...details } };
    const { headers, bytes } = await sendFile(site, { message });
    assert.deepEqual([headers.get("content-type"), bytes], [type, BYTES], offered);
  }
});

Deno.test("the caller's content type decides what bytes are among the types offered", async () => {
  await using site = upload({ "image/*": {} });
  const metadata = { "content-type": "image/tiff" };
  const { headers } = await sendFile(site, { message: { body: { file: "a.png" } }, metadata });
  assert.equal(headers.get("content-type"), "image/tiff");
});

Deno.test("text takes a file as it is", async () => {
  await using site = upload({ "text/csv": { schema: { type: "string" } } });
  const call = { message: { body: { file: "a.png" } }, validate: false };
  const { headers, bytes } = await sendFile(site, call);
  assert.deepEqual([headers.get("content-type"), bytes], ["text/csv", BYTES]);
});

const DEEP = {
  type: "object",
  properties: {
    icon: BASE64,
    raw: BINARY,
    old: { type: "string", format: "byte" },
    url: { type: "string", contentEncoding: "base64url" },
    list: { type: "array", items: BASE64 },
    map: { type: "object", additionalProperties: BASE64 },
    plain: { type: "object", properties: { file: { type: "string" } } },
    any: {},
  },
};
const DEEP_MESSAGE = {
  icon: { file: "a.png" },
  raw: { base64: TEXT },
  old: { file: "a.png" },
  url: { base64: "-_8" },
  list: [TEXT, { file: "a.png" }],
  map: { a: { file: "a.png" } },
  plain: { file: "a.png" },
  any: { file: "a.png" },
};

Deno.test("bytes in JSON become base64 text where the schema wants such, and nowhere else", async () => {
  await using site = upload({ "application/json": { schema: DEEP } });
  const { body } = await sendFile(site, { message: DEEP_MESSAGE });
  assert.deepEqual(JSON.parse(body), {
    ...DEEP_MESSAGE,
    icon: TEXT,
    raw: TEXT,
    old: TEXT,
    url: "-_8=",
    list: [TEXT, TEXT],
    map: { a: TEXT },
  });
});

Deno.test("bytes in XML and in lines of JSON become base64 text", async () => {
  const schema = { type: "object", xml: { name: "x" }, properties: { icon: BASE64 } };
  const icon = { file: "a.png" };
  await using xml = upload({ "application/xml": { schema } });
  assert.match(
    (await sendFile(xml, { message: { icon } })).body,
    /<x><icon>AP8NCi0t<\/icon><\/x>$/,
  );
  for (const media of [{ schema }, { schema: { type: "array", items: schema } }]) {
    await using lines = upload({ "application/x-ndjson": media });
    const { body } = await sendFile(lines, { message: { body: [{ icon }] } });
    assert.equal(body, `{"icon":"${TEXT}"}\n`);
  }
});

Deno.test("OpenAPI's example of bytes in a form: they become text of the schema's alphabet", async () => {
  const schema = {
    properties: { name: {}, icon: { type: "string", contentEncoding: "base64url" }, raw: {} },
  };
  const encoding = { icon: { contentType: "image/png, image/jpeg" } };
  await using site = upload({ "application/x-www-form-urlencoded": { schema, encoding } });
  const message = { name: "example", icon: { base64: "+/8=" }, raw: [{ file: "a.png" }] };
  const { body } = await sendFile(site, { message });
  assert.equal(body, `name=example&icon=-_8%3D&raw=${TEXT}`);
});

const FORM = {
  type: "object",
  properties: { title: { type: "string" }, photo: BINARY },
};
Deno.test("a file goes to the media type that takes bytes there", async () => {
  const text = { type: "object", properties: { title: { type: "string" }, photo: BASE64 } };
  await using site = upload({
    "application/json": { schema: text },
    "multipart/form-data": { schema: FORM },
  });
  const typeFor = async (message: unknown) =>
    (await sendFile(site, { message })).headers.get("content-type")?.split(";")[0];
  assert.equal(await typeFor({ title: "a", photo: { file: "a.png" } }), "multipart/form-data");
  assert.equal(await typeFor({ title: "a", photo: TEXT }), "application/json");
});

Deno.test("a whole file goes to the media type that it is of", async () => {
  const types = ["application/json", "image/jpeg", "image/png", "application/octet-stream"];
  await using site = upload(Object.fromEntries(types.map((type) => [type, {}])));
  const typeFor = async (body: unknown) =>
    (await sendFile(site, { message: { body } })).headers.get("content-type");
  assert.equal(await typeFor({ file: "a.png" }), "image/png");
  assert.equal(await typeFor({ base64: "", fileName: "a.json" }), "application/octet-stream");
  assert.equal(await typeFor({ base64: "", fileName: "a.bin" }), "application/octet-stream");
  assert.equal(await typeFor({ a: 1 }), "application/json");
});

Deno.test("a file may be the body of an ad-hoc call and the part of one", async () => {
  await using site = upload({});
  const call = { path: "/x", method: "PUT" };
  const whole = { ...call, message: { file: "a.png" }, metadata: { "content-type": "image/png" } };
  assert.deepEqual((await sendFile(site, whole)).bytes, BYTES);
  const metadata = { "content-type": "multipart/form-data" };
  const { body } = await sendFile(site, { ...call, message: { p: { file: "a.png" } }, metadata });
  assert.match(body, /name="p"; filename="a.png"\r\nContent-Type: image\/png\r\n/);
});
