/**
 * Schemas and values of all shapes, for property tests.
 *
 * @module
 */
import fc from "fast-check";

const KEYWORDS = [
  fc.record({ type: fc.constantFrom("string", "integer", "number", "object", "array", "null") }),
  fc.record({ minimum: fc.integer({ min: -2, max: 2 }) }),
  fc.record({ exclusiveMaximum: fc.integer({ min: -2, max: 2 }) }),
  fc.record({ multipleOf: fc.constantFrom(1, 2, 0.5) }),
  fc.record({ maxLength: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ minItems: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ uniqueItems: fc.constant(true) }),
  fc.record({ maxProperties: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ required: fc.uniqueArray(fc.constantFrom("a", "b"), { maxLength: 2 }) }),
  fc.record({ enum: fc.constantFrom([1, "a"], [null, []], [{ a: 1 }, 0]) }),
];

const schemas = fc.letrec<{ schema: unknown; node: object }>((tie) => ({
  schema: fc.oneof({ depthSize: "small" }, fc.boolean(), tie("node")),
  node: fc.tuple(
    fc.oneof(...KEYWORDS),
    fc.oneof(
      { depthSize: "small" },
      fc.constant({}),
      fc.record({ properties: fc.record({ a: tie("schema") }) }),
      fc.record({ patternProperties: fc.record({ "^b": tie("schema") }) }),
      fc.record({ properties: fc.record({ a: tie("node") }), additionalProperties: tie("schema") }),
      fc.record({ items: tie("schema") }),
      fc.record({ prefixItems: fc.tuple(tie("schema")), items: tie("schema") }),
      fc.record({ contains: tie("schema"), maxContains: fc.constantFrom(1, 2) }),
      fc.record({ allOf: fc.tuple(tie("schema"), tie("schema")) }),
      fc.record({ anyOf: fc.tuple(tie("schema"), tie("schema")) }),
      fc.record({ oneOf: fc.tuple(tie("schema"), tie("schema")) }),
      fc.record({ not: tie("schema") }),
      fc.record({ if: tie("schema"), then: tie("schema"), else: tie("schema") }),
      fc.record({ allOf: fc.tuple(tie("schema")), unevaluatedProperties: tie("schema") }),
      fc.record({ anyOf: fc.tuple(tie("schema"), tie("node")), unevaluatedItems: tie("schema") }),
      fc.record({ dependentSchemas: fc.record({ a: tie("schema") }) }),
      fc.record({ propertyNames: tie("schema") }),
    ),
  ).map(([one, other]) => ({ ...one, ...other })),
}));

/** A schema, valid in 2020-12 and often unsatisfiable. */
export const anySchema = schemas.schema;

/** A value of the kind that such a schema speaks of. */
export const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, 0, 1, -1, 0.5, 2, "", "a", "abc"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
  ),
})).value;
