import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import {
  contentTypeOf,
  decodeBody,
  headersToRecord,
  type HttpAnswer,
  isJsonMediaType,
  USER_AGENT,
} from "../../lib/protocol/mod.ts";

function answerOf(
  body: string | readonly number[],
  ...headers: readonly (readonly [string, string])[]
): HttpAnswer {
  return {
    url: "http://h/",
    status: 200,
    reason: "OK",
    headers,
    body: typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body),
  };
}

Deno.test("headersToRecord joins what comes more than once", () => {
  deepStrictEqual(
    headersToRecord(answerOf("", ["set-cookie", "a=1"], ["x", "1"], ["set-cookie", "b=2"])),
    { "set-cookie": "a=1, b=2", x: "1" },
  );
});

const CONTENT_TYPES: readonly (readonly [value: string, mediaType: string, charset: string])[] = [
  ["Text/HTML", "text/html", ""],
  ["text/plain; charset=utf-8", "text/plain", "utf-8"],
  ['Application/JSON ; a=b; Charset="ISO-8859-1"', "application/json", "ISO-8859-1"],
  ["", "", ""],
];

for (const [value, mediaType, charset] of CONTENT_TYPES) {
  Deno.test(`contentTypeOf reads "${value}"`, () => {
    deepStrictEqual(contentTypeOf(answerOf("", ["content-type", value])), { mediaType, charset });
  });
}

Deno.test("contentTypeOf gives empty parts when there is no such header", () => {
  deepStrictEqual(contentTypeOf(answerOf("")), { mediaType: "", charset: "" });
});

Deno.test("isJsonMediaType knows JSON and its suffix, but not its streams", () => {
  const json = ["application/json", "text/json", "application/problem+json"];
  const streams = ["application/x-ndjson", "application/jsonl", "application/geo+json-seq"];
  const other = [...streams, "text/plain", "application/jsonp", "application/json5", "json", ""];
  deepStrictEqual([...json, ...other].filter(isJsonMediaType), json);
});

const LATIN1 = "text/plain; charset=iso-8859-1";
const AS_TEXT: readonly (readonly [string, string | readonly number[], string, string])[] = [
  ["UTF-8 without a charset", "grüße 😀", "text/plain", "grüße 😀"],
  ["UTF-8 without a type", "grüße", "", "grüße"],
  ["UTF-8 with a byte order mark", [0xef, 0xbb, 0xbf, 0x7b, 0x7d], "application/json", "{}"],
  ["Latin 1", [0x67, 0x72, 0xfc, 0xdf, 0x65], LATIN1, "grüße"],
  ["Shift JIS", [0x93, 0xfa], 'text/plain; charset="Shift_JIS"', "日"],
  ["UTF-16", [0x61, 0x00], "text/plain; charset=utf-16le", "a"],
  ["SVG", "<svg/>", "image/svg+xml", "<svg/>"],
];

for (const [what, body, type, text] of AS_TEXT) {
  Deno.test(`decodeBody reads ${what} as text`, () => {
    const headers = type === "" ? [] : [["content-type", type] as const];
    deepStrictEqual(decodeBody(answerOf(body, ...headers)), { text });
  });
}

const AS_BYTES: readonly (readonly [string, string | readonly number[], string])[] = [
  ["invalid UTF-8", [0x61, 0xff], "text/plain"],
  ["half a character", [0xf0, 0x9f, 0x98], "application/json; charset=utf-8"],
  ["an image", "GIF89a", "image/gif"],
  ["a PDF", "%PDF", "application/pdf"],
  ["bytes", "abc", "application/octet-stream"],
  ["protobuf", "abc", "Application/X-Protobuf"],
  ["a charset nobody knows", "abc", "text/plain; charset=klingon"],
];

for (const [what, body, type] of AS_BYTES) {
  Deno.test(`decodeBody gives ${what} as base64`, () => {
    const answer = answerOf(body, ["content-type", type]);
    deepStrictEqual(decodeBody(answer), { text: null, base64: answer.body.toBase64() });
  });
}

Deno.test("decodeBody gives nothing for an empty body", () => {
  deepStrictEqual(decodeBody(answerOf("", ["content-type", "image/png"])), { text: null });
});

Deno.test("USER_AGENT names product and version", () => {
  match(USER_AGENT, /^bowire\/\d+\.\d+\.\d+/);
  strictEqual(new Headers({ "user-agent": USER_AGENT }).get("user-agent"), USER_AGENT);
});
