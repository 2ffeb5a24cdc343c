import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { compileValidator, type ValidateOptions } from "../../lib/schema/validate.ts";
import { isObject } from "../../lib/schema/json_schema.ts";
import { parseJson } from "../../lib/schema/mod.ts";
import { anySchema, anyValue } from "./schemas.ts";

/** `path: message` of each violation, of JSON texts. */
function violations(schema: string, value: string, options: ValidateOptions = {}): string[] {
  const parsed = parseJson(schema);
  ok(isObject(parsed));
  const given = parseJson(value);
  const found = compileValidator(parsed, options)(given);
  strictEqual(JSON.stringify(given), JSON.stringify(parseJson(value)), "the value is unchanged");
  return found.map(({ path, message }) => `${path}: ${message}`);
}

/** What a schema says, a value, what is wrong with it. */
const MESSAGES: readonly (readonly [schema: string, value: string, ...wrong: string[]])[] = [
  ['{"type":"integer"}', '"secret"', ": is not an integer but a string"],
  ['{"type":"integer"}', "1.5", ": is not an integer but a number"],
  ['{"type":"integer"}', "1.0"],
  ['{"type":["string","null"]}', "{}", ": is not a string or null but an object"],
  ['{"type":"object"}', "[]", ": is not an object but a list"],
  ['{"enum":["a","b"]}', '"secret"', ': is not one of "a", "b"'],
  ['{"const":{"a":1}}', '{"a":2}', ': is not {"a":1}'],
  ['{"const":{"a":1,"b":2}}', '{"b":2,"a":1.0}'],
  ['{"minLength":3}', '"ab"', ": is shorter than 3 characters"],
  ['{"maxLength":1}', '"😀"'],
  ['{"maxLength":1}', '"😀a"', ": is longer than 1 character"],
  ['{"pattern":"^x$"}', '"secret"', ": does not match the pattern ^x$"],
  ['{"pattern":"^\\\\s$"}', '"\\u00a0"'],
  ['{"pattern":"^a{1,2000}$"}', '"aa"'],
  ['{"pattern":"^a{1,2000}$"}', '"ab"', ": does not match the pattern ^a{1,2000}$"],
  ['{"pattern":"(?=a)b"}', '"c"'],
  ['{"minimum":1}', "0", ": is less than 1"],
  ['{"exclusiveMinimum":1}', "1", ": is not greater than 1"],
  ['{"maximum":1}', "2", ": is greater than 1"],
  ['{"exclusiveMaximum":1}', "1", ": is not less than 1"],
  ['{"multipleOf":0.01}', "19.99"],
  ['{"multipleOf":0.01}', "19.999", ": is not a multiple of 0.01"],
  ['{"minItems":2}', "[1]", ": has fewer than 2 items"],
  ['{"maxItems":1}', "[1,2]", ": has more than 1 item"],
  ['{"uniqueItems":true}', '[1,{"a":[]},1.0]', ": has equal items at 0 and 2"],
  ['{"minProperties":2}', "{}", ": has fewer than 2 properties"],
  ['{"maxProperties":1}', '{"a":1,"b":2}', ": has more than 1 property"],
  ['{"contains":{"type":"string"}}', "[1]", ": has fewer than 1 item of a kind that it must have"],
  [
    '{"contains":{"type":"string"},"maxContains":1}',
    '["a","b"]',
    ": has more than 1 item of a kind that it may have",
  ],
  ['{"not":{"type":"string"}}', '"a"', ": is of a kind that is not allowed"],
  ['{"required":["a","odd name"]}', "{}", "a: is missing", '["odd name"]: is missing'],
  ['{"required":["constructor"]}', "{}", "constructor: is missing"],
  ['{"properties":{"constructor":{"type":"string"}}}', "{}"],
  ['{"dependentRequired":{"a":["b"]}}', '{"a":1}', "b: is missing; it goes with a"],
  [
    '{"propertyNames":{"maxLength":2}}',
    '{"abc":1}',
    "abc: has a name that is longer than 2 characters",
  ],
  [
    '{"properties":{"name":{},"page":{}},"additionalProperties":false}',
    '{"nmae":"secret"}',
    "nmae: is not a property that exists here; there are: name, page",
  ],
  [
    '{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}',
    '{"a":1,"b":2}',
    "b: is not a property that exists here; there are: a",
  ],
  [
    '{"additionalProperties":false}',
    '{"a":1}',
    "a: is not a property that exists here; there are none",
  ],
  [
    '{"properties":{"a":{"not":{}}}}',
    '{"a":1}',
    "a: is not a property that exists here; there are none",
  ],
  ['{"properties":{"a":{"readOnly":true,"not":{}}}}', '{"a":1}', "a: is read-only; leave it out"],
  ['{"prefixItems":[{}],"items":false}', "[1,2]", "[1]: is not an item that exists here"],
  ['{"format":"date"}', '"2025-02-29"', ": is not a date"],
  ['{"format":"hostname"}', '"?"'],
  [
    '{"properties":{"items":{"items":{"properties":{"price":{"type":"number"}}}}}}',
    '{"items":[{},{},{"price":"secret"}]}',
    "items[2].price: is not a number but a string",
  ],
  [
    '{"properties":{"a-b":{"items":{"type":"null"}}}}',
    '{"a-b":[1]}',
    '["a-b"][0]: is not null but a number',
  ],
  ['{"$ref":"#/$defs/A~1b","$defs":{"A/b":{"type":"null"}}}', "1", ": is not null but a number"],
  ['{"$ref":"#/$defs/Gone"}', "1"],
  ['{"if":{"required":["a"]},"then":{"required":["b"]}}', '{"a":1}', "b: is missing"],
  ['{"if":{"required":["a"]},"else":{"required":["b"]}}', "{}", "b: is missing"],
];
for (const [schema, value, ...wrong] of MESSAGES) {
  const says = wrong.length === 0 ? "nothing" : wrong.join(", ");
  Deno.test(`compileValidator says ${says} of ${value} for ${schema}`, () => {
    deepStrictEqual(violations(schema, value), wrong);
  });
}

/** Forms of a value, a value, what is said of it. */
const CHOICES:
  readonly (readonly [says: string, forms: string, value: string, ...wrong: string[]])[] = [
    [
      "what is wrong with the form that its const names",
      '{"oneOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"integer"},"y":{}},"required":["x","y"]},{"properties":{"kind":{"const":"b"}},"required":["z"]}]}',
      '{"kind":"a","x":"1"}',
      "y: is missing",
      "x: is not an integer but a string",
    ],
    [
      "what is wrong with the form of its type",
      '{"anyOf":[{"type":"object","required":["a","b"]},{"type":"null"}]}',
      "{}",
      "a: is missing",
      "b: is missing",
    ],
    [
      "what is wrong with the form that lacks least",
      '{"anyOf":[{"required":["a","b"]},{"required":["c"]}]}',
      "{}",
      "c: is missing",
    ],
    [
      "all types that would do",
      '{"anyOf":[{"type":"string"},{"oneOf":[{"type":"array"},{"type":"null"}]}]}',
      "1",
      ": is not a string, a list or null but a number",
    ],
    [
      "all values that would do",
      '{"anyOf":[{"enum":["a"]},{"const":"b"},{"type":"null"}]}',
      "1",
      ': is not one of "a", "b", null',
    ],
    [
      "that it fits several of oneOf",
      '{"oneOf":[{"type":"integer"},{"type":"number"},{"type":"string"}]}',
      "1",
      ": fits 2 of the 3 forms that it may have, not just one",
    ],
  ];
for (const [says, forms, value, ...wrong] of CHOICES) {
  Deno.test(`compileValidator says ${says}`, () => {
    deepStrictEqual(violations(forms, value), wrong);
  });
}

Deno.test("compileValidator lets a value have several forms where that is asked for", () => {
  const forms = '{"oneOf":[{"type":"integer"},{"type":"number"}]}';
  deepStrictEqual(violations(forms, "1", { mayOverlap: true }), []);
});

Deno.test("compileValidator lists 20 values and 20 properties at most", () => {
  const names = Array.from({ length: 25 }, (_, index) => `n${index}`);
  const [wrongValue] = violations(JSON.stringify({ enum: names }), "1");
  ok(wrongValue?.endsWith('"n18", "n19" and 5 more'), wrongValue ?? "");
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  const [unknown] = violations(
    JSON.stringify({ properties, additionalProperties: false }),
    '{"n24x":1}',
  );
  ok(unknown?.includes("there are: n24, "), unknown ?? "");
  ok(unknown?.endsWith(" and 5 more"), unknown ?? "");
});

Deno.test("compileValidator tells 20 violations and that there are more", () => {
  const found = violations('{"items":{"type":"string"}}', JSON.stringify(Array(100).fill(1)));
  strictEqual(found.length, 21);
  strictEqual(found.at(-1), ": has more violations than these");
});

/** Numbers that doubles cannot tell apart. */
const EXACT: readonly (readonly [schema: string, value: string, isValid: boolean])[] = [
  ['{"type":"integer"}', "9007199254740993", true],
  ['{"type":"integer"}', "1e400", true],
  ['{"type":"integer"}', "1.00000000000000000001", false],
  ['{"format":"int64"}', "9223372036854775807", true],
  ['{"format":"int64"}', "9223372036854775808", false],
  ['{"format":"int64"}', "-9223372036854775808", true],
  ['{"format":"int64"}', "1.5", false],
  ['{"format":"int32"}', "2147483648", false],
  ['{"format":"int32"}', '"text"', true],
  ['{"maximum":9223372036854775807}', "9223372036854775807", true],
  ['{"maximum":9223372036854775807}', "9223372036854775809", false],
  ['{"exclusiveMaximum":9223372036854775808}', "9223372036854775807", true],
  ['{"exclusiveMinimum":0}', "1e-400", true],
  ['{"minimum":-1e400}', "-1e399", true],
  ['{"enum":[9007199254740993]}', "9007199254740993", true],
  ['{"enum":[9007199254740993]}', "9007199254740992", false],
  ['{"const":1e400}', "10e399", true],
  ['{"uniqueItems":true}', "[9007199254740993,9007199254740992]", true],
  ['{"uniqueItems":true}', "[9007199254740993,9007199254740993]", false],
  ['{"multipleOf":3}', "9007199254740993", true],
  ['{"multipleOf":2}', "9007199254740993", false],
  ['{"multipleOf":0.1}', "123456789012345678.9", true],
  ['{"multipleOf":1e-400}', "1e400", true],
];
for (const [schema, value, isValid] of EXACT) {
  Deno.test(`compileValidator ${isValid ? "takes" : "refuses"} ${value} for ${schema}`, () => {
    strictEqual(violations(schema, value).length === 0, isValid);
  });
}

Deno.test("compileValidator takes a double that may be a rounded number for what it was", () => {
  const schema = parseJson('{"maximum":9223372036854775807,"format":"int64"}');
  ok(isObject(schema));
  deepStrictEqual(compileValidator(schema)(2 ** 63), []);
});

Deno.test("C101 compileValidator runs a pattern in linear time", () => {
  const validate = compileValidator({ pattern: "^(a+)+$" });
  const started = performance.now();
  strictEqual(validate(`${"a".repeat(40)}X`).length, 1);
  ok(performance.now() - started < 50);
});

Deno.test("C101 compileValidator leaves out a pattern that takes long even so", () => {
  const validate = compileValidator({ pattern: "[a-z]{1000}".repeat(20) });
  deepStrictEqual(validate("a"), []);
});

Deno.test("compileValidator holds a nested value against a schema that contains itself", () => {
  const schema =
    '{"$ref":"#/$defs/N","$defs":{"N":{"properties":{"n":{"$ref":"#/$defs/N"},"v":{"type":"null"}}}}}';
  deepStrictEqual(violations(schema, '{"n":{"n":{"v":1}}}'), ["n.n.v: is not null but a number"]);
});

Deno.test("C01 compileValidator ends for a schema that is only itself", () => {
  const schema =
    '{"$ref":"#/$defs/A","$defs":{"A":{"allOf":[{"$ref":"#/$defs/A"},{"type":"null"}]}}}';
  deepStrictEqual(violations(schema, "1"), [": is not null but a number"]);
});

Deno.test("compileValidator visits what is referred to twice on 60 levels once", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, level) => {
      const next = { properties: { x: { $ref: `#/$defs/D${level + 1}` } } };
      return [`D${level}`, { anyOf: [next, { allOf: [next] }] }];
    }),
  );
  let value: unknown = 1;
  for (let level = 0; level < 60; level++) value = { x: value };
  const validate = compileValidator({
    $ref: "#/$defs/D0",
    $defs: { ...$defs, D60: { type: "null" } },
  });
  strictEqual(validate(value)[0]?.message, "is not null but a number");
});

Deno.test("compileValidator remembers what was seen of a value for what closes it", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, level) => {
      const next = { $ref: `#/$defs/D${level + 1}` };
      return [`D${level}`, { allOf: [next, next], properties: { [`p${level}`]: {} } }];
    }),
  );
  const validate = compileValidator({
    $ref: "#/$defs/D0",
    unevaluatedProperties: false,
    $defs: { ...$defs, D60: { $ref: "#/$defs/D0", properties: { last: {} } } },
  });
  deepStrictEqual(validate({ p0: 1, p59: 1, last: 1 }), []);
  strictEqual(validate({ other: 1 })[0]?.path, "other");
});

Deno.test("compileValidator passes what lies deeper than it looks", () => {
  let value: unknown = 1;
  for (let level = 0; level < 50_000; level++) value = [value];
  const recursive = { $ref: "#/$defs/L", $defs: { L: { items: { $ref: "#/$defs/L" } } } };
  for (const schema of [recursive, { uniqueItems: true }, { not: { const: [[1]] } }]) {
    deepStrictEqual(compileValidator(schema, { coerce: true })(value), []);
  }
});

Deno.test("compileValidator lets keywords that make no sense limit nothing", () => {
  const schema =
    '{"type":5,"enum":"a","required":"a","properties":[],"items":5,"allOf":{},"minimum":"a","$ref":5}';
  for (const value of ["1", '"a"', "[1]", '{"a":1}', "null"]) {
    deepStrictEqual(violations(schema, value), []);
  }
  deepStrictEqual(compileValidator({})(undefined), [{ path: "", message: "is missing" }]);
});

Deno.test("compileValidator and Ajv agree on what satisfies a schema", () => {
  fc.assert(
    fc.property(anySchema, fc.array(anyValue, { minLength: 5, maxLength: 5 }), (schema, values) => {
      const whole = { allOf: [schema] };
      const theirs = new Ajv2020({ strict: false, ownProperties: true }).compile(whole);
      const ours = compileValidator(whole);
      for (const value of values) strictEqual(ours(value).length === 0, theirs(value));
    }),
    { numRuns: 300, seed: 42 },
  );
});
