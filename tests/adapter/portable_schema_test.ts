import { deepEqual, equal, match, ok } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { portableInput } from "../../lib/adapter/schema/portable.ts";
import { anySchema } from "../schema/schemas.ts";
import { assertPortable } from "./fixture.ts";

/** The portable form of an object with these properties. */
function inputOf(properties: unknown, others: Readonly<Record<string, unknown>> = {}) {
  const { schema } = portableInput(JSON.stringify({ type: "object", properties, ...others }));
  assertPortable(schema);
  return JSON.parse(JSON.stringify(schema));
}

/** The portable form of one property. */
function propertyOf(schema: unknown, others: Readonly<Record<string, unknown>> = {}): unknown {
  return inputOf({ it: schema }, others).properties.it;
}

Deno.test("portableInput compiles under strict Ajv and has a plain root, whatever it is given", () => {
  fc.assert(
    fc.property(anySchema, anySchema, anySchema, (root, property, definition) => {
      const whole = {
        ...typeof root === "object" && root !== null ? root : {},
        properties: { it: property, loop: { $ref: "#/$defs/Loop" }, used: { $ref: "#/$defs/Any" } },
        $defs: {
          Any: definition,
          Loop: { type: "object", properties: { next: { $ref: "#/$defs/Loop" } } },
        },
      };
      assertPortable(portableInput(JSON.stringify(whole)).schema);
    }),
    { numRuns: 300 },
  );
});

Deno.test("C01 a cycle stays one, in definitions of its own", () => {
  const node = {
    type: "object",
    properties: { children: { type: "array", items: { $ref: "#/$defs/tree.v1.Node" } } },
  };
  const schema = inputOf({ root: { $ref: "#/$defs/tree.v1.Node" } }, {
    $defs: { "tree.v1.Node": node },
  });
  deepEqual(schema, {
    type: "object",
    properties: { root: { $ref: "#/$defs/Node" } },
    $defs: {
      Node: {
        type: "object",
        properties: { children: { type: "array", items: { $ref: "#/$defs/Node" } } },
      },
    },
  });
});

Deno.test("C01 cycles through two types, allOf and maps end", () => {
  const definitions = {
    A: { type: "object", properties: { b: { $ref: "#/$defs/B" } } },
    B: { type: "object", properties: { a: { $ref: "#/$defs/A" } } },
    All: { allOf: [{ $ref: "#/$defs/All" }, { type: "object", properties: { x: {} } }] },
    Map: { type: "object", additionalProperties: { $ref: "#/$defs/Map" } },
    Self: { $ref: "#/$defs/Self" },
  };
  const references = Object.keys(definitions).map((name) => [name, { $ref: `#/$defs/${name}` }]);
  inputOf(Object.fromEntries(references), { $defs: definitions });
  for (const [, reference] of references) {
    assertPortable(
      portableInput(JSON.stringify({ ...Object(reference), $defs: definitions })).schema,
    );
  }
});

Deno.test("C01 a parent and its children that name each other are written without a loop", () => {
  const definitions = {
    Pet: {
      type: "object",
      properties: { name: { type: "string" } },
      oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
    },
    Cat: { allOf: [{ $ref: "#/$defs/Pet" }, { properties: { claws: { type: "integer" } } }] },
    Dog: { allOf: [{ $ref: "#/$defs/Pet" }, { properties: { bark: { type: "string" } } }] },
  };
  const schema = inputOf({ pet: { $ref: "#/$defs/Pet" } }, { $defs: definitions });
  const validate = new Ajv2020({ strict: true }).compile(schema);
  equal(validate({ pet: { name: "Tom", claws: 18 } }), true);
  equal(validate({ pet: { name: 1 } }), false);
});

Deno.test("C10 null beside a type is an alternative", () => {
  deepEqual(propertyOf({ type: ["string", "null"], maxLength: 3, description: "A name" }), {
    description: "A name",
    anyOf: [{ type: "string", maxLength: 3 }, { type: "null" }],
  });
  deepEqual(propertyOf({ type: ["string", "null"], enum: ["a", null] }), {
    anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }],
  });
  deepEqual(propertyOf({ type: "string", nullable: true }), {
    anyOf: [{ type: "string" }, { type: "null" }],
  });
});

Deno.test("C12 keywords of other dialects and types are gone", () => {
  deepEqual(
    propertyOf({
      type: "integer",
      example: 3,
      xml: { name: "n" },
      minimum: 0,
      exclusiveMinimum: true,
      minLength: 1,
      pattern: "^x$",
    }),
    { type: "integer", exclusiveMinimum: 0, examples: [3] },
  );
});

Deno.test("C13 a value that is listed twice is listed once", () => {
  deepEqual(propertyOf({ type: "string", enum: ["a", "b", "a"] }), {
    type: "string",
    enum: ["a", "b"],
  });
});

Deno.test("C14 a list without items has items", () => {
  deepEqual(propertyOf({ type: "array" }), { type: "array", items: {} });
});

Deno.test("portableInput keeps the bounds of 64-bit integers exact", () => {
  const text = `{"type":"object","properties":{"id":{"type":["string","integer"],"format":"int64",
    "pattern":"^-?[0-9]{1,19}$","minimum":-9223372036854775808,"maximum":9223372036854775807}}}`;
  const json = JSON.stringify(portableInput(text).schema.properties?.["id"]);
  equal(
    json,
    '{"anyOf":[{"type":"string","pattern":"^-?[0-9]{1,19}$"},{"type":"integer","format":"int64",' +
      '"minimum":-9223372036854775808,"maximum":9223372036854775807}]}',
  );
});

Deno.test("portableInput makes no schema of a boolean, and tells no lie about it", () => {
  deepEqual(propertyOf(true), {});
  deepEqual(propertyOf(false), { not: {} });
  deepEqual(propertyOf({ type: "object", additionalProperties: true }), { type: "object" });
  deepEqual(propertyOf({ type: "object", properties: {}, additionalProperties: false }), {
    type: "object",
    additionalProperties: false,
  });
});

Deno.test("portableInput folds alternatives at the root into properties and a sentence", () => {
  const schema = inputOf({ kind: { type: "string" } }, {
    required: ["kind"],
    oneOf: [
      { properties: { card: { type: "string" } }, required: ["card"] },
      {
        properties: { iban: { type: "string" }, bic: { type: "string" } },
        required: ["iban", "bic"],
      },
    ],
  });
  deepEqual(schema, {
    type: "object",
    description: "Give one of: card; or iban + bic.",
    properties: {
      kind: { type: "string" },
      card: { type: "string" },
      iban: { type: "string" },
      bic: { type: "string" },
    },
    required: ["kind"],
  });
});

Deno.test("portableInput follows a reference at the root", () => {
  const pet = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const { schema } = portableInput(JSON.stringify({ $ref: "#/$defs/Pet", $defs: { Pet: pet } }));
  deepEqual(schema, pet);
});

Deno.test("portableInput says in words which members exclude each other", () => {
  const pair = inputOf({ a: { type: "string" }, b: { type: "string" } }, {
    not: { required: ["a", "b"] },
  });
  equal(pair.description, "At most one of: a, b.");
  const each = ["a", "b", "c", "d", "e", "f"].map((name) => ({ required: [name] }));
  deepEqual(propertyOf({ type: "object", not: { anyOf: each, not: { oneOf: each } } }), {
    type: "object",
    description: "At most one of: a, b, c, d, e, f.",
  });
});

Deno.test("portableInput wraps a message that is no object, and unwraps nothing else", () => {
  const { schema, plan } = portableInput('{"type":["string","null"]}');
  assertPortable(schema);
  deepEqual(schema.required, ["value"]);
  equal(plan.isWrapped, true);
  equal(portableInput("{}").plan.isWrapped, true);
  equal(portableInput('{"type":"object"}').plan.isWrapped, false);
});

Deno.test("portableInput writes out what is used once or short, and shortens names of the rest", () => {
  const big = { type: "object", properties: { a: { type: "string", description: "Some text." } } };
  const schema = inputOf({
    once: { $ref: "#/$defs/Once", description: "Here." },
    short: { $ref: "#/$defs/Short" },
    shorter: { $ref: "#/$defs/Short" },
    first: { $ref: "#/$defs/very.long.name.of.Big" },
    second: { $ref: "#/$defs/very.long.name.of.Big" },
  }, {
    $defs: {
      Once: big,
      Short: { type: "string" },
      "very.long.name.of.Big": { ...big, required: ["a"] },
      Unused: big,
    },
  });
  deepEqual(schema.properties.once, { ...big, description: "Here." });
  deepEqual(schema.properties.shorter, { type: "string" });
  deepEqual(schema.properties.second, { $ref: "#/$defs/Big" });
  deepEqual(Object.keys(schema.$defs), ["Big"]);
});

Deno.test("portableInput writes no definition out where it contradicts the type around it", () => {
  const parts = (keyword: string) => ({
    type: "object",
    properties: { a: { type: "string" } },
    [keyword]: [{ $ref: "#/$defs/Thing" }],
  });
  const things = [
    { type: "array", items: { type: "string" } },
    { anyOf: [{ type: "object", properties: { b: {} } }, { type: "null" }] },
  ];
  for (const Thing of things) {
    const schema = inputOf({ all: parts("allOf"), any: parts("anyOf") }, { $defs: { Thing } });
    deepEqual(Object.keys(schema.$defs), ["Thing"]);
  }
});

Deno.test("portableInput cuts descriptions at the end of a sentence, and what nobody sees", () => {
  const sentence = `${"word ".repeat(30).trim()}.`;
  const cut = propertyOf({
    type: "string",
    description: `\u200b${sentence} ${sentence} ${sentence}`,
  });
  deepEqual(cut, { type: "string", description: sentence });
  const linked = propertyOf({
    description: '<p>See <a href="x">the</a> [docs](https://a.b/c).</p>',
  });
  deepEqual(linked, { description: "See the docs." });
});

Deno.test("portableInput leaves out what says nothing", () => {
  deepEqual(
    propertyOf({
      title: "It",
      type: "integer",
      format: "int32",
      minimum: -2147483648,
      maximum: 2147483647,
      description: "",
      writeOnly: true,
      examples: [7],
    }),
    { type: "integer", format: "int32", examples: [7] },
  );
});

Deno.test("portableInput gives arguments names that model APIs take, and finds theirs again", () => {
  const { schema, plan } = portableInput(JSON.stringify({
    type: "object",
    properties: {
      "filter[eq]": { type: "string", description: "A value" },
      filter_eq: {},
      $top: {},
    },
    required: ["filter[eq]"],
  }));
  assertPortable(schema);
  deepEqual(schema.required, ["filter_eq_2"]);
  deepEqual(Object.keys(schema.properties ?? {}), ["filter_eq_2", "filter_eq", "_top"]);
  deepEqual(schema.properties?.["filter_eq_2"]?.["description"], 'Sent as "filter[eq]". A value.');
  deepEqual([...plan.ownNames], [["filter_eq_2", "filter[eq]"], ["_top", "$top"]]);
  for (const name of Object.keys(schema.properties ?? {})) match(name, /^[a-zA-Z0-9_.-]{1,64}$/);
  ok(!plan.isWrapped);
});
