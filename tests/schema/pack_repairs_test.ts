import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { SchemaPacker } from "../../lib/schema/pack.ts";
import { isObject } from "../../lib/schema/json_schema.ts";
import { parseJson } from "../../lib/schema/mod.ts";

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  strictTuples: false,
  allowMatchingProperties: true,
  validateFormats: false,
});

/** Packs JSON text, and compiles what comes out with the strict meta-schema. */
function packed(text: string): string {
  const packer = new SchemaPacker((node) => {
    const { $ref, ...siblings } = isObject(node) ? node : {};
    if ($ref !== "#/Other") return undefined;
    return { value: { ...OTHER, ...siblings }, identity: OTHER, name: "Other" };
  });
  const schema = packer.pack(parseJson(text));
  const whole = JSON.stringify({ ...schema, $defs: packer.definitions });
  ajv.compile(JSON.parse(whole));
  return JSON.stringify(schema);
}
const OTHER = { type: "object" };

/** Behaviour, what a document says, what it becomes. */
const REPAIRS: readonly (readonly [behaviour: string, from: string, to: string])[] = [
  [
    "C10 nullable adds null to the type",
    '{"type":"string","nullable":true}',
    '{"type":["string","null"]}',
  ],
  [
    "C10 nullable adds null to the values",
    '{"type":"string","nullable":true,"enum":["a"]}',
    '{"type":["string","null"],"enum":["a",null]}',
  ],
  [
    "C10 a type list with null adds it to the values",
    '{"type":["string","null"],"enum":["a"]}',
    '{"type":["string","null"],"enum":["a",null]}',
  ],
  [
    "C10 nullable beside a reference becomes a choice",
    '{"$ref":"#/Other","nullable":true,"description":"d"}',
    '{"description":"d","anyOf":[{"$ref":"#/$defs/Other"},{"type":"null"}]}',
  ],
  [
    "C10 nullable beside allOf becomes a choice",
    '{"type":"object","allOf":[{"required":["a"]}],"nullable":true}',
    '{"anyOf":[{"type":["object","null"],"allOf":[{"required":["a"]}]},{"type":"null"}]}',
  ],
  [
    "C10 x-nullable of Swagger 2 counts",
    '{"type":"integer","x-nullable":true}',
    '{"type":["integer","null"]}',
  ],
  ["nullable without a type says nothing", '{"nullable":true}', "{}"],
  ["nullable makes values of a const", '{"const":1,"nullable":true}', '{"enum":[1,null]}'],
  [
    "C12 example becomes examples",
    '{"type":"string","example":"a","xml":{"name":"x"},"x-y":1}',
    '{"type":"string","examples":["a"]}',
  ],
  [
    "named examples become a list",
    '{"examples":{"a":{"value":1},"b":{"value":2}}}',
    '{"examples":[1,2]}',
  ],
  [
    "example comes before examples, each once",
    '{"example":2,"examples":[1,2.0]}',
    '{"examples":[2,1]}',
  ],
  [
    "C12 boolean exclusiveMinimum makes the limit exclusive",
    '{"type":"number","minimum":0,"exclusiveMinimum":true,"maximum":5,"exclusiveMaximum":false}',
    '{"type":"number","exclusiveMinimum":0,"maximum":5}',
  ],
  ["C12 boolean exclusiveMinimum alone says nothing", '{"exclusiveMinimum":true}', "{}"],
  ["C13 equal values are there once", '{"enum":["a","b","a",1,1.0]}', '{"enum":["a","b",1]}'],
  [
    "C14 an array without items has items of any kind",
    '{"type":"array"}',
    '{"type":"array","items":{}}',
  ],
  [
    "C14 so has one that may be null",
    '{"type":["array","null"]}',
    '{"type":["array","null"],"items":{}}',
  ],
  [
    "format binary stays a string",
    '{"type":"string","format":"binary"}',
    '{"type":"string","format":"binary"}',
  ],
  ["type file is a binary string", '{"type":"file"}', '{"type":"string","format":"binary"}'],
  [
    "type datetime is a string with a format",
    '{"type":"datetime"}',
    '{"type":"string","format":"date-time"}',
  ],
  ["type int is an integer", '{"type":"Int"}', '{"type":"integer"}'],
  ["type float is a number", '{"type":"float"}', '{"type":"number"}'],
  ["type map is an object", '{"type":"map"}', '{"type":"object"}'],
  ["type any is no limit", '{"type":"any"}', "{}"],
  ["an unknown type among others is no limit", '{"type":["string","whatever"]}', "{}"],
  ["a type named constructor is no limit", '{"type":"constructor"}', "{}"],
  [
    "nested and double types are laid flat",
    '{"type":[["string"],"string","null"]}',
    '{"type":["string","null"]}',
  ],
  ["a type that is an object is dropped", '{"type":{"a":1}}', "{}"],
  [
    "required on a property goes to the object",
    '{"required":["a"],"properties":{"a":{},"b":{"type":"string","required":true}}}',
    '{"properties":{"a":{},"b":{"type":"string"}},"required":["a","b"]}',
  ],
  ["required that is no list of names is dropped", '{"required":{"a":1}}', "{}"],
  ["required has each name once", '{"required":["a",1,"a",null,""]}', '{"required":["a"]}'],
  ["enum that is no list is dropped", '{"enum":"a"}', "{}"],
  ["enum without values is dropped", '{"enum":[]}', "{}"],
  [
    "numbers in the enum of a string are texts",
    '{"type":"string","enum":[1,true]}',
    '{"type":"string","enum":["1","true"]}',
  ],
  [
    "texts in the enum of an integer are numbers",
    '{"type":"integer","enum":["1","2"]}',
    '{"type":"integer","enum":[1,2]}',
  ],
  [
    "the enum of a list, meant for its items, is dropped",
    '{"type":"array","items":{},"enum":["a"]}',
    '{"type":"array","items":{}}',
  ],
  ["properties that are no object are dropped", '{"properties":["a"]}', "{}"],
  [
    "a property without a schema has any value",
    '{"properties":{"a":null,"b":"string"}}',
    '{"properties":{"a":{},"b":{}}}',
  ],
  [
    "schemas that are null are dropped from lists",
    '{"allOf":[null,{"type":"string"}],"anyOf":[null]}',
    '{"allOf":[{"type":"string"}]}',
  ],
  [
    "items that are a list become prefixItems",
    '{"type":"array","items":[{"type":"string"},null],"additionalItems":false}',
    '{"type":"array","items":{"not":{}},"prefixItems":[{"type":"string"},{}]}',
  ],
  [
    "limits written as text are numbers",
    '{"minLength":"3","maximum":"1.5"}',
    '{"minLength":3,"maximum":1.5}',
  ],
  [
    "limits that are none are dropped",
    '{"minLength":-1,"maxItems":1.5,"minimum":"low","multipleOf":0}',
    "{}",
  ],
  ["limits keep all digits", '{"maximum":9223372036854775807}', '{"maximum":9223372036854775807}'],
  ["a length that no double holds is dropped", '{"maxLength":9223372036854775807}', "{}"],
  ["a pattern that RE2 cannot run is dropped", '{"pattern":"^(?!a)b$"}', "{}"],
  [
    "needless escapes go from a pattern",
    '{"pattern":"^[\\\\w-.]\\\\_\\\\-{x}$"}',
    '{"pattern":"^[\\\\w\\\\-.]_-\\\\{x\\\\}$"}',
  ],
  [
    "anchors of Ruby become those of JavaScript",
    '{"pattern":"\\\\A[a-z]\\\\z"}',
    '{"pattern":"^[a-z]$"}',
  ],
  ["slashes around a pattern go", '{"pattern":"/^a$/"}', '{"pattern":"^a$"}'],
  [
    "an object is not closed when one of its patterns is dropped",
    '{"patternProperties":{"(?=a)b":{},"^c":{}},"additionalProperties":false}',
    '{"patternProperties":{"^c":{}}}',
  ],
  ["additionalProperties that is no schema is dropped", '{"additionalProperties":"false"}', "{}"],
  [
    "additionalProperties stays a boolean",
    '{"additionalProperties":false}',
    '{"additionalProperties":false}',
  ],
  [
    "an object of several parts is closed around all of them",
    '{"allOf":[{"properties":{"a":{}}}],"additionalProperties":false}',
    '{"unevaluatedProperties":false,"allOf":[{"properties":{"a":{}}}]}',
  ],
  [
    "forms with a discriminator may overlap",
    '{"oneOf":[{"required":["a"]},{}],"discriminator":{"propertyName":"a"}}',
    '{"anyOf":[{"required":["a"]},{}]}',
  ],
  [
    "dependencies of draft 7 are told apart",
    '{"dependencies":{"a":["b"],"c":{"required":["d"]}}}',
    '{"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]}}}',
  ],
  ["then without if is dropped", '{"then":{"type":"string"}}', "{}"],
  [
    "identifiers and definitions within are dropped",
    '{"$schema":"s","$id":"i","id":"x","$anchor":"a","definitions":{"A":{}},"components":{},"$comment":"c"}',
    "{}",
  ],
  [
    "false flags are dropped",
    '{"deprecated":false,"uniqueItems":"true","readOnly":true}',
    '{"uniqueItems":true,"readOnly":true}',
  ],
  [
    "text for people is text without invisible characters",
    '{"title":{"a":1},"description":"a\\u200bb "}',
    '{"description":"ab"}',
  ],
  [
    "a schema that is false stays unsatisfiable",
    '{"properties":{"a":false},"items":true}',
    '{"properties":{"a":{"not":{}}},"items":{}}',
  ],
  ["values keep all digits", '{"const":12345678901234567890}', '{"const":12345678901234567890}'],
];

for (const [behaviour, from, to] of REPAIRS) {
  Deno.test(`pack: ${behaviour}`, () => strictEqual(packed(from), to));
}

Deno.test("pack keeps every keyword that 2020-12 knows", () => {
  const text = JSON.stringify({
    title: "t",
    description: "d",
    format: "f",
    contentEncoding: "base64",
    contentMediaType: "text/plain",
    pattern: "^a",
    minLength: 1,
    maxLength: 2,
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    minContains: 1,
    maxContains: 2,
    minProperties: 1,
    maxProperties: 2,
    default: null,
    deprecated: true,
    readOnly: true,
    writeOnly: true,
    enum: [1],
    examples: [1],
    dependentRequired: { a: ["b"] },
    minimum: 1,
    exclusiveMinimum: 1,
    maximum: 2,
    exclusiveMaximum: 2,
    multipleOf: 1,
    properties: { a: {} },
    dependentSchemas: { a: {} },
    patternProperties: { "^x": {} },
    required: ["a"],
    items: {},
    contains: {},
    additionalProperties: {},
    propertyNames: {},
    unevaluatedItems: {},
    unevaluatedProperties: {},
    not: { type: "null" },
    if: {},
    then: {},
    else: {},
    contentSchema: {},
    allOf: [{}],
    anyOf: [{}],
    oneOf: [{}],
    prefixItems: [{}],
  });
  deepStrictEqual(JSON.parse(packed(text)), JSON.parse(text));
});

Deno.test("pack caps text for people at 2,000", () => {
  const schema = JSON.parse(packed(JSON.stringify({ description: "x".repeat(5000) })));
  strictEqual(schema.description.length, 2000);
});

Deno.test("pack makes something of anything", () => {
  for (
    const text of ["null", "1", '"a"', "[]", "true", '{"$ref":5}', '{"allOf":{}}', '{"not":[]}']
  ) {
    strictEqual(packed(text), "{}");
  }
  strictEqual(packed("false"), '{"not":{}}');
});

Deno.test("pack drops a default that contains itself", () => {
  const list: unknown[] = [];
  list.push(list);
  const schema = new SchemaPacker(() => undefined).pack({ type: "array", default: list });
  deepStrictEqual(schema, { type: "array", items: {} });
  ok(!("default" in schema));
});
