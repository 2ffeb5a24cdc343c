import assert from "node:assert/strict";
import fc from "fast-check";
import { parseJson } from "../../../lib/schema/exact_json.ts";
import type { ParameterStyle } from "../../../plugins/rest/method/inputs.ts";
import { writeParameter, type WrittenParameter } from "../../../plugins/rest/request/parameters.ts";
import { api, openRest, send } from "./fixture.ts";

function write(style: ParameterStyle, explode: boolean, value: unknown): string {
  const place = ["simple", "label", "matrix"].includes(style) ? "path" : "query";
  const parameter = { name: "color", place, style, explode, allowReserved: false, isJson: false };
  return writeParameter(parameter as WrittenParameter, value);
}

// OpenAPI 3.1, "Style Examples", with the values that RFC 6570 makes of them.
const LIST = ["blue", "black", "brown"];
const RECORD = { R: 100, G: 200, B: 150 };
const ROWS: readonly (readonly [ParameterStyle, boolean, string, string, string])[] = [
  ["simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
  ["simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
  ["label", false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
  ["label", true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
  ["matrix", false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
  ["matrix", true, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
  ["form", false, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
  ["form", true, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
  [
    "spaceDelimited",
    false,
    "color=blue",
    "color=blue%20black%20brown",
    "color=R%20100%20G%20200%20B%20150",
  ],
  [
    "pipeDelimited",
    false,
    "color=blue",
    "color=blue%7Cblack%7Cbrown",
    "color=R%7C100%7CG%7C200%7CB%7C150",
  ],
  [
    "deepObject",
    true,
    "color=blue",
    "color=blue&color=black&color=brown",
    "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
  ],
];
for (const [style, explode, text, list, record] of ROWS) {
  Deno.test(`writeParameter in style ${style}, explode ${explode}`, () => {
    assert.deepEqual(
      [write(style, explode, "blue"), write(style, explode, LIST), write(style, explode, RECORD)],
      [text, list, record],
    );
  });
}

Deno.test("writeParameter leaves out nulls and empty lists, and names an empty matrix value", () => {
  assert.equal(write("form", true, ["a", null, "b"]), "color=a&color=b");
  assert.equal(write("form", false, []), "");
  assert.equal(write("form", true, { a: null }), "");
  assert.equal(write("matrix", false, ""), ";color");
});

Deno.test("writeParameter of one value can be decoded to that value", () => {
  const value = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean());
  fc.assert(fc.property(value, fc.boolean(), (given, explode) => {
    const text = String(given);
    assert.equal(decodeURIComponent(write("simple", explode, given)), text);
    const query = new URL(`http://h/?${write("form", explode, given)}`).searchParams;
    assert.deepEqual([...query], [["color", text]]);
    const path = new URL(`http://h/a/x${write("simple", explode, given)}/b`).pathname;
    assert.equal(decodeURIComponent(path.split("/")[2] ?? ""), `x${text}`);
  }));
});

Deno.test("writeParameter of a list can be split at its separator", () => {
  const items = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1 });
  const separators: [ParameterStyle, string][] = [
    ["form", ","],
    ["pipeDelimited", "%7C"],
    ["spaceDelimited", "%20"],
  ];
  fc.assert(fc.property(items, fc.constantFrom(...separators), (given, [style, separator]) => {
    // A list cannot be told apart from an item that has the separator in it, except by comma.
    fc.pre(separator === "," || !given.some((item) => /[| ]/.test(item)));
    const [, text = ""] = write(style, false, given).split("=");
    assert.deepEqual(text.split(separator).map(decodeURIComponent), given);
  }));
});

const query = (parameter: Readonly<Record<string, unknown>>) => ({
  "/a": { get: { parameters: [{ name: "p", in: "query", ...parameter }] } },
});
async function queryOf(parameter: Readonly<Record<string, unknown>>, p: unknown) {
  await using site = api(query(parameter));
  return (await send(site, { method: "get_a", message: { p } })).path;
}

Deno.test("C05 a list without explode is one parameter", async () => {
  assert.equal(await queryOf({ explode: false }, ["x", "y,z"]), "/a?p=x,y%2Cz");
  assert.equal(await queryOf({}, ["x", "y"]), "/a?p=x&p=y");
});

Deno.test("C06 a deepObject keeps its parameter's name", async () => {
  const path = await queryOf({ style: "deepObject" }, { eq: "v", range: { from: 1 } });
  assert.equal(path, "/a?p%5Beq%5D=v&p%5Brange%5D%5Bfrom%5D=1");
});

Deno.test("C07 delimited styles do not explode unless told to", async () => {
  assert.equal(await queryOf({ style: "pipeDelimited" }, ["a", "b"]), "/a?p=a%7Cb");
  assert.equal(await queryOf({ style: "spaceDelimited" }, ["a", "b"]), "/a?p=a%20b");
  assert.equal(await queryOf({ style: "pipeDelimited", explode: true }, ["a", "b"]), "/a?p=a&p=b");
});

Deno.test("a query parameter with content travels as JSON", async () => {
  const path = await queryOf({ content: { "application/json": {} } }, { a: [1] });
  assert.equal(path, `/a?p=${encodeURIComponent('{"a":[1]}')}`);
});

Deno.test("allowReserved leaves reserved characters, but none that splits a query", async () => {
  assert.equal(await queryOf({ allowReserved: true }, "/a:b?c&d=e#f"), "/a?p=/a:b?c%26d%3De%23f");
});

Deno.test("C17 a path value is one segment", async () => {
  await using site = api({ "/items/{id}": { get: { operationId: "item" } } });
  const { path } = await send(site, { method: "item", message: { id: "a/b c" } });
  assert.equal(path, "/items/a%2Fb%20c");
});

for (const id of ["..", ".", ""]) {
  Deno.test(`a path value of ${JSON.stringify(id)}, which makes another path, is refused`, async () => {
    await using site = api({ "/items/{id}/parts": { get: { operationId: "item" } } });
    const call = openRest(site).invoke({ method: "item", message: { id } });
    await assert.rejects(call, { code: "invalid_argument" });
  });
}

Deno.test("headers and cookies carry their parameters", async () => {
  await using site = api({
    "/a": {
      get: {
        parameters: [
          { name: "X-Ids", in: "header", schema: { type: "array" } },
          { name: "theme", in: "cookie" },
          { name: "lang", in: "cookie", schema: { type: "array" } },
          { name: "Authorization", in: "header", required: true },
        ],
      },
    },
  });
  const { headers } = await send(site, {
    method: "get_a",
    message: { "X-Ids": [1, 2], theme: "dark; x", lang: ["de", "en"] },
    metadata: { cookie: "session=1" },
  });
  assert.equal(headers.get("x-ids"), "1,2");
  assert.equal(headers.get("cookie"), "session=1; theme=dark%3B%20x; lang=de; lang=en");
});

Deno.test("whole numbers of any length are exact in path, query, header and body", async () => {
  const big = "123456789012345678901234567890";
  await using site = api({
    "/a/{id}": {
      post: {
        operationId: "big",
        parameters: [
          { name: "id", in: "path" },
          { name: "q", in: "query" },
          { name: "h", in: "header" },
        ],
        requestBody: { content: { "application/json": { schema: { properties: { n: {} } } } } },
      },
    },
  });
  await openRest(site).invoke({
    method: "big",
    messages: [`{"id": ${big}, "q": [${big}], "h": ${big}, "n": ${big}}`],
  });
  const sent = site.received.at(-1);
  assert.equal(sent?.path, `/a/${big}?q=${big}`);
  assert.equal(sent?.headers.get("h"), big);
  assert.equal(sent?.body, `{"n":${big}}`);
  assert.equal(write("form", true, parseJson(big)), `color=${big}`);
});
