import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { sampleOf, type SampleOptions } from "../../lib/schema/sample.ts";
import { compileValidator } from "../../lib/schema/validate.ts";
import { isObject } from "../../lib/schema/json_schema.ts";
import { parseJson } from "../../lib/schema/mod.ts";
import { anySchema } from "./schemas.ts";

/** The sample of JSON text, as JSON text; it must satisfy the schema. */
function sample(schema: string, options: SampleOptions = {}): string | undefined {
  const parsed = parseJson(schema);
  ok(isObject(parsed));
  const value = sampleOf(parsed, options);
  if (value === undefined) return undefined;
  deepStrictEqual(compileValidator(parsed)(value), []);
  return JSON.stringify(value);
}

/** Behaviour, schema, sample. */
const SAMPLES:
  readonly (readonly [behaviour: string, schema: string, sample: string | undefined])[] = [
    ["the first example", '{"type":"string","examples":["a","b"],"default":"c"}', '"a"'],
    ["the first example that fits", '{"type":"integer","examples":["a",7]}', "7"],
    ["the default", '{"type":"string","default":"c","minLength":1}', '"c"'],
    ["the const", '{"const":[1]}', "[1]"],
    ["the first of the values", '{"enum":["a","b"]}', '"a"'],
    ["the first value that fits", '{"enum":["a",1],"type":"integer"}', "1"],
    ["a short text", '{"type":"string"}', '"string"'],
    ["a text of the least length", '{"type":"string","minLength":8}', '"stringst"'],
    ["a text of the greatest length", '{"type":"string","maxLength":3}', '"str"'],
    ["a fixed date-time", '{"type":"string","format":"date-time"}', '"2025-01-15T09:30:00Z"'],
    [
      "a date-time of a length",
      '{"format":"date-time","minLength":25}',
      '"2025-01-15T09:30:00+00:00"',
    ],
    ["a UUID", '{"format":"uuid"}', '"123e4567-e89b-12d3-a456-426614174000"'],
    ["an address for examples", '{"format":"email"}', '"user@example.com"'],
    [
      "digits for a 64-bit integer that travels as text",
      '{"type":"string","format":"int64"}',
      '"1"',
    ],
    ["base64", '{"type":"string","contentEncoding":"base64"}', '"c3RyaW5n"'],
    ["a usual text that a pattern admits", '{"pattern":"^[a-z]+$"}', '"string"'],
    [
      "a date that a pattern admits",
      '{"pattern":"^\\\\d{4}-\\\\d\\\\d-\\\\d\\\\d$"}',
      '"2025-01-15"',
    ],
    ["1", '{"type":"integer"}', "1"],
    ["the least number", '{"type":"integer","minimum":5}', "5"],
    ["the greatest number", '{"type":"number","maximum":-1.5}', "-1.5"],
    ["the next number after an exclusive limit", '{"type":"integer","exclusiveMinimum":5}', "6"],
    [
      "a number between exclusive limits",
      '{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}',
      "0.5",
    ],
    ["a multiple", '{"type":"integer","multipleOf":7,"minimum":10}', "14"],
    [
      "a fraction that is a multiple",
      '{"type":"number","multipleOf":0.01,"minimum":0.295,"maximum":0.3}',
      "0.3",
    ],
    [
      "a number that no double holds",
      '{"type":"integer","minimum":9007199254740993,"maximum":9007199254740993}',
      "9007199254740993",
    ],
    [
      "the one after such a number",
      '{"type":"integer","exclusiveMinimum":9007199254740993}',
      "9007199254740994",
    ],
    ["true", '{"type":"boolean"}', "true"],
    ["null where nothing else will do", '{"type":["null"]}', "null"],
    ["something else than null", '{"type":["null","integer"]}', "1"],
    ["a list of one", '{"type":"array","items":{"type":"integer"}}', "[1]"],
    ["an empty list where it must be empty", '{"type":"array","maxItems":0}', "[]"],
    ["an empty list where no item exists", '{"type":"array","items":false}', "[]"],
    [
      "as many items as there must be",
      '{"type":"array","items":{"type":"integer"},"minItems":2}',
      "[1,1]",
    ],
    [
      "items that differ",
      '{"items":{"type":"integer"},"minItems":3,"uniqueItems":true}',
      "[1,2,3]",
    ],
    [
      "values that differ",
      '{"items":{"enum":["a","b"]},"minItems":2,"uniqueItems":true}',
      '["a","b"]',
    ],
    [
      "objects that differ",
      '{"items":{"required":["a"],"properties":{"a":{}}},"minItems":2,"uniqueItems":true}',
      '[{"a":"string"},{"a":"string2"}]',
    ],
    [
      "all items of a tuple",
      '{"prefixItems":[{"type":"integer"},{"type":"boolean"}],"items":false}',
      "[1,true]",
    ],
    [
      "what a list must contain",
      '{"type":"array","contains":{"const":"x"},"minContains":2}',
      '["x","x"]',
    ],
    [
      "only what is required",
      '{"properties":{"a":{"type":"integer"},"b":{}},"required":["a"]}',
      '{"a":1}',
    ],
    [
      "what is required in another part",
      '{"allOf":[{"properties":{"a":{"type":"null"}}},{"required":["a"]}]}',
      '{"a":null}',
    ],
    [
      "what goes with what is required",
      '{"required":["a"],"dependentRequired":{"a":["b"]}}',
      '{"a":"string","b":"string"}',
    ],
    [
      "as many properties as there must be",
      '{"type":"object","additionalProperties":{"type":"integer"},"minProperties":2}',
      '{"property1":1,"property2":1}',
    ],
    [
      "names of the kind that is wanted",
      '{"type":"object","propertyNames":{"enum":["x"]},"minProperties":1}',
      '{"x":"string"}',
    ],
    [
      "names that a pattern admits",
      '{"patternProperties":{"^[A-Z]+$":{"type":"null"}},"additionalProperties":false,"minProperties":1}',
      '{"STRING":null}',
    ],
    [
      "the narrower of two types",
      '{"allOf":[{"type":"number","minimum":3},{"type":["integer","string"]}]}',
      "3",
    ],
    ["the first form", '{"oneOf":[{"type":"integer"},{"type":"string"}]}', "1"],
    [
      "a form that can be had",
      '{"anyOf":[{"type":"integer","not":{}},{"type":"boolean"}]}',
      "true",
    ],
    ["another form than null", '{"anyOf":[{"type":"null"},{"type":"integer"}]}', "1"],
    [
      "one form and not the other",
      '{"oneOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{},"b":{}}}',
      '{"a":"string"}',
    ],
    [
      "what tells forms apart",
      '{"oneOf":[{"properties":{"k":{"const":1}}},{"properties":{"k":{"const":2}}}]}',
      '{"k":1}',
    ],
    [
      "what a condition demands",
      '{"properties":{"k":{"const":"x"}},"required":["k"],"if":{"properties":{"k":{"const":"x"}}},"then":{"required":["y"]}}',
      '{"k":"x","y":"string"}',
    ],
    [
      "something else than what is excluded",
      '{"type":"string","not":{"const":"string"}}',
      undefined,
    ],
    ["nothing where nothing fits", '{"type":"integer","minimum":2,"maximum":1}', undefined],
    ["nothing for false", '{"not":{}}', undefined],
    ["nothing of endless size", '{"type":"array","minItems":1000000}', undefined],
    ["something for a schema that says nothing", "{}", '"string"'],
  ];
for (const [behaviour, schema, expected] of SAMPLES) {
  Deno.test(`sampleOf gives ${behaviour} for ${schema}`, () =>
    strictEqual(sample(schema), expected));
}

const ORDER = '{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},' +
  '"lines":{"type":"array","items":{"$ref":"#/$defs/Line"}},"note":{"type":"string"},' +
  '"tags":{"type":"object","additionalProperties":{"type":"boolean"}}},' +
  '"$defs":{"Line":{"type":"object","properties":{"price":{"type":"number"},"parts":{"type":"array","items":{"$ref":"#/$defs/Line"}},"parent":{"$ref":"#/$defs/Line"}}}}}';

Deno.test("sampleOf gives optional properties where they are wanted, and ends where they recur", () => {
  strictEqual(sample(ORDER), '{"id":1}');
  strictEqual(
    sample(ORDER, { optionals: true }),
    '{"id":1,"lines":[{"price":1,"parts":[]}],"note":"string","tags":{"property1":true}}',
  );
});

Deno.test("sampleOf writes out optional properties to a bounded depth and number", () => {
  let deep: Record<string, unknown> = { type: "null" };
  for (let level = 0; level < 10; level++) deep = { type: "object", properties: { a: deep } };
  strictEqual(
    JSON.stringify(sampleOf(deep, { optionals: true })),
    '{"a":{"a":{"a":{"a":{}}}}}',
  );
  const properties = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { type: "integer" }]),
  );
  const wide = sampleOf({ type: "object", properties, required: ["p9999"] }, { optionals: true });
  ok(isObject(wide));
  ok("p0" in wide && "p9999" in wide);
  ok(Object.keys(wide).length < 1000);
});

Deno.test("C01 sampleOf ends for a schema that requires itself, and finds a way out where there is one", () => {
  const endless =
    '{"$ref":"#/$defs/A","$defs":{"A":{"required":["a"],"properties":{"a":{"$ref":"#/$defs/A"}}}}}';
  strictEqual(sample(endless), undefined);
  const tree =
    '{"$ref":"#/$defs/A","$defs":{"A":{"required":["a"],"properties":{"a":{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]}}}}}';
  strictEqual(sample(tree), '{"a":null}');
});

Deno.test("sampleOf makes texts of patterns, the same for the same seed", () => {
  const schema = '{"type":"string","pattern":"^i-[a-f0-9]+$","minLength":12,"maxLength":14}';
  const first = sample(schema, { seed: 7 });
  ok(first !== undefined);
  strictEqual(sample(schema, { seed: 7 }), first);
});

Deno.test("sampleOf gives what fits several forms only where that is allowed", () => {
  const schema = { oneOf: [{ type: "integer" }, { type: "number" }] };
  strictEqual(sampleOf({ ...schema, multipleOf: 1 }), undefined);
  strictEqual(sampleOf({ ...schema, multipleOf: 1 }, { mayOverlap: true }), 1);
});

Deno.test("sampleOf shares nothing with the schema", () => {
  const example = { list: [1] };
  const value = sampleOf({ examples: [example] });
  deepStrictEqual(value, example);
  ok(isObject(value) && value !== example && value["list"] !== example.list);
});

Deno.test("sampleOf gives values that Ajv takes, for most schemas that a value satisfies", () => {
  const counts = { satisfiable: 0, found: 0 };
  fc.assert(
    fc.property(anySchema, fc.boolean(), (schema, optionals) => {
      const whole = { allOf: [schema] };
      const value = sampleOf(whole, { optionals });
      const validate = new Ajv2020({ strict: false, ownProperties: true }).compile(whole);
      if (value !== undefined) ok(validate(value), JSON.stringify(value));
      const isSatisfiable = value !== undefined || USUAL.some((usual) => validate(usual));
      counts.satisfiable += isSatisfiable ? 1 : 0;
      counts.found += value !== undefined ? 1 : 0;
    }),
    { numRuns: 300, seed: 42 },
  );
  ok(counts.found > 0.9 * counts.satisfiable, JSON.stringify(counts));
});
const USUAL = [null, true, 0, 1, -1, 0.5, "", "a", [], [1], ["a"], {}, { a: 1 }, { b: "b" }];
