import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Followed, type PackOptions, SchemaPacker } from "../../lib/schema/pack.ts";
import { isObject, type JsonObject } from "../../lib/schema/json_schema.ts";
import { parseJson } from "../../lib/schema/mod.ts";

/** Follows references to the named schemas, with siblings over the goal's keywords. */
function followIn(schemas: JsonObject) {
  return (node: unknown): Followed | undefined => {
    if (!isObject(node) || typeof node["$ref"] !== "string") return undefined;
    const { $ref, ...siblings } = node;
    const name = String($ref).split("/").at(-1) ?? "";
    const goal = schemas[name];
    return isObject(goal) ? { value: { ...goal, ...siblings }, identity: goal, name } : undefined;
  };
}

function ref(name: string, siblings: JsonObject = {}): JsonObject {
  return { $ref: `#/components/schemas/${name}`, ...siblings };
}

/** The whole packed schema; it must satisfy the meta-schema and compile in strict mode. */
function pack(schema: unknown, schemas: JsonObject = {}, options: PackOptions = {}): JsonObject {
  const before = JSON.stringify([schema, schemas]);
  const packer = new SchemaPacker(followIn(schemas), options);
  const packed = packer.pack(schema);
  const whole = Object.keys(packer.definitions).length === 0
    ? packed
    : { ...packed, $defs: packer.definitions };
  strictEqual(JSON.stringify([schema, schemas]), before, "the input is unchanged");
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    validateFormats: false,
  });
  ajv.compile(JSON.parse(JSON.stringify(whole)));
  return whole;
}

Deno.test("C01 pack keeps a schema that contains itself as a reference to its definition", () => {
  const Node = { type: "object", properties: { children: { type: "array", items: ref("Node") } } };
  deepStrictEqual(pack(ref("Node"), { Node }), {
    $ref: "#/$defs/Node",
    $defs: {
      Node: {
        type: "object",
        properties: { children: { type: "array", items: { $ref: "#/$defs/Node" } } },
      },
    },
  });
});

const CIRCLES: readonly (readonly [name: string, schemas: JsonObject])[] = [
  ["over two schemas", {
    A: { type: "object", properties: { b: ref("B") } },
    B: { type: "object", properties: { a: ref("A") } },
  }],
  ["by allOf alone", { A: { allOf: [ref("B")] }, B: { allOf: [ref("A")], title: "b" } }],
  ["through the values of a map", {
    A: { type: "object", additionalProperties: ref("B") },
    B: { additionalProperties: ref("A") },
  }],
];
for (const [name, schemas] of CIRCLES) {
  Deno.test(`C01 pack ends in a circle ${name}, with one definition each`, () => {
    const { $ref, $defs } = pack(ref("A"), schemas);
    strictEqual($ref, "#/$defs/A");
    deepStrictEqual(Object.keys(isObject($defs) ? $defs : {}), ["A", "B"]);
  });
}

Deno.test("C01 packs of two packers share nothing that can be changed", () => {
  const list = ["a"];
  const schemas = { A: { default: { list }, enum: [{ list }] } };
  const [one, two] = [pack(ref("A"), schemas), pack(ref("A"), schemas)];
  deepStrictEqual(one, two);
  const lists = [one, two].map(({ $defs }) => JSON.parse(JSON.stringify($defs)).A.default.list);
  deepStrictEqual(lists, [["a"], ["a"]]);
  const definition = one["$defs"];
  ok(isObject(definition) && isObject(definition["A"]) && isObject(definition["A"]["default"]));
  notStrictEqual(definition["A"]["default"]["list"], list);
});

Deno.test("pack keeps what stands beside a reference, and not what the goal says already", () => {
  const A = { type: "string", description: "general" };
  const packed = pack({ allOf: [ref("A", { description: "special" }), ref("A")] }, { A });
  deepStrictEqual(packed["allOf"], [
    { $ref: "#/$defs/A", description: "special" },
    { $ref: "#/$defs/A" },
  ]);
});

Deno.test("pack makes any value of a reference that leads nowhere, with its description", () => {
  deepStrictEqual(pack({ properties: { a: ref("Gone", { description: "what it was" }) } }), {
    properties: { a: { description: "what it was" } },
  });
});

Deno.test("pack cleans the names of definitions and tells them apart", () => {
  const schemas = {
    "Page«User»": { type: "object" },
    "Page Order": { type: "array" },
    "Page?Order": { type: "string" },
    "Пользователь": { type: "integer" },
    "__proto__x": { type: "null" },
  };
  const all = Object.keys(schemas).map((name) => ref(name));
  const { $defs } = pack({ anyOf: all }, schemas);
  deepStrictEqual(Object.keys(isObject($defs) ? $defs : {}), [
    "Page_User_",
    "Page_Order",
    "Page_Order_2",
    "schema",
    "__proto__x",
  ]);
});

Deno.test("pack lets a property be named __proto__ or constructor", () => {
  const schema = parseJson(
    '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"array"}}}',
  );
  const { properties } = new SchemaPacker(() => undefined).pack(schema);
  strictEqual(
    JSON.stringify(properties),
    '{"__proto__":{"type":"string"},"constructor":{"type":"array","items":{}}}',
  );
});

Deno.test("pack cuts what lies deepest, and says so", () => {
  const schemas = {
    A: { type: "object", properties: { b: ref("B"), c: ref("C") } },
    B: { type: "object", properties: { deep: { type: "object", properties: { x: {} } } } },
    C: { type: "string" },
  };
  const packer = new SchemaPacker(followIn(schemas), { maxNodes: 6 });
  packer.pack(ref("A"));
  deepStrictEqual(packer.definitions, {
    A: {
      type: "object",
      properties: { b: { $ref: "#/$defs/B" }, c: { $ref: "#/$defs/C" } },
    },
    B: { type: "object", properties: { deep: {} } },
    C: { type: "string" },
  });
  ok(packer.isCut);
  const roomy = new SchemaPacker(followIn(schemas));
  roomy.pack(ref("A"));
  ok(!roomy.isCut);
});

Deno.test("pack bounds a schema that contains itself without a reference, as YAML can write it", () => {
  const properties: Record<string, unknown> = {};
  const schema = { type: "object", properties };
  properties["self"] = schema;
  const packer = new SchemaPacker(() => undefined);
  ok(JSON.stringify(packer.pack(schema)).length < 10_000);
  ok(packer.isCut);
});

Deno.test("pack reads only what is within reach of the bound", () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [`S${index}`, {
      type: "object",
      properties: Object.fromEntries(
        Array.from(
          { length: 20 },
          (_, other) => [`p${other}`, ref(`S${(index * 7 + other) % 5000}`)],
        ),
      ),
    }]),
  );
  let followed = 0;
  const follow = followIn(schemas);
  const packer = new SchemaPacker((node) => (followed++, follow(node)), { maxNodes: 500 });
  packer.pack(ref("S0"));
  ok(packer.isCut);
  ok(Object.keys(packer.definitions).length <= 500);
  ok(followed <= 1000, `${followed} references followed`);
});

const USER = {
  type: "object",
  required: ["id", "name", "password"],
  properties: {
    id: ref("Id"),
    name: { type: "string" },
    password: { type: "string", writeOnly: true },
    seen: ref("Time", { readOnly: true }),
  },
};
const PARTS = { User: USER, Id: { type: "integer", readOnly: true }, Time: { type: "string" } };

Deno.test("pack leaves out properties that are read-only, here or at their goal", () => {
  const { $defs } = pack(ref("User"), PARTS, { omitted: { flag: "readOnly", as: "absent" } });
  deepStrictEqual($defs, {
    User: {
      type: "object",
      properties: { name: { type: "string" }, password: { type: "string", writeOnly: true } },
      required: ["name", "password"],
    },
  });
});

Deno.test("pack leaves what is read-only out of examples and defaults too, however deep", () => {
  const user = { id: 1, name: "n", seen: "now", more: { id: 2 } };
  const schema = {
    type: "object",
    properties: { users: { type: "array", items: ref("User"), examples: [[user]] } },
    default: { users: [user], id: 3 },
  };
  const packed = pack(schema, PARTS, { omitted: { flag: "readOnly", as: "absent" } });
  const left = { name: "n", more: { id: 2 } };
  deepStrictEqual(packed["default"], { users: [left], id: 3 });
  ok(isObject(packed["properties"]) && isObject(packed["properties"]["users"]));
  deepStrictEqual(packed["properties"]["users"]["examples"], [[left]]);
});

Deno.test("pack keeps a property that is write-only as one that no value satisfies", () => {
  const { $defs } = pack(ref("User"), PARTS, { omitted: { flag: "writeOnly", as: "refused" } });
  const user = isObject($defs) ? $defs["User"] : undefined;
  ok(isObject(user) && isObject(user["properties"]));
  deepStrictEqual(user["properties"]["password"], { writeOnly: true, not: {} });
  deepStrictEqual(user["required"], ["id", "name"]);
});

Deno.test("pack requires no omitted property that another part of an allOf describes", () => {
  const Extended = { allOf: [ref("User"), { required: ["id", "extra"] }], required: ["seen"] };
  const { $defs } = pack(ref("Extended"), { ...PARTS, Extended }, {
    omitted: { flag: "readOnly", as: "absent" },
  });
  deepStrictEqual(isObject($defs) ? $defs["Extended"] : undefined, {
    allOf: [{ $ref: "#/$defs/User" }, { required: ["extra"] }],
  });
});
