import { deepEqual, equal, match, ok } from "node:assert/strict";
import { failureOf, refusalOf } from "../../lib/adapter/answers/failures.ts";
import { KeptAnswers } from "../../lib/adapter/answers/kept_answers.ts";
import { resultOf } from "../../lib/adapter/answers/results.ts";
import { BowireError } from "../../lib/errors/mod.ts";
import { portableOutput } from "../../lib/adapter/schema/output.ts";
import type { Invocation } from "../../lib/model/mod.ts";
import { textOf } from "./fixture.ts";

const OK = {
  status: "OK",
  ok: true,
  retryable: false,
  durationMs: 1,
  response: null,
  metadata: {},
};

function resultFor(invocation: Partial<Invocation>, options: { maxChars?: number } = {}) {
  const kept = new KeptAnswers();
  const outcome = resultOf({ ...OK, ...invocation }, {
    maxChars: options.maxChars ?? 1000,
    kept,
    name: "get_it",
  });
  return { kept, outcome };
}

Deno.test("resultOf gives an object as text and as data, its numbers exact", () => {
  const { outcome } = resultFor({ response: '{"id":9007199254740993}' });
  deepEqual(outcome.content, [{ type: "text", text: '{"id":9007199254740993}' }]);
  equal(JSON.stringify(outcome.structured), '{"id":9007199254740993}');
  equal(outcome.isError, false);
});

Deno.test("resultOf gives JSON that is no object, and text that is no JSON, as text alone", () => {
  for (const response of ["[1,2]", '"a"', "null", "plain"]) {
    const { outcome } = resultFor({ response });
    deepEqual(outcome.content, [{ type: "text", text: response }]);
    equal(outcome.structured, undefined);
  }
});

Deno.test("resultOf says that an answer is empty", () => {
  equal(textOf(resultFor({}).outcome), "The target answered OK, without content.");
});

Deno.test("resultOf gives pictures and sounds as such, and other bytes as a resource", () => {
  const bytes = (type: string) =>
    resultFor({ responseBinary: "AAEC", metadata: { "Content-Type": type } }).outcome.content.at(
      -1,
    );
  deepEqual(bytes("image/png; x=y"), { type: "image", data: "AAEC", mimeType: "image/png" });
  deepEqual(bytes("audio/wav"), { type: "audio", data: "AAEC", mimeType: "audio/wav" });
  const { outcome, kept } = resultFor({ responseBinary: "AAEC", metadata: {} });
  const block = outcome.content.at(-1);
  ok(block?.type === "resource");
  const { uri } = block.resource;
  deepEqual(block.resource, { uri, mimeType: "application/octet-stream", blob: "AAEC" });
  deepEqual(kept.read(uri), block.resource);
  match(textOf(outcome), /application\/octet-stream, 3 bytes/);
});

Deno.test("resultOf shows the beginning of a large answer, counts it, and keeps the whole", () => {
  const response = JSON.stringify({ total: 3, items: ["a".repeat(50), "b".repeat(50), "c"] });
  const { outcome, kept } = resultFor({
    response,
    metadata: { "content-type": "application/json; charset=utf-8" },
  }, { maxChars: 40 });
  const [note, head, link] = outcome.content;
  ok(note?.type === "text" && head?.type === "text" && link?.type === "resource_link");
  match(note.text, new RegExp(`${response.length} characters, 3 items in "items".*first 40`));
  equal(head.text, response.slice(0, 40));
  match(link.uri, /^bowire-answer:\/\/[0-9a-f-]{36}$/);
  deepEqual(kept.read(link.uri), { uri: link.uri, mimeType: "application/json", text: response });
  equal(outcome.structured, undefined);
});

Deno.test("resultOf tells what headers say of the rest, and masks secrets in it", () => {
  const { outcome } = resultFor({
    response: "[]",
    metadata: {
      "set-cookie": "a=b",
      "x-total-count": "12",
      http_link_next: "http://a.example/?page=2&access_token=canary",
    },
  });
  equal(
    textOf(outcome),
    "[]\nx-total-count: 12\nhttp_link_next: http://a.example/?page=2&access_token=***",
  );
});

Deno.test("KeptAnswers lets the oldest go when there are too many, and takes none that is too large", () => {
  const kept = new KeptAnswers(10);
  const uris = ["aaaa", "bbbb", "cccc"].map((text) =>
    kept.keep({ text, mimeType: "text/plain" }, "it")?.uri ?? ""
  );
  deepEqual(uris.map((uri) => kept.read(uri) !== undefined), [false, true, true]);
  equal(kept.keep({ blob: "A".repeat(11), mimeType: "x/y" }, "it"), undefined);
  equal(kept.read("bowire-answer://nobody"), undefined);
});

Deno.test("C57 failureOf is an error with status, retry and body", () => {
  const outcome = failureOf({
    ...OK,
    ok: false,
    status: "Unavailable",
    retryable: true,
    hint: "wait a little",
    response: '{"reason":"busy"}',
    metadata: { http_status: "503", http_reason: "Service Unavailable", "retry-after": "3" },
  }, 1000);
  equal(outcome.isError, true);
  deepEqual(outcome.structured, {
    error: {
      code: "call_failed",
      status: "Unavailable",
      httpStatus: 503,
      message: "the target answered Unavailable (HTTP 503 Service Unavailable)",
      retryable: true,
      hint: "wait a little",
    },
    body: { reason: "busy" },
  });
  equal(
    textOf(outcome),
    "The call failed: the target answered Unavailable (HTTP 503 Service Unavailable).\n" +
      'The same call may succeed later.\nwait a little\nretry-after: 3\nIt said:\n{"reason":"busy"}',
  );
});

Deno.test("failureOf cuts what is long", () => {
  const failed = { ...OK, ok: false, status: "Internal", response: "x".repeat(100) };
  const outcome = failureOf(failed, 10);
  deepEqual(outcome.structured?.["body"], "xxxxxxxxxx… (100 characters in all)");
});

Deno.test("refusalOf keeps what went wrong inside to the log", () => {
  const expected = refusalOf(new BowireError("timeout", "it took too long", { retryable: true }));
  match(textOf(expected), /it took too long\.\nThe same call may succeed later\./);
  const internal = refusalOf(new TypeError("/secret/path"));
  ok(!JSON.stringify(internal).includes("/secret/path"));
  equal(internal.isError, true);
});

Deno.test("portableOutput leaves out of the data what is of another type", () => {
  const output = portableOutput(JSON.stringify({
    type: "object",
    required: ["id"],
    properties: {
      id: { type: "integer", minimum: 5 },
      name: { type: ["string", "null"], pattern: "^x" },
      error: { type: "string" },
    },
    additionalProperties: false,
  }));
  deepEqual(output?.schema, {
    type: "object",
    properties: {
      id: { type: "integer" },
      name: { anyOf: [{ type: "string" }, { type: "null" }] },
    },
  });
  const outcome = resultOf({ ...OK, response: '{"id":"7","name":null,"more":1}' }, {
    maxChars: 1000,
    kept: new KeptAnswers(),
    name: "it",
    output,
  });
  deepEqual(outcome.structured, { name: null, more: 1 });
  match(textOf(outcome), /of another type, and left out of the data, is "id"/);
});

Deno.test("portableOutput has nothing to say of lists and texts", () => {
  equal(portableOutput('{"type":"array"}'), undefined);
  equal(portableOutput('{"type":"string"}'), undefined);
  equal(portableOutput("{}"), undefined);
});
