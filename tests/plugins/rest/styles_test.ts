/**
 * Every style of a parameter in every place it may have, with and without `explode` and
 * `allowReserved`: what the server receives.
 *
 * @module
 */
import assert from "node:assert/strict";
import { api, openRest } from "./fixture.ts";

/** A value that the call refuses to send there. */
const REFUSED = "(refused)";
/** Nothing of the parameter is sent. */
const NOTHING = "(nothing)";

interface Sent {
  readonly place: string;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved?: boolean;
  /** JSON text. */
  readonly value: string;
}

/** What arrives of the parameter `color` of a method that has no other. */
async function arrivedText({ place, value, ...others }: Sent): Promise<string> {
  const path = place === "path" ? "/a/x{color}" : "/a";
  const parameters = [{ name: "color", in: place, ...others }];
  const document = { openapi: "3.2.0" };
  await using site = api({ [path]: { get: { operationId: "paint", parameters } } }, document);
  const call = { method: "paint", messages: [`{"color":${value}}`], validate: false };
  try {
    await openRest(site).invoke(call);
  } catch (error) {
    assert.equal(Object(error).code, "invalid_argument");
    return REFUSED;
  }
  const received = site.received.at(-1);
  assert.ok(received !== undefined);
  const [, pathText = "", query] = /^\/a(?:\/x([^?]*))?(?:\?(.*))?$/.exec(received.path) ?? [];
  if (place === "path") return pathText;
  if (place === "query") return query ?? NOTHING;
  return received.headers.get(place === "header" ? "color" : "cookie") ?? NOTHING;
}

/** The rows of a table, each with its cells. */
function rowsOf(table: string): string[][] {
  return table.trim().split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
}

const PLACE_OF_STYLE: Readonly<Record<string, readonly string[]>> = {
  matrix: ["path"],
  label: ["path"],
  simple: ["path", "header"],
  form: ["query", "cookie"],
  spaceDelimited: ["query"],
  pipeDelimited: ["query"],
  deepObject: ["query"],
  cookie: ["cookie"],
};

// OpenAPI 3.2.0, "Style Examples", word for word; 3.1.1 has the same but for the rows of `cookie`.
// The column `undefined` has what RFC 6570 makes of an empty string.
const STYLE_EXAMPLES = `
matrix | false | ;color | ;color=blue | ;color=blue,black,brown | ;color=R,100,G,200,B,150
matrix | true | ;color | ;color=blue | ;color=blue;color=black;color=brown | ;R=100;G=200;B=150
label | false | . | .blue | .blue,black,brown | .R,100,G,200,B,150
label | true | . | .blue | .blue.black.brown | .R=100.G=200.B=150
simple | false | _empty_ | blue | blue,black,brown | R,100,G,200,B,150
simple | true | _empty_ | blue | blue,black,brown | R=100,G=200,B=150
form | false | color= | color=blue | color=blue,black,brown | color=R,100,G,200,B,150
form | true | color= | color=blue | color=blue&color=black&color=brown | R=100&G=200&B=150
spaceDelimited | false | _n/a_ | _n/a_ | color=blue%20black%20brown | color=R%20100%20G%20200%20B%20150
spaceDelimited | true | _n/a_ | _n/a_ | _n/a_ | _n/a_
pipeDelimited | false | _n/a_ | _n/a_ | color=blue%7Cblack%7Cbrown | color=R%7C100%7CG%7C200%7CB%7C150
pipeDelimited | true | _n/a_ | _n/a_ | _n/a_ | _n/a_
deepObject | _n/a_ | _n/a_ | _n/a_ | _n/a_ | color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150
cookie | false | color= | color=blue | color=blue,black,brown | color=R,100,G,200,B,150
cookie | true | color= | color=blue | color=blue; color=black; color=brown | R=100; G=200; B=150
`;
const EXAMPLE_VALUES = [
  '""',
  '"blue"',
  '["blue", "black", "brown"]',
  '{"R": 100, "G": 200, "B": 150}',
];

for (const [style = "", explode, ...cells] of rowsOf(STYLE_EXAMPLES)) {
  if (cells.every((cell) => cell === "_n/a_")) continue;
  for (const place of PLACE_OF_STYLE[style] ?? []) {
    Deno.test(`style ${style}, explode ${explode}, in a ${place}: the specification's examples`, async () => {
      for (const [index, cell] of cells.entries()) {
        if (cell === "_n/a_") continue;
        const written = cell === "_empty_" ? "" : cell;
        // "&" joins no cookies (Appendix D).
        const expected = place === "cookie" ? written.replaceAll("&", "; ") : written;
        // A path with an empty value is another path.
        const isNoPath = place === "path" && expected === "";
        const value = EXAMPLE_VALUES[index] ?? "";
        for (const exploded of explode === "_n/a_" ? [false, true] : [explode === "true"]) {
          assert.equal(
            await arrivedText({ place, style, explode: exploded, value }),
            isNoPath ? REFUSED : expected,
            value,
          );
        }
      }
    });
  }
}

Deno.test("what the specification leaves open: delimited styles explode as forms do, brackets count the items of lists", async () => {
  const rows = rowsOf(`
spaceDelimited | true | "" | color=
spaceDelimited | true | ["a", "b c"] | color=a&color=b%20c
spaceDelimited | true | {"R": 1, "G": 2} | R=1&G=2
pipeDelimited | false | "blue" | color=blue
pipeDelimited | true | ["a", "b"] | color=a&color=b
deepObject | false | "blue" | color=blue
deepObject | true | ["a", null, "b"] | color%5B0%5D=a&color%5B1%5D=b
deepObject | true | {"a": {"b c": [1, {"d": true}]}} | color%5Ba%5D%5Bb%20c%5D%5B0%5D=1&color%5Ba%5D%5Bb%20c%5D%5B1%5D%5Bd%5D=true
form | false | [["a"], {"b": 1}] | color=%5B%22a%22%5D,%7B%22b%22%3A1%7D
form | true | {"a": ["x", null]} | a=%5B%22x%22%2Cnull%5D
`);
  for (const [style = "", explode, value = "", expected] of rows) {
    const sent = { place: "query", style, explode: explode === "true", value };
    assert.equal(await arrivedText(sent), expected, `${style} ${explode} ${value}`);
  }
});

// All reserved characters of RFC 3986, and what else there is.
const TEXT = ":/?#[]@!$&'()*+,;=% \"ü🙂%41";
const ENCODED =
  "%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25%20%22%C3%BC%F0%9F%99%82%2541";
// With `allowReserved` a triple stays, and each place encodes what would be structure there; the
// URL standard encodes the apostrophe of a query.
const RESERVED: Readonly<Record<string, string>> = {
  path: ":%2F%3F%23%5B%5D@!$&'()*+,;=%25%20%22%C3%BC%F0%9F%99%82%41",
  matrix: ":%2F%3F%23%5B%5D@!$&'()*+,%3B=%25%20%22%C3%BC%F0%9F%99%82%41",
  query: ":/?%23%5B%5D@!$%26%27()*%2B,;%3D%25%20%22%C3%BC%F0%9F%99%82%41",
  cookie: ":/?#[]@!$&'()*+%2C%3B=%25%20%22%C3%BC%F0%9F%99%82%41",
};
const SCALARS = ["1.5", "-0.25", "0", "true", "false", "12345678901234567890"];

// The text of a string and of the scalars, "_" standing for it.
const SINGLE = rowsOf(`
path | simple | _ | path
path | label | ._ | path
path | matrix | ;color=_ | matrix
query | form | color=_ | query
query | spaceDelimited | color=_ | query
query | pipeDelimited | color=_ | query
query | deepObject | color=_ | query
cookie | form | color=_ | cookie
`);
for (const [place = "", style = "", around = "", reserved = ""] of SINGLE) {
  Deno.test(`style ${style} in a ${place}: strings and scalars`, async () => {
    for (const explode of [false, true]) {
      for (const allowReserved of [false, true]) {
        const parameter = { place, style, explode, allowReserved };
        const text = allowReserved ? RESERVED[reserved] ?? "" : ENCODED;
        const sent = await arrivedText({ ...parameter, value: JSON.stringify(TEXT) });
        assert.equal(sent, around.replace("_", () => text));
        for (const value of SCALARS) {
          const expected = around.replace("_", value);
          assert.equal(await arrivedText({ ...parameter, value }), expected);
        }
        assert.equal(
          await arrivedText({ ...parameter, value: "null" }),
          place === "path" ? REFUSED : NOTHING,
        );
      }
    }
  });
}

const LIST = '["a b", "c,d;e=f", "ü%41/", 12345678901234567890, null, ""]';
const RECORD = '{"k&=": "c,d;e=f", "é": "/?", "n": null, "e": "", "b": false}';
const STRUCTURES = `
path | simple | false | false | a%20b,c%2Cd%3Be%3Df,%C3%BC%2541%2F,12345678901234567890, | k%26%3D,c%2Cd%3Be%3Df,%C3%A9,%2F%3F,e,,b,false
path | simple | true | false | a%20b,c%2Cd%3Be%3Df,%C3%BC%2541%2F,12345678901234567890, | k%26%3D=c%2Cd%3Be%3Df,%C3%A9=%2F%3F,e=,b=false
path | simple | false | true | a%20b,c%2Cd;e=f,%C3%BC%41%2F,12345678901234567890, | k%26%3D,c%2Cd;e=f,%C3%A9,%2F%3F,e,,b,false
path | simple | true | true | a%20b,c%2Cd;e=f,%C3%BC%41%2F,12345678901234567890, | k%26%3D=c%2Cd;e=f,%C3%A9=%2F%3F,e=,b=false
path | label | false | false | .a%20b,c%2Cd%3Be%3Df,%C3%BC%2541%2F,12345678901234567890, | .k%26%3D,c%2Cd%3Be%3Df,%C3%A9,%2F%3F,e,,b,false
path | label | true | false | .a%20b.c%2Cd%3Be%3Df.%C3%BC%2541%2F.12345678901234567890. | .k%26%3D=c%2Cd%3Be%3Df.%C3%A9=%2F%3F.e=.b=false
path | label | false | true | .a%20b,c%2Cd;e=f,%C3%BC%41%2F,12345678901234567890, | .k%26%3D,c%2Cd;e=f,%C3%A9,%2F%3F,e,,b,false
path | label | true | true | .a%20b.c,d;e=f.%C3%BC%41%2F.12345678901234567890. | .k%26%3D=c,d;e=f.%C3%A9=%2F%3F.e=.b=false
path | matrix | false | false | ;color=a%20b,c%2Cd%3Be%3Df,%C3%BC%2541%2F,12345678901234567890, | ;color=k%26%3D,c%2Cd%3Be%3Df,%C3%A9,%2F%3F,e,,b,false
path | matrix | true | false | ;color=a%20b;color=c%2Cd%3Be%3Df;color=%C3%BC%2541%2F;color=12345678901234567890;color | ;k%26%3D=c%2Cd%3Be%3Df;%C3%A9=%2F%3F;e;b=false
path | matrix | false | true | ;color=a%20b,c%2Cd%3Be=f,%C3%BC%41%2F,12345678901234567890, | ;color=k%26%3D,c%2Cd%3Be=f,%C3%A9,%2F%3F,e,,b,false
path | matrix | true | true | ;color=a%20b;color=c,d%3Be=f;color=%C3%BC%41%2F;color=12345678901234567890;color | ;k%26%3D=c,d%3Be=f;%C3%A9=%2F%3F;e;b=false
query | form | false | false | color=a%20b,c%2Cd%3Be%3Df,%C3%BC%2541%2F,12345678901234567890, | color=k%26%3D,c%2Cd%3Be%3Df,%C3%A9,%2F%3F,e,,b,false
query | form | true | false | color=a%20b&color=c%2Cd%3Be%3Df&color=%C3%BC%2541%2F&color=12345678901234567890&color= | k%26%3D=c%2Cd%3Be%3Df&%C3%A9=%2F%3F&e=&b=false
query | form | false | true | color=a%20b,c%2Cd;e%3Df,%C3%BC%41/,12345678901234567890, | color=k%26%3D,c%2Cd;e%3Df,%C3%A9,/?,e,,b,false
query | form | true | true | color=a%20b&color=c,d;e%3Df&color=%C3%BC%41/&color=12345678901234567890&color= | k%26%3D=c,d;e%3Df&%C3%A9=/?&e=&b=false
query | spaceDelimited | false | false | color=a%20b%20c%2Cd%3Be%3Df%20%C3%BC%2541%2F%2012345678901234567890%20 | color=k%26%3D%20c%2Cd%3Be%3Df%20%C3%A9%20%2F%3F%20e%20%20b%20false
query | spaceDelimited | true | false | color=a%20b&color=c%2Cd%3Be%3Df&color=%C3%BC%2541%2F&color=12345678901234567890&color= | k%26%3D=c%2Cd%3Be%3Df&%C3%A9=%2F%3F&e=&b=false
query | spaceDelimited | false | true | color=a%20b%20c,d;e%3Df%20%C3%BC%41/%2012345678901234567890%20 | color=k%26%3D%20c,d;e%3Df%20%C3%A9%20/?%20e%20%20b%20false
query | spaceDelimited | true | true | color=a%20b&color=c,d;e%3Df&color=%C3%BC%41/&color=12345678901234567890&color= | k%26%3D=c,d;e%3Df&%C3%A9=/?&e=&b=false
query | pipeDelimited | false | false | color=a%20b%7Cc%2Cd%3Be%3Df%7C%C3%BC%2541%2F%7C12345678901234567890%7C | color=k%26%3D%7Cc%2Cd%3Be%3Df%7C%C3%A9%7C%2F%3F%7Ce%7C%7Cb%7Cfalse
query | pipeDelimited | true | false | color=a%20b&color=c%2Cd%3Be%3Df&color=%C3%BC%2541%2F&color=12345678901234567890&color= | k%26%3D=c%2Cd%3Be%3Df&%C3%A9=%2F%3F&e=&b=false
query | pipeDelimited | false | true | color=a%20b%7Cc,d;e%3Df%7C%C3%BC%41/%7C12345678901234567890%7C | color=k%26%3D%7Cc,d;e%3Df%7C%C3%A9%7C/?%7Ce%7C%7Cb%7Cfalse
query | pipeDelimited | true | true | color=a%20b&color=c,d;e%3Df&color=%C3%BC%41/&color=12345678901234567890&color= | k%26%3D=c,d;e%3Df&%C3%A9=/?&e=&b=false
query | deepObject | false | false | color%5B0%5D=a%20b&color%5B1%5D=c%2Cd%3Be%3Df&color%5B2%5D=%C3%BC%2541%2F&color%5B3%5D=12345678901234567890&color%5B4%5D= | color%5Bk%26%3D%5D=c%2Cd%3Be%3Df&color%5B%C3%A9%5D=%2F%3F&color%5Be%5D=&color%5Bb%5D=false
query | deepObject | true | false | color%5B0%5D=a%20b&color%5B1%5D=c%2Cd%3Be%3Df&color%5B2%5D=%C3%BC%2541%2F&color%5B3%5D=12345678901234567890&color%5B4%5D= | color%5Bk%26%3D%5D=c%2Cd%3Be%3Df&color%5B%C3%A9%5D=%2F%3F&color%5Be%5D=&color%5Bb%5D=false
query | deepObject | false | true | color%5B0%5D=a%20b&color%5B1%5D=c,d;e%3Df&color%5B2%5D=%C3%BC%41/&color%5B3%5D=12345678901234567890&color%5B4%5D= | color%5Bk%26%3D%5D=c,d;e%3Df&color%5B%C3%A9%5D=/?&color%5Be%5D=&color%5Bb%5D=false
query | deepObject | true | true | color%5B0%5D=a%20b&color%5B1%5D=c,d;e%3Df&color%5B2%5D=%C3%BC%41/&color%5B3%5D=12345678901234567890&color%5B4%5D= | color%5Bk%26%3D%5D=c,d;e%3Df&color%5B%C3%A9%5D=/?&color%5Be%5D=&color%5Bb%5D=false
header | simple | false | false | a b,c,d;e=f,ü%41/,12345678901234567890, | k&=,c,d;e=f,é,/?,e,,b,false
header | simple | true | false | a b,c,d;e=f,ü%41/,12345678901234567890, | k&==c,d;e=f,é=/?,e=,b=false
header | simple | false | true | a b,c,d;e=f,ü%41/,12345678901234567890, | k&=,c,d;e=f,é,/?,e,,b,false
header | simple | true | true | a b,c,d;e=f,ü%41/,12345678901234567890, | k&==c,d;e=f,é=/?,e=,b=false
cookie | form | false | false | color=a%20b,c%2Cd%3Be%3Df,%C3%BC%2541%2F,12345678901234567890, | color=k%26%3D,c%2Cd%3Be%3Df,%C3%A9,%2F%3F,e,,b,false
cookie | form | true | false | color=a%20b; color=c%2Cd%3Be%3Df; color=%C3%BC%2541%2F; color=12345678901234567890; color= | k%26%3D=c%2Cd%3Be%3Df; %C3%A9=%2F%3F; e=; b=false
cookie | form | false | true | color=a%20b,c%2Cd%3Be=f,%C3%BC%41/,12345678901234567890, | color=k%26%3D,c%2Cd%3Be=f,%C3%A9,/?,e,,b,false
cookie | form | true | true | color=a%20b; color=c%2Cd%3Be=f; color=%C3%BC%41/; color=12345678901234567890; color= | k%26%3D=c%2Cd%3Be=f; %C3%A9=/?; e=; b=false
`;
for (const [place = "", style = "", exploded, reserved, list, record] of rowsOf(STRUCTURES)) {
  const parameter = {
    place,
    style,
    explode: exploded === "true",
    allowReserved: reserved === "true",
  };
  Deno.test(`style ${style}, explode ${exploded}, allowReserved ${reserved}, in a ${place}: lists and objects`, async () => {
    assert.equal(await arrivedText({ ...parameter, value: LIST }), list);
    assert.equal(await arrivedText({ ...parameter, value: RECORD }), record);
    for (const value of ["[]", "{}", "[null]", '{"n": null}']) {
      const expected = place === "path" ? REFUSED : NOTHING;
      assert.equal(await arrivedText({ ...parameter, value }), expected, value);
    }
  });
}

Deno.test("headers, and cookies of style cookie, carry values as they are or not at all", async () => {
  const rows = rowsOf(`
header | simple | ":/?#[]@!$&'()*+,;=% \\"ü%41" | :/?#[]@!$&'()*+,;=% "ü%41
header | simple | "" |
header | simple | 12345678901234567890 | 12345678901234567890
header | simple | false | false
header | simple | null | (nothing)
header | simple | "🙂" | (refused)
header | simple | "a\\r\\nb: c" | (refused)
header | simple | ["a", "b\\n"] | (refused)
cookie | cookie | ":/?#[]@!$&'()*+,=% \\"ü%41" | color=:/?#[]@!$&'()*+,=% "ü%41
cookie | cookie | "Hello%2C world!" | color=Hello%2C world!
cookie | cookie | ["a b", "ü%41/", 12345678901234567890] | color=a b; color=ü%41/; color=12345678901234567890
cookie | cookie | {"greeting": "Hello%2C world!", "code": 42} | greeting=Hello%2C world!; code=42
cookie | cookie | true | color=true
cookie | cookie | null | (nothing)
cookie | cookie | "a; admin=1" | (refused)
cookie | cookie | {"a; admin": 1} | (refused)
cookie | cookie | ["a", "b;"] | (refused)
cookie | cookie | "a\\r\\nb" | (refused)
cookie | cookie | "🙂" | (refused)
`);
  for (const [place = "", style = "", value = "", expected] of rows) {
    for (const allowReserved of [false, true]) {
      const sent = { place, style, explode: true, allowReserved, value };
      assert.equal(await arrivedText(sent), expected, `${place} ${value}`);
    }
  }
});
