import assert from "node:assert/strict";
import fc from "fast-check";
import type { ParameterPlace, ParameterStyle } from "../../../plugins/rest/method/parameter.ts";
import { writeParameter } from "../../../plugins/rest/request/parameters.ts";
import { api, inputsOf, json, openRest, type Received, send, serve } from "./fixture.ts";

type Definition = Readonly<Record<string, unknown>>;

/** What an API receives when the method of this path is called with one argument or several. */
async function received(
  path: string,
  parameters: readonly Definition[],
  message: unknown,
): Promise<Received> {
  await using site = api({ [path]: { get: { operationId: "read", parameters } } });
  return await send(site, { method: "read", messages: [JSON.stringify(message)] });
}

/** Path and query as received when a method takes and gets a query parameter `p`. */
async function queryOf(parameter: Definition, p: unknown): Promise<string> {
  return (await received("/a", [{ name: "p", in: "query", ...parameter }], { p })).path;
}

// What is written can be read again by decoders that nobody here wrote, or that take two lines.

interface Written {
  readonly place: ParameterPlace;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved?: boolean;
}

function write({ allowReserved = false, ...parameter }: Written, value: unknown): string {
  return writeParameter({ name: "color", allowReserved, ...parameter }, value);
}

const text = fc.string({ unit: "grapheme" });
const scalar = fc.oneof(text, fc.integer(), fc.boolean());
const list = fc.array(scalar, { minLength: 1 });
const record = fc.dictionary(text, scalar, { minKeys: 1 });
const pairsOf = (value: Readonly<Record<string, unknown>>) =>
  Object.entries(value).map(([key, item]) => [key, String(item)]);
const inTwos = (items: readonly string[]) =>
  items.flatMap((item, index) => index % 2 === 0 ? [[item, items[index + 1]]] : []);

Deno.test("writeParameter of one value can be decoded to that value", () => {
  fc.assert(fc.property(scalar, fc.boolean(), (given, explode) => {
    const expected = String(given);
    const query = new URL(`http://h/?${write({ place: "query", style: "form", explode }, given)}`);
    assert.deepEqual([...query.searchParams], [["color", expected]]);
    const simple = write({ place: "path", style: "simple", explode }, given);
    const segment = new URL(`http://h/a/x${simple}/b`).pathname.split("/")[2];
    assert.equal(decodeURIComponent(segment ?? ""), `x${expected}`);
    const cookie = write({ place: "cookie", style: "form", explode }, given);
    assert.equal(decodeURIComponent(cookie), `color=${expected}`);
    assert.match(
      cookie,
      /^color=[!#-+\--:<-[\]-~]*$/,
      "a cookie-octet is none of these (RFC 6265)",
    );
  }));
});

Deno.test("writeParameter of lists and objects that explode in a query is read by URLSearchParams", () => {
  fc.assert(fc.property(list, record, (items, members) => {
    for (const style of ["form", "spaceDelimited", "pipeDelimited"] as const) {
      const written = { place: "query", style, explode: true } as const;
      const query = new URLSearchParams(write(written, items));
      assert.deepEqual(query.getAll("color"), items.map(String));
      assert.deepEqual([...new URLSearchParams(write(written, members))], pairsOf(members));
    }
  }));
});

Deno.test("writeParameter of a deepObject is read by URLSearchParams, the keys between brackets", () => {
  fc.assert(fc.property(record, fc.boolean(), (members, explode) => {
    const query = write({ place: "query", style: "deepObject", explode }, members);
    const pairs = [...new URLSearchParams(query)].map(([key, item]) => [key.slice(6, -1), item]);
    assert.deepEqual(pairs, pairsOf(members));
  }));
});

Deno.test("writeParameter of lists and objects in one text can be split at the delimiter", () => {
  const places: readonly (readonly [Written, prefix: string, delimiter: string, taken: RegExp])[] =
    [
      [{ place: "path", style: "simple", explode: false }, "", ",", /^$/],
      [{ place: "path", style: "label", explode: false }, ".", ",", /^$/],
      [{ place: "path", style: "matrix", explode: false }, ";color=", ",", /^$/],
      [{ place: "query", style: "form", explode: false }, "color=", ",", /^$/],
      [{ place: "cookie", style: "form", explode: false }, "color=", ",", /^$/],
      // These cannot be told from an item that has the delimiter in it (Appendix E).
      [{ place: "query", style: "spaceDelimited", explode: false }, "color=", "%20", / /],
      [{ place: "query", style: "pipeDelimited", explode: false }, "color=", "%7C", /\|/],
    ];
  fc.assert(fc.property(list, record, fc.constantFrom(...places), (items, members, row) => {
    const [written, prefix, delimiter, taken] = row;
    const read = (value: unknown) => {
      const whole = write(written, value);
      assert.ok(whole.startsWith(prefix) || whole === ";color", whole);
      return whole.slice(prefix.length).split(delimiter).map(decodeURIComponent);
    };
    fc.pre(![...items, ...Object.entries(members).flat()].some((item) => taken.test(String(item))));
    assert.deepEqual(read(items), items.map(String));
    assert.deepEqual(inTwos(read(members)), pairsOf(members));
  }));
});

Deno.test("writeParameter of lists and objects that explode in a path or cookie can be split into pairs", () => {
  const places: readonly (readonly [Written, prefix: string, delimiter: string, taken: RegExp])[] =
    [
      [{ place: "path", style: "simple", explode: true }, "", ",", /^$/],
      [{ place: "path", style: "label", explode: true }, ".", ".", /\./],
      [{ place: "path", style: "matrix", explode: true }, ";", ";", /^$/],
      [{ place: "cookie", style: "form", explode: true }, "", "; ", /^$/],
    ];
  fc.assert(fc.property(record, fc.constantFrom(...places), (members, row) => {
    const [written, prefix, delimiter, taken] = row;
    fc.pre(!Object.entries(members).flat().some((item) => taken.test(String(item))));
    const pairs = write(written, members).slice(prefix.length).split(delimiter)
      .map((pair) => [...pair.split("="), ""].slice(0, 2).map(decodeURIComponent));
    assert.deepEqual(pairs, pairsOf(members));
  }));
});

Deno.test("writeParameter with allowReserved changes no value and no structure but that of triples", () => {
  const reserved = fc.string({ unit: fc.constantFrom(..."abü :/?#[]@!$&'()*+,;=%\"\\") })
    .filter((value) => !/%[0-9a-f]{2}/i.test(value));
  const items = fc.array(reserved, { minLength: 1 });
  fc.assert(fc.property(items, fc.boolean(), (given, explode) => {
    const allowed = { explode, allowReserved: true };
    const form = write({ place: "query", style: "form", ...allowed }, given);
    const query = new URL(`http://h/?${form}`).searchParams.getAll("color");
    if (explode) assert.deepEqual(query, given);
    else assert.deepEqual(form.slice(6).split(",").map(decodeURIComponent), given);
    const simple = write({ place: "path", style: "simple", ...allowed }, given);
    const { pathname, search, hash } = new URL(`http://h/x${simple}/y`);
    assert.deepEqual([pathname.split("/").length, search, hash], [3, "", ""]);
    assert.deepEqual(simple.split(",").map(decodeURIComponent), given);
  }));
});

Deno.test("C05 explode, given or by default, decides whether a list is one parameter or several", async () => {
  assert.equal(await queryOf({ explode: false }, ["x", "y,z"]), "/a?p=x,y%2Cz");
  assert.equal(await queryOf({ explode: true }, ["x", "y"]), "/a?p=x&p=y");
  assert.equal(await queryOf({ style: "form" }, ["x", "y"]), "/a?p=x&p=y");
  assert.equal(await queryOf({}, ["x", "y"]), "/a?p=x&p=y");
  assert.equal(await queryOf({}, { a: 1, b: 2 }), "/a?a=1&b=2");
  assert.equal(await queryOf({ explode: false }, { a: 1, b: 2 }), "/a?p=a,1,b,2");
  for (const place of ["header", "cookie"]) {
    const { headers } = await received("/a", [{ name: "p", in: place }], { p: { a: 1, b: 2 } });
    assert.equal(
      headers.get("p") ?? headers.get("cookie"),
      { header: "a,1,b,2", cookie: "a=1; b=2" }[place],
    );
  }
});

Deno.test("C06 a deepObject keeps its parameter's name, whatever explode says", async () => {
  for (const explode of [{}, { explode: true }, { explode: false }]) {
    const path = await queryOf({ style: "deepObject", ...explode }, {
      eq: "v",
      range: { from: 1 },
    });
    assert.equal(path, "/a?p%5Beq%5D=v&p%5Brange%5D%5Bfrom%5D=1");
    assert.equal(await queryOf({ style: "deepObject", ...explode }, {}), "/a");
  }
});

Deno.test("C07 no style but form and cookie explodes unless told to", async () => {
  assert.equal(await queryOf({ style: "pipeDelimited" }, ["a", "b"]), "/a?p=a%7Cb");
  assert.equal(await queryOf({ style: "spaceDelimited" }, ["a", "b"]), "/a?p=a%20b");
  assert.equal(await queryOf({ style: "pipeDelimited", explode: true }, ["a", "b"]), "/a?p=a&p=b");
  for (const [style, path] of [["simple", "a,1"], ["label", ".a,1"], ["matrix", ";p=a,1"]]) {
    const sent = await received("/a/{p}", [{ name: "p", in: "path", style }], { p: { a: 1 } });
    assert.equal(sent.path, `/a/${path}`);
  }
  const cookie = [{ name: "p", in: "cookie", style: "cookie" }];
  assert.equal((await received("/a", cookie, { p: [1, 2] })).headers.get("cookie"), "p=1; p=2");
});

Deno.test("a style that its place does not have is taken for the usual one", async () => {
  assert.equal(await queryOf({ style: "simple" }, ["a", "b"]), "/a?p=a,b");
  assert.equal(await queryOf({ style: "matrix", explode: true }, ["a", "b"]), "/a?p=a&p=b");
  const path = [{ name: "p", in: "path", style: "form" }];
  assert.equal((await received("/a/{p}", path, { p: ["a", "b"] })).path, "/a/a,b");
});

Deno.test("C31 numbers are exact in path, query, header and cookie, in lists and objects too", async () => {
  const whole = "123456789012345678901234567890";
  const fraction = "0.1000000000000000055511151231257827";
  await using site = api({
    "/a/{id}/{ids}": {
      get: {
        operationId: "big",
        parameters: [
          { name: "q", in: "query" },
          { name: "json", in: "query", content: { "application/json": {} } },
          { name: "deep", in: "query", style: "deepObject" },
          { name: "h", in: "header" },
          { name: "c", in: "cookie" },
        ],
      },
    },
  });
  const { path, headers } = await send(site, {
    method: "big",
    messages: [
      `{"id": ${whole}, "ids": [${whole}, 1], "q": {"a": ${whole}}, "json": [${fraction}],
        "deep": {"a": [${fraction}]}, "h": [${whole}, ${fraction}], "c": ${whole}}`,
    ],
  });
  const query = `a=${whole}&json=%5B${fraction}%5D&deep%5Ba%5D%5B0%5D=${fraction}`;
  assert.equal(path, `/a/${whole}/${whole},1?${query}`);
  assert.equal(headers.get("h"), `${whole},${fraction}`);
  assert.equal(headers.get("cookie"), `c=${whole}`);
});

Deno.test("C17 a path value is one segment, whatever is in it", async () => {
  const values = [
    "a/b c",
    "a\\b",
    "a?b#c",
    "a;b=c",
    "100%",
    "a%2Fb",
    "ü🙂",
    "…",
    "{x}",
    "a..b",
    ".",
  ];
  for (const id of values) {
    const { path } = await received("/items/{id}.json", [{ name: "id", in: "path" }], { id });
    assert.equal(path, `/items/${encodeURIComponent(id)}.json`);
  }
  const { path } = await received("/items/{id}", [], { id: "a/b c" });
  assert.equal(path, "/items/a%2Fb%20c");
});

for (const id of ["..", ".", "", [], {}]) {
  Deno.test(`a path value of ${JSON.stringify(id)}, which makes another path, is refused`, async () => {
    await using site = api({ "/items/{id}/parts": { get: { operationId: "item" } } });
    const call = openRest(site).invoke({ method: "item", message: { id } });
    await assert.rejects(call, { code: "invalid_argument" });
    assert.equal(site.received.length, 1);
  });
}

Deno.test("a path value that is dots in any spelling, or becomes so beside another, is refused", async () => {
  await using site = api({
    "/a/{x}{y}/b": { get: { operationId: "pair" } },
    "/a/{rest*}": { get: { operationId: "rest" } },
    "/b/{x}": {
      get: { operationId: "raw", parameters: [{ name: "x", in: "path", allowReserved: true }] },
    },
  });
  const rest = openRest(site);
  for (
    const [method, message] of [
      ["pair", { x: ".", y: "." }],
      ["rest", { rest: "b/../c" }],
      ["raw", { x: "%2e%2E" }],
    ] as const
  ) {
    await assert.rejects(rest.invoke({ method, message }), { code: "invalid_argument" });
  }
});

// Template, arguments, path and query as received; "p" is a query parameter of all of them.
const TEMPLATES: readonly (readonly [string, unknown, string])[] = [
  ["/a/{x}.{y}", { x: "1.2", y: "json" }, "/a/1.2.json"],
  ["/a/{x}/b/{x}", { x: "1" }, "/a/1/b/1"],
  ["/a({x})", { x: "k='v'" }, "/a(k%3D%27v%27)"],
  ["/a/{x}:run", { x: "1" }, "/a/1:run"],
  ["/a b/{ x }/ü", { x: "1" }, "/a%20b/1/%C3%BC"],
  ["/a/{x?}", { x: "1" }, "/a/1"],
  ["/a/{x:int}", { x: 1 }, "/a/1"],
  ["/a/{x:[0-9]+}", { x: 1 }, "/a/1"],
  ["/a/{x:path}", { x: "b/c d" }, "/a/b/c%20d"],
  ["/a/{x*}", { x: "b/c?d" }, "/a/b/c%3Fd"],
  ["/a/{**x}", { x: "b/c" }, "/a/b/c"],
  ["/a/{x+}", { x: "b/c" }, "/a/b/c"],
  ["/a/{+x}", { x: "b/c" }, "/a/b/c"],
  ["/a?y={y}", { y: "1&2" }, "/a?y=1%262"],
  ["/a?y={y}&z=3", { p: "4" }, "/a?z=3&p=4"],
  ["/a?q={p}&y={y}", { p: ["4", "5 6"], y: "" }, "/a?q=4,5%206&y="],
  ["/a?p={p}", { p: ".." }, "/a?p=.."],
  ["/a?fixed=1", { p: "4" }, "/a?fixed=1&p=4"],
  ["/a#Target=x.{y}", { p: "4" }, "/a?p=4"],
  ["/#Target=x?y", {}, "/"],
  ["a/{x}", { x: "1" }, "/a/1"],
];
for (const [template, message, expected] of TEMPLATES) {
  Deno.test(`the path template ${template} is filled`, async () => {
    const { path } = await received(template, [{ name: "p", in: "query" }], message);
    assert.equal(path, expected);
  });
}

Deno.test("a template's variable has the parameter of its own name before that of a shorter one", async () => {
  const parameters = [{ name: "x:", in: "path" }, { name: "x", in: "query" }];
  const { path } = await received("/a/{x:}", parameters, { "x:": "1/2", x: "3" });
  assert.equal(path, "/a/1%2F2?x=3");
});

Deno.test("a query in the path template takes declared parameters, of path or query, and others as optional", async () => {
  const path = "/a/{id}?lat={lat}&q={q}&key={key}";
  const parameters = [
    { name: "lat", in: "path", required: true },
    { name: "q", in: "query", schema: { type: "string" } },
  ];
  await using site = api({ [path]: { get: { operationId: "find", parameters } } });
  const fields = Object.values(await inputsOf(site));
  assert.deepEqual(
    fields.map(({ name, source, required }) => [name, source, required]).toSorted(),
    [
      ["id", "path", true],
      ["key", "query", false],
      ["lat", "path", true],
      ["q", "query", false],
    ],
  );
  const sent = async (message: unknown) => (await send(site, { method: "find", message })).path;
  assert.equal(await sent({ id: 1, lat: 2 }), "/a/1?lat=2");
  assert.equal(await sent({ id: 1, lat: 2, q: "x y", key: "k" }), "/a/1?lat=2&q=x%20y&key=k");
});

// Place, media type, value, and what arrives.
const CONTENT: readonly (readonly [string, string, unknown, string])[] = [
  ["query", "application/json", { a: ["ü", 1] }, `p=${encodeURIComponent('{"a":["ü",1]}')}`],
  ["query", "application/hal+json; charset=utf-8", [true], "p=%5Btrue%5D"],
  ["query", "application/json", "plain text", "p=plain%20text"],
  ["query", "application/x-www-form-urlencoded", { a: "b c", d: "&" }, "p=a%3Db%2Bc%26d%3D%2526"],
  ["query", "text/plain", "a b&c", "p=a%20b%26c"],
  ["query", "*/*", "a b", "p=a%20b"],
  ["query", "application/xml", "<a/>", "p=%3Ca%2F%3E"],
  ["path", "application/json", { a: 1 }, "%7B%22a%22%3A1%7D"],
  ["path", "*/*", "a/b", "a%2Fb"],
  ["header", "application/json", { a: "ü🙂" }, '{"a":"\\u00fc\\ud83d\\ude42"}'],
  ["header", "text/plain", 'a "b"; c=d', 'a "b"; c=d'],
  ["cookie", "application/json", { a: 1 }, "p=%7B%22a%22%3A1%7D"],
  ["cookie", "text/plain", "a%20b", "p=a%20b"],
];
for (const [place, type, p, expected] of CONTENT) {
  Deno.test(`a ${place} parameter of ${type} is written by its type: ${JSON.stringify(p)}`, async () => {
    const parameters = [{ name: "p", in: place, content: { [type]: {} } }];
    const template = place === "path" ? "/a/{p}" : "/a";
    const { path, headers } = await received(template, parameters, { p });
    const arrived = place === "header" ? headers.get("p") : headers.get("cookie");
    assert.equal(arrived ?? path.replace(/^\/a./, ""), expected);
  });
}

// The first four are examples of OpenAPI 3.2.
const WHOLE_QUERIES: readonly (readonly [string, unknown, string, Definition?])[] = [
  ["application/x-www-form-urlencoded", { foo: "a + b", bar: true }, "?foo=a+%2B+b&bar=true"],
  [
    "application/json",
    { numbers: [1, 2], flag: null },
    "?%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D",
  ],
  ["application/jsonpath", "$.a.b[1:1]", "?%24.a.b%5B1%3A1%5D"],
  ["application/x-www-form-urlencoded", { a: ["x", "y"], n: null }, "?a=x&a=y"],
  [
    "application/x-www-form-urlencoded",
    { a: ["x", "y"], b: { c: 1 } },
    "?a=x%7Cy&b=%7B%22c%22%3A1%7D",
    { encoding: { a: { style: "pipeDelimited" } } },
  ],
  ["application/x-www-form-urlencoded", "a=b+c", "?a=b+c"],
  ["application/x-www-form-urlencoded", {}, ""],
  ["text/plain", 'a[b]=c d&e=f+"g"%20#h', "?a%5Bb%5D=c%20d&e=f+%22g%22%20%23h"],
];
for (const [type, value, expected, media = {}] of WHOLE_QUERIES) {
  Deno.test(`a whole query of ${type} is sent: ${JSON.stringify(value)}`, async () => {
    const parameters = [{ name: "q", in: "querystring", content: { [type]: media } }];
    assert.equal((await received("/a", parameters, { q: value })).path, `/a${expected}`);
  });
}

Deno.test("a whole query is an argument in the query, by its name or by querystring", async () => {
  const content = { "application/x-www-form-urlencoded": { schema: { type: "object" } } };
  await using site = api({ "/a": { get: { parameters: [{ in: "querystring", content }] } } });
  const { querystring } = await inputsOf(site);
  assert.equal(querystring?.source, "query");
  const metadata = { "__bowireQuery__key": "k" };
  const { path } = await send(site, {
    method: "get_a",
    message: { querystring: { a: 1 } },
    metadata,
  });
  assert.equal(path, "/a?a=1&key=k");
});

Deno.test("a media type that is a reference is followed", async () => {
  const parameters = [
    {
      name: "p",
      in: "query",
      content: { "application/json": { $ref: "#/components/mediaTypes/p" } },
    },
  ];
  await using site = api(
    { "/a": { get: { parameters } } },
    { openapi: "3.2.0", components: { mediaTypes: { p: { schema: { type: "boolean" } } } } },
  );
  assert.equal((await inputsOf(site))["p"]?.type, "bool");
  assert.equal(
    (await send(site, { method: "get_a", message: { p: [true] } })).path,
    "/a?p=%5Btrue%5D",
  );
});

Deno.test("every collectionFormat of Swagger 2 is kept, in its own place and by reference", async () => {
  const listOf = (name: string, place: string, format?: string) => ({
    name,
    in: place,
    type: "array",
    items: { type: "string" },
    ...(format === undefined ? {} : { collectionFormat: format }),
  });
  const FORMATS = ["csv", "ssv", "tsv", "pipes"];
  const parameters = [
    ...FORMATS.map((format) => listOf(`q-${format}`, "query", format)),
    listOf("q", "query"),
    listOf("q-multi", "query", "multi"),
    ...FORMATS.map((format) => listOf(`h-${format}`, "header", format)),
    ...FORMATS.map((format) => listOf(`p-${format}`, "path", format)),
    { $ref: "#/parameters/shared" },
    listOf("f", "formData"),
    listOf("f-multi", "formData", "multi"),
  ];
  const path = `/a/${FORMATS.map((format) => `{p-${format}}`).join("/")}`;
  const consumes = ["application/x-www-form-urlencoded"];
  const document = {
    swagger: "2.0",
    info: { title: "Lists", version: "1" },
    parameters: { shared: listOf("shared", "query", "tsv") },
    paths: { [path]: { post: { operationId: "lists", consumes, parameters, responses: {} } } },
  };
  await using site = serve({ "/openapi.json": json(document) }, json({}));
  const names = Object.keys(await inputsOf(site));
  const message = Object.fromEntries(names.map((name) => [name, ["a", "b"]]));
  const sent = await send(site, { method: "lists", message });
  const [sentPath, query] = sent.path.split("?");
  assert.equal(sentPath, "/a/a,b/a%20b/a%09b/a%7Cb");
  assert.deepEqual(
    query?.split("&"),
    [
      "q-csv=a,b",
      "q-ssv=a%20b",
      "q-tsv=a%09b",
      "q-pipes=a%7Cb",
      "q=a,b",
      "q-multi=a",
      "q-multi=b",
      "shared=a%09b",
    ],
  );
  assert.deepEqual(
    FORMATS.map((format) => sent.headers.get(`h-${format}`)),
    ["a,b", "a b", "a\tb", "a|b"],
  );
  assert.equal(sent.body, "f=a,b&f-multi=a&f-multi=b");
});

Deno.test("a header or query parameter without items is not sent, an empty text is", async () => {
  const parameters = [
    { name: "X-A", in: "header", schema: { type: "array" } },
    { name: "X-B", in: "header" },
    { name: "p", in: "query" },
    { name: "q", in: "query" },
  ];
  const { path, headers } = await received("/a", parameters, {
    "X-A": [],
    "X-B": "",
    p: [],
    q: "",
  });
  assert.deepEqual([path, headers.has("x-a"), headers.get("x-b")], ["/a?q=", false, ""]);
});

Deno.test("cookies of parameters and metadata are one header, and a reserved header is none's", async () => {
  const parameters = [
    { name: "theme", in: "cookie" },
    { name: "lang", in: "cookie", schema: { type: "array" } },
    { name: "Authorization", in: "header", required: true },
    { name: "X-Ids", in: "header", schema: { type: "array" } },
  ];
  await using site = api({ "/a": { get: { parameters } } });
  const { headers } = await send(site, {
    method: "get_a",
    message: { "X-Ids": [1, 2], theme: "dark; x", lang: ["de", "en"] },
    metadata: { cookie: "session=1" },
  });
  assert.equal(headers.get("x-ids"), "1,2");
  assert.equal(headers.get("cookie"), "session=1; theme=dark%3B%20x; lang=de; lang=en");
  assert.equal(headers.has("authorization"), false);
});
