import assert from "node:assert/strict";
import { api, inputsOf, openRest, type Received, send, type Site } from "../fixture.ts";

const MULTIPART = "multipart/form-data";
const BINARY = { type: "string", format: "binary" };

function upload(media: unknown, type = MULTIPART, others: Readonly<Record<string, unknown>> = {}) {
  return api({
    "/a": { post: { operationId: "send", requestBody: { content: { [type]: media } } } },
  }, others);
}

/** One part as it came: its headers, and its body as Latin 1. */
type SeenPart = readonly [headers: string, body: string];

/** The parts of a multipart body, split by the boundary of its content type and nothing else. */
function split(contentType: string, bytes: Uint8Array): SeenPart[] {
  const boundary = /boundary=([\w-]+)$/.exec(contentType)?.[1] ?? "none";
  const pieces = new TextDecoder("latin1").decode(bytes).split(`--${boundary}`);
  assert.deepEqual([pieces.at(0), pieces.at(-1)], ["", "--\r\n"]);
  return pieces.slice(1, -1).map((piece) => {
    const end = piece.indexOf("\r\n\r\n");
    assert.ok(piece.startsWith("\r\n") && piece.endsWith("\r\n"));
    return [piece.slice(2, end), piece.slice(end + 4, -2)];
  });
}

function partsOf({ headers, bytes }: Received): SeenPart[] {
  return split(headers.get("content-type") ?? "", bytes);
}

/** The parts that arrive for a message. */
async function partsFor(site: Site, message: unknown, metadata = {}): Promise<SeenPart[]> {
  return partsOf(await send(site, { method: "send", message, metadata }));
}

const field = (name: string) => `Content-Disposition: form-data; name="${name}"`;
const file = (name: string, fileName: string, type: string) =>
  `${field(name)}; filename="${fileName}"\r\nContent-Type: ${type}`;

Deno.test("multipart has a part for each field, in the document's order, by the type of its value", async () => {
  const address = { type: "object", properties: { city: { type: "string" } } };
  const schema = {
    properties: {
      id: { type: "string", format: "uuid" },
      addresses: { type: "array", items: address },
      address,
      amount: { type: "number" },
      isNew: { type: "boolean" },
      photo: BINARY,
      grid: { type: "array", items: { type: "array", items: {} } },
      none: { type: ["string", "null"] },
    },
    additionalProperties: true,
  };
  await using site = upload({ schema });
  const parts = partsOf(
    await send(site, {
      method: "send",
      messages: [
        '{"extra": 1, "grid": [[1, "x"]], "photo": "AP8=", "isNew": false, "none": null,' +
        '"amount": 12345678901234567890, "address": {"city": "K\u00f6ln"},' +
        '"addresses": [{"city": "a"}, {"n": 0.10000000000000000001}], "id": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"}',
      ],
    }),
  );
  const json = (name: string) => `${field(name)}\r\nContent-Type: application/json`;
  assert.deepEqual(parts, [
    [field("id"), "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"],
    [json("addresses"), '{"city":"a"}'],
    [json("addresses"), '{"n":0.10000000000000000001}'],
    [json("address"), '{"city":"K\u00c3\u00b6ln"}'],
    [field("amount"), "12345678901234567890"],
    [field("isNew"), "false"],
    [file("photo", "photo", "application/octet-stream"), "\x00\xff"],
    [json("grid"), '[1,"x"]'],
    [field("extra"), "1"],
  ]);
});

Deno.test("multipart names are UTF-8, with quotes and line breaks escaped as browsers do", async () => {
  const name = 'a"b\r\nc\u00fc%22';
  await using site = upload({ schema: { properties: { [name]: BINARY } } });
  const message = { body: { [name]: { base64: "", fileName: 'x"\n\u00fc.png' } } };
  const escaped = "a%22b%0D%0Ac\u00c3\u00bc%22";
  assert.deepEqual(await partsFor(site, message), [
    [file(escaped, "x%22%0A\u00c3\u00bc.png", "image/png"), ""],
  ]);
});

Deno.test("multipart is read back by another implementation", async () => {
  const schema = { properties: { note: {}, files: { type: "array", items: BINARY } } };
  await using site = upload({ schema });
  const { files: described } = await inputsOf(site);
  assert.equal(described?.isBinary, true);
  const sent = await send(site, {
    method: "send",
    message: {
      note: "h\u00e4?\r\n--\n",
      files: [btoa("\x00\xff\r\n"), { base64: btoa("2"), fileName: "b c.PDF" }],
    },
  });
  const headers = { "content-type": sent.headers.get("content-type") ?? "" };
  const form = await new Response(new Uint8Array(sent.bytes), { headers }).formData();
  const seen = await Promise.all(
    [...form].map(async ([name, value]) =>
      value instanceof File
        ? [name, value.name, value.type, [...await value.bytes()]]
        : [name, value]
    ),
  );
  assert.deepEqual(seen, [
    ["note", "h\u00e4?\r\n--\n"],
    ["files", "files", "application/octet-stream", [0, 255, 13, 10]],
    ["files", "b c.PDF", "application/pdf", [50]],
  ]);
});

Deno.test("multipart of no fields is still one that ends", async () => {
  await using site = upload({ schema: { type: "object", properties: { a: {} } } });
  assert.deepEqual(await partsFor(site, { body: {} }), []);
});

Deno.test("an Encoding Object's content type makes a part XML, JSON or text of that charset", async () => {
  const schema = {
    properties: {
      address: {
        type: "object",
        xml: { name: "address" },
        properties: { no: { type: "integer" } },
      },
      text: { type: "string" },
      latin: { type: "string" },
    },
  };
  const encoding = {
    address: { contentType: "application/xml; charset=utf-8" },
    text: { contentType: "application/json" },
    latin: { contentType: "text/plain; charset=iso-8859-1" },
  };
  await using site = upload({ schema, encoding });
  const parts = await partsFor(site, { address: { no: 1 }, text: "x", latin: "\xfc" });
  assert.deepEqual(parts, [
    [
      `${field("address")}\r\nContent-Type: application/xml; charset=utf-8`,
      '<?xml version="1.0"?><address><no>1</no></address>',
    ],
    [`${field("text")}\r\nContent-Type: application/json`, '"x"'],
    [`${field("latin")}\r\nContent-Type: text/plain; charset=iso-8859-1`, "\xfc"],
  ]);
});

const PICKS: readonly (readonly [given: unknown, offered: string, type: string])[] = [
  [{ base64: "" }, "image/png, image/jpeg", "image/png"],
  [{ base64: "", fileName: "a.jpg" }, "image/png, image/jpeg", "image/jpeg"],
  [{ base64: "", fileName: "a.pdf" }, "image/png, image/jpeg", "image/png"],
  [{ base64: "", contentType: "image/gif" }, "image/png, image/jpeg", "image/gif"],
  ["data:image/webp;base64,", "image/png, image/webp", "image/webp"],
  [{ base64: "", fileName: "a.gif" }, "image/*", "image/gif"],
  [{ base64: "" }, "image/*", "application/octet-stream"],
  [{ base64: "", fileName: "a.gif" }, "image/*, image/png", "image/gif"],
];
for (const [given, contentType, type] of PICKS) {
  Deno.test(`a part of ${JSON.stringify(given)} among "${contentType}" is ${type}`, async () => {
    await using site = upload({
      schema: { properties: { photo: {} } },
      encoding: { photo: { contentType } },
    });
    const [[headers] = [""]] = await partsFor(site, { photo: given });
    assert.equal(headers.split("Content-Type: ")[1], type);
  });
}

Deno.test("text with a content encoding stays encoded in its part, and bytes become so", async () => {
  const schema = {
    properties: {
      icon: { type: "string", contentEncoding: "base64" },
      blob: { type: "string", contentEncoding: "base64" },
      url: { type: "string", contentEncoding: "base64url" },
      old: BINARY,
    },
  };
  const headers = { "Content-Transfer-Encoding": { schema: { enum: ["base64"] } } };
  await using site = upload({
    schema,
    encoding: { blob: { contentType: "image/png" }, old: { headers } },
  });
  const parts = await partsFor(site, {
    icon: "AP8=",
    blob: { base64: "AP8" },
    url: { base64: "+/8=" },
    old: { base64: "AP8=" },
  });
  const octets = "Content-Type: application/octet-stream";
  const encoded = "Content-Transfer-Encoding: base64";
  assert.deepEqual(parts, [
    [`${field("icon")}\r\n${octets}\r\n${encoded}`, "AP8="],
    [`${file("blob", "blob", "image/png")}\r\n${encoded}`, "AP8="],
    [`${field("url")}; filename="url"\r\n${octets}`, "-_8="],
    [`${field("old")}; filename="old"\r\n${octets}\r\n${encoded}`, "AP8="],
  ]);
});

Deno.test("an Encoding Object's style spreads a field over parts without percent-encoding", async () => {
  const list = { type: "array", items: { type: "string" } };
  const schema = { properties: { csv: list, many: list, filter: { type: "object" }, plain: {} } };
  const encoding = {
    csv: { style: "form", explode: false },
    many: { explode: true },
    filter: { style: "deepObject" },
    plain: { allowReserved: true },
  };
  await using site = upload({ schema, encoding });
  const message = {
    csv: ["a b", "c&d=\u00fc"],
    many: ["x", "y"],
    filter: { a: 1 },
    plain: "/?%20",
  };
  assert.deepEqual(await partsFor(site, message), [
    [field("csv"), "a b,c&d=\u00c3\u00bc"],
    [field("many"), "x"],
    [field("many"), "y"],
    [field("filter[a]"), "1"],
    [field("plain"), "/?%20"],
  ]);
});

Deno.test("a part has the headers that its document fixes or the caller gives", async () => {
  const headers = {
    "X-Fixed": { schema: { const: 7 } },
    "X-Usual": { schema: { default: "d" } },
    "X-Only": { $ref: "#/components/headers/Only" },
    "X-Free": { schema: { type: "integer" }, example: 1 },
    "Content-Type": { schema: { const: "a/b" } },
  };
  const Only = { content: { "text/plain": { schema: { enum: ["one"] } } } };
  await using site = upload(
    { schema: { properties: { photo: BINARY } }, encoding: { photo: { headers } } },
    MULTIPART,
    { components: { headers: { Only } } },
  );
  const fixed = file("photo", "photo", "application/octet-stream") + "\r\nx-fixed: 7";
  assert.deepEqual(await partsFor(site, { photo: "" }), [
    [`${fixed}\r\nx-usual: d\r\nx-only: one`, ""],
  ]);
  const given = { "x-usual": "u", "X-Free": [1, 2], "content-type": "c/d" };
  const [[written] = [""]] = await partsFor(site, { photo: { base64: "", headers: given } });
  assert.deepEqual(written.split("\r\n").slice(2), [
    "x-usual: u",
    "x-free: 1,2",
    "x-fixed: 7",
    "x-only: one",
  ]);
  const broken = { photo: { base64: "", headers: { "X-A": "1\r\nX-B: 2" } } };
  await assert.rejects(partsFor(site, broken), { code: "invalid_argument", message: /"X-A"/ });
});

Deno.test("a part without a header that it must have is refused", async () => {
  const headers = { "X-Sum": { required: true, schema: { type: "string" } } };
  await using site = upload({
    schema: { properties: { photo: BINARY } },
    encoding: { photo: { headers } },
  });
  await assert.rejects(partsFor(site, { photo: "" }), {
    code: "invalid_argument",
    message: /"photo": its part needs the header "X-Sum"/,
    hint: /"headers": {"X-Sum"/,
  });
});

Deno.test("the caller's parameters of the content type stay, and the boundary is added", async () => {
  await using site = upload({ schema: { properties: { a: {} } } });
  const metadata = { "Content-Type": "multipart/form-data; charset=utf-8; boundary=x" };
  const sent = await send(site, { method: "send", message: { a: 1 }, metadata });
  assert.match(
    sent.headers.get("content-type") ?? "",
    /^multipart\/form-data; charset=utf-8; boundary=bowire-\w+$/,
  );
  assert.deepEqual(partsOf(sent), [[field("a"), "1"]]);
});

Deno.test("a multipart text is sent as it is where the caller names its boundary", async () => {
  await using site = upload({ schema: { properties: { a: {} } } });
  const body = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
  const metadata = { "Content-Type": 'multipart/form-data; boundary="x"' };
  const sent = await send(site, { method: "send", message: { body }, metadata });
  assert.deepEqual([sent.body, sent.headers.get("content-type")], [body, metadata["Content-Type"]]);
  await assert.rejects(openRest(site).invoke({ method: "send", message: { body } }), {
    code: "invalid_argument",
    message: /boundary/,
  });
});

Deno.test("multipart/related names the type of its root, and other types have parts with names too", async () => {
  const schema = { properties: { meta: { type: "object" }, media: BINARY } };
  const message = { media: { base64: "", fileName: "a.png" }, meta: { a: 1 } };
  for (const type of ["multipart/related", "multipart/mixed"]) {
    await using site = upload({ schema }, type);
    const sent = await send(site, { method: "send", message });
    const root = type === "multipart/related" ? '; type="application/json"' : "";
    assert.ok(sent.headers.get("content-type")?.startsWith(`${type}${root}; boundary=`));
    assert.deepEqual(partsOf(sent), [
      [`${field("meta")}\r\nContent-Type: application/json`, '{"a":1}'],
      [file("media", "a.png", "image/png"), ""],
    ]);
  }
});

/** The parts of a list, by the position of each. */
async function partsOfList(
  media: unknown,
  body: readonly unknown[],
  contentType = "multipart/mixed",
): Promise<SeenPart[]> {
  await using site = upload(media, contentType);
  return await partsFor(site, { body });
}

Deno.test("OpenAPI's example of unnamed parts: each is encoded by its position", async () => {
  const media = {
    schema: {
      type: "array",
      prefixItems: [{ type: "object", properties: { author: { type: "string" } } }, {}],
    },
    prefixEncoding: [{}, { contentType: "image/*" }],
  };
  const image = { base64: btoa("P"), contentType: "image/png", fileName: "a.png" };
  assert.deepEqual(await partsOfList(media, [{ author: "a" }, image]), [
    ["Content-Type: application/json", '{"author":"a"}'],
    ['Content-Disposition: attachment; filename="a.png"\r\nContent-Type: image/png', "P"],
  ]);
});

Deno.test("OpenAPI's example of a web page: parts with a header that each must have", async () => {
  const location = { required: true, content: { "text/plain": { schema: { type: "string" } } } };
  const headers = { "Content-Location": location };
  const media = {
    schema: { prefixItems: [{ type: "string" }], items: {} },
    prefixEncoding: [{ contentType: "text/html", headers }],
    itemEncoding: { contentType: "text/css,text/javascript,image/*", headers },
  };
  const at = (base64: string, path: string, contentType?: string) => ({
    base64: btoa(base64),
    headers: { "Content-Location": path },
    ...(contentType === undefined ? {} : { contentType }),
  });
  const page = [at("<p>", "/p"), at("p{}", "/s"), at("P", "/i", "image/png")];
  assert.deepEqual(await partsOfList(media, page, "multipart/related; type=text/html"), [
    ["Content-Type: text/html\r\ncontent-location: /p", "<p>"],
    ["Content-Type: text/css\r\ncontent-location: /s", "p{}"],
    ["Content-Type: image/png\r\ncontent-location: /i", "P"],
  ]);
  await assert.rejects(partsOfList(media, ["<p>"]), { message: /"Content-Location"/ });
});

Deno.test("OpenAPI's example of nested parts: a part is a multipart body of its own", async () => {
  const media = {
    schema: {
      type: "array",
      prefixItems: [{ type: "array" }, {
        type: "array",
        prefixItems: [
          { type: "object", xml: { name: "x" } },
          { type: "string" },
          {},
        ],
      }],
    },
    prefixEncoding: [{}, {
      contentType: "multipart/mixed",
      prefixEncoding: [{ contentType: "application/xml" }, {}, { contentType: "image/png" }],
    }],
  };
  const [first, second] = await partsOfList(media, [[1, 2], [{ a: 1 }, "t", btoa("P")]]);
  assert.deepEqual(first, ["Content-Type: application/json", "[1,2]"]);
  assert.ok(second !== undefined);
  const bytes = Uint8Array.from(second[1], (char) => char.charCodeAt(0));
  assert.deepEqual(split(second[0], bytes), [
    ["Content-Type: application/xml", '<?xml version="1.0"?><x><a>1</a></x>'],
    ["Content-Type: text/plain; charset=utf-8", "t"],
    ["Content-Type: image/png", "P"],
  ]);
});

Deno.test("OpenAPI's example of a stream of parts: each is encoded alike", async () => {
  const media = { itemSchema: {}, itemEncoding: { contentType: "image/jpg" } };
  assert.deepEqual(await partsOfList(media, [btoa("1"), btoa("2")]), [
    ["Content-Type: image/jpg", "1"],
    ["Content-Type: image/jpg", "2"],
  ]);
});

Deno.test("a list has no names for the parts of a form, unless their headers do", async () => {
  await assert.rejects(partsOfList({}, ["x"], MULTIPART), {
    code: "invalid_argument",
    message: /"body"\[0\] as a part of multipart\/form-data: it has no name/,
  });
  const disposition = 'form-data; name="a"';
  const rule = { headers: { "Content-Disposition": { schema: { const: disposition } } } };
  assert.deepEqual(await partsOfList({ itemEncoding: rule }, ["x"], MULTIPART), [
    [field("a"), "x"],
  ]);
});
