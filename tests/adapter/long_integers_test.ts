import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { toMessage } from "../../lib/adapter/schema/arguments.ts";
import { portableInput } from "../../lib/adapter/schema/portable.ts";
import { isObject } from "../../lib/schema/json_schema.ts";
import { assertPortable } from "./fixture.ts";

const LONG = { type: "integer", format: "int64" };

/** The message of a method with these properties, for such arguments, as JSON. */
function send(properties: unknown, args: string, others: object = {}): string {
  const { schema, plan } = portableInput(JSON.stringify({ type: "object", properties, ...others }));
  assertPortable(schema);
  const given: unknown = JSON.parse(args);
  return JSON.stringify(toMessage(isObject(given) ? given : {}, plan));
}

Deno.test("portableInput takes an integer of 64 bits as text too, with exact bounds", () => {
  const { schema } = portableInput(JSON.stringify({ type: "object", properties: { id: LONG } }));
  strictEqual(
    JSON.stringify(schema.properties?.["id"]),
    '{"anyOf":[{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807,' +
      '"format":"int64"},{"type":"string","pattern":"^-?[0-9]{1,19}$"}]}',
  );
});

Deno.test("toMessage makes a number of such a text, exactly", () => {
  strictEqual(send({ id: LONG }, '{"id":"9007199254740993"}'), '{"id":9007199254740993}');
  strictEqual(send({ id: LONG }, '{"id":"-9223372036854775808"}'), '{"id":-9223372036854775808}');
  strictEqual(send({ id: LONG }, '{"id":7}'), '{"id":7}');
});

Deno.test("toMessage finds such integers in lists, objects, definitions and beside null", () => {
  const big = "9007199254740993";
  const node = { type: "object", properties: { id: LONG, ids: { type: "array", items: LONG } } };
  strictEqual(
    send({ node: { $ref: "#/$defs/Node" } }, `{"node":{"id":"${big}","ids":["${big}",1]}}`, {
      $defs: { Node: node },
    }),
    `{"node":{"id":${big},"ids":[${big},1]}}`,
  );
  strictEqual(
    send({ id: { ...LONG, type: ["integer", "null"] } }, `{"id":"${big}"}`),
    `{"id":${big}}`,
  );
});

Deno.test("toMessage leaves text that is no integer, and text where text is wanted", () => {
  for (const text of ["", "1.5", "007", "seven", "1e3", " 1"]) {
    deepStrictEqual(JSON.parse(send({ id: LONG }, JSON.stringify({ id: text }))), { id: text });
  }
  strictEqual(
    send({ id: { type: ["string", "integer"], format: "int64" } }, '{"id":"7"}'),
    '{"id":"7"}',
  );
  strictEqual(send({ name: { type: "string" } }, '{"name":"7"}'), '{"name":"7"}');
});
