/**
 * Messages as JSON Schema 2020-12 of their canonical JSON.
 *
 * @module
 */
import type { DescEnum, DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { cleanText } from "../../../lib/schema/clean_text.ts";
import { parseJson } from "../../../lib/schema/exact_json.ts";
import type { JsonObject } from "../../../lib/schema/json_schema.ts";
import { isPlaceholder } from "../schema/placeholders.ts";
import { commentOf } from "./comments.ts";
import { defaultOf, descriptionOf } from "./fields.ts";
import { planTypes, type TypePlan } from "./shared_types.ts";
import { specialForm } from "./special_types.ts";
import {
  enumSchema,
  keySchema,
  MAX_SCHEMA_DESCRIPTION,
  scalarSchema,
  specialSchema,
} from "./type_schemas.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Choices of so many fields are told pair by pair. */
const MAX_PAIRED = 5;

/**
 * The schema of a message as an argument and as an answer. Types that are used more than once stand
 * in `$defs` by full name; what lies beyond the bounds is an object of any content.
 *
 * Listed are the JSON names of fields. Encoding takes their names in the `.proto` file too, and
 * numbers as text: the schema tells how to write a message, not all that is understood.
 */
export function schemaOf(type: DescMessage): JsonObject {
  const form = specialForm(type);
  if (form !== undefined) return { $schema: DIALECT, ...specialSchema(form) };
  const plan = planTypes(type);
  const definitions = [...plan.shared].map((
    shared,
  ) => [
    shared.typeName,
    shared.kind === "enum" ? enumSchema(shared) : messageSchema(shared, plan),
  ]);
  return {
    $schema: DIALECT,
    ...messageSchema(type, plan),
    ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
  };
}

/** The schema of a type where it is used. */
function useOf(type: DescMessage | DescEnum, plan: TypePlan): JsonObject {
  if (plan.shared.has(type)) return { $ref: `#/$defs/${type.typeName}` };
  return type.kind === "enum" ? enumSchema(type) : messageSchema(type, plan);
}

function messageSchema(type: DescMessage, plan: TypePlan): JsonObject {
  const form = specialForm(type);
  if (form !== undefined) return specialSchema(form);
  if (!plan.written.has(type)) {
    return { type: "object", description: `A ${type.typeName}, which is not written out here.` };
  }
  const comment = commentOf(type);
  const required = type.fields
    .filter(({ presence }) => presence === FeatureSet_FieldPresence.LEGACY_REQUIRED)
    .map(({ jsonName }) => jsonName);
  const fields = type.fields.map((field) => [field.jsonName, fieldSchema(field, plan)] as const);
  return {
    type: "object",
    ...(comment === undefined ? {} : { description: cleanText(comment, MAX_SCHEMA_DESCRIPTION) }),
    ...(type.deprecated ? { deprecated: true } : {}),
    properties: Object.fromEntries(fields),
    ...(required.length === 0 ? {} : { required }),
    // Extensions are members with their full names in brackets.
    ...(type.proto.extensionRange.length === 0 ? {} : { patternProperties: { "^\\[.+\\]$": {} } }),
    ...(isPlaceholder(type) ? {} : { additionalProperties: false }),
    ...choicesOf(type.oneofs),
  };
}

function fieldSchema(field: DescField, plan: TypePlan): JsonObject {
  const description = cleanText(descriptionOf(field), MAX_SCHEMA_DESCRIPTION);
  const written = defaultOf(field);
  return {
    ...valueSchema(field, plan),
    ...(description === "" ? {} : { description }),
    ...(written === undefined ? {} : { default: parseJson(written) }),
    ...(field.deprecated ? { deprecated: true } : {}),
  };
}

function valueSchema(field: DescField, plan: TypePlan): JsonObject {
  const single = singleSchema(field, plan);
  if (field.fieldKind === "list") return { type: "array", items: single };
  if (field.fieldKind !== "map") return single;
  return { type: "object", ...keySchema(field.mapKey), additionalProperties: single };
}

function singleSchema(field: DescField, plan: TypePlan): JsonObject {
  if (field.message !== undefined) return useOf(field.message, plan);
  return field.enum === undefined ? scalarSchema(field.scalar) : useOf(field.enum, plan);
}

/** Of each choice, two fields must not be there at once. */
function choicesOf(oneofs: readonly DescOneof[]): JsonObject {
  const forbidden = oneofs.flatMap(tooManyOf);
  if (forbidden.length === 0) return {};
  return { not: forbidden.length === 1 ? forbidden[0] : { anyOf: forbidden } };
}

/** Schemas that hold when more than one field of a choice is there. */
function tooManyOf({ fields }: DescOneof): JsonObject[] {
  const names = fields.map(({ jsonName }) => jsonName);
  if (names.length < 2) return [];
  if (names.length > MAX_PAIRED) {
    const each = names.map((name) => ({ required: [name] }));
    return [{ anyOf: each, not: { oneOf: each } }];
  }
  return names.flatMap((name, index) =>
    names.slice(index + 1).map((other) => ({ required: [name, other] }))
  );
}
