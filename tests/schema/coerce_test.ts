import { deepStrictEqual, ok } from "node:assert/strict";
import { compileValidator } from "../../lib/schema/validate.ts";

/** What a schema says, and what travels as text for it. */
const FINE: readonly (readonly [schema: Record<string, unknown>, ...values: unknown[]])[] = [
  [{ type: "integer", minimum: 5 }, "7", ["7"], [7], "7.0", "12345678901234567890"],
  [{ type: "number" }, "-1.5e3", ["1"]],
  [{ type: "string" }, 7, true, ["a"], [1.5]],
  [{ type: "boolean" }, "true", ["false"]],
  [{ type: ["integer", "null"] }, "7", "null"],
  [{ enum: [1, 2] }, "1"],
  [{ const: true }, "true"],
  [{ type: "array", items: { type: "integer" } }, "7", 7, ["7", 8]],
  [{ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] }, [1, "2"]],
  [{ type: "object", properties: { a: { type: "integer" } } }, { a: "7" }],
  [{ type: "object", additionalProperties: { type: "boolean" } }, { a: "true" }],
  [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "7"],
  [{ oneOf: [{ type: "boolean" }, { type: "integer" }] }, "7", "true"],
  [{ allOf: [{ $ref: "#/$defs/N" }], $defs: { N: { type: "number" } } }, "7"],
];
for (const [schema, ...values] of FINE) {
  Deno.test(`compileValidator with coerce takes ${JSON.stringify(values)} for ${JSON.stringify(schema)}`, () => {
    for (const value of values) {
      deepStrictEqual(compileValidator(schema, { coerce: true })(value), []);
      ok(compileValidator(schema)(value).length > 0, JSON.stringify(value));
    }
  });
}

const REFUSED:
  readonly (readonly [schema: Record<string, unknown>, value: unknown, message: string])[] = [
    [{ type: "integer" }, "x7", "is not an integer but a string"],
    [{ type: "integer" }, "07", "is not an integer but a string"],
    [{ type: "integer" }, "1.5", "is not an integer but a string"],
    [{ type: "integer" }, [], "is not an integer but a list"],
    [{ type: "integer" }, ["1", "2"], "is not an integer but a list"],
    [{ type: "integer" }, true, "is not an integer but a boolean"],
    [{ type: "integer", minimum: 5 }, "3", "is less than 5"],
    [{ type: "boolean" }, 1, "is not a boolean but a number"],
    [{ type: "string" }, null, "is not a string but null"],
    [{ type: "string" }, {}, "is not a string but an object"],
    [{ type: "array", items: { type: "integer" } }, "x", "is not an integer but a string"],
  ];
for (const [schema, value, message] of REFUSED) {
  Deno.test(`compileValidator with coerce says that ${JSON.stringify(value)} ${message}`, () => {
    const violations = compileValidator(schema, { coerce: true })(value);
    deepStrictEqual(violations.map((violation) => violation.message), [message]);
  });
}

Deno.test("compileValidator with coerce changes nothing of the given value", () => {
  const value = { n: "7", list: "a" };
  const schema = {
    properties: { n: { type: "integer" }, list: { type: "array", items: { type: "string" } } },
  };
  deepStrictEqual(compileValidator(schema, { coerce: true })(value), []);
  deepStrictEqual(value, { n: "7", list: "a" });
});

Deno.test("compileValidator with coerce leaves alone what fits as it is", () => {
  const schema = { properties: { id: { type: ["string", "integer"] }, n: { type: "integer" } } };
  deepStrictEqual(compileValidator(schema, { coerce: true })({ id: "7", n: "7" }), []);
});
