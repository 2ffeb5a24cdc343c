/**
 * JSON Schemas of scalars, enums and the well-known types, as canonical Protobuf JSON has them.
 * See https://protobuf.dev/programming-guides/json/.
 *
 * @module
 */
import { type DescEnum, ScalarType } from "@bufbuild/protobuf";
import { cleanText } from "../../../lib/schema/clean_text.ts";
import type { JsonObject } from "../../../lib/schema/json_schema.ts";
import { makeRawJson } from "../../../lib/schema/raw_json.ts";
import { commentOf } from "./comments.ts";
import type { SpecialForm } from "./special_types.ts";

/** Longest description of one node, in UTF-16 units. */
export const MAX_SCHEMA_DESCRIPTION = 600;

/** Most values of an enum that are listed. */
const MAX_VALUES = 1000;

const INT32 = {
  type: "integer",
  format: "int32",
  minimum: -2147483648,
  maximum: 2147483647,
};
const UINT32 = { type: "integer", format: "uint32", minimum: 0, maximum: 4294967295 };
// Sent as text, since many readers of JSON round such numbers; both are taken.
const INT64 = {
  type: ["string", "integer"],
  format: "int64",
  pattern: "^-?[0-9]{1,19}$",
  minimum: makeRawJson("-9223372036854775808"),
  maximum: makeRawJson("9223372036854775807"),
};
const UINT64 = {
  type: ["string", "integer"],
  format: "uint64",
  pattern: "^[0-9]{1,20}$",
  minimum: 0,
  maximum: makeRawJson("18446744073709551615"),
};
const DOUBLE = { type: ["number", "string"], format: "double", pattern: "^(NaN|-?Infinity)$" };
const LARGEST_FLOAT = 3.4028234663852886e38;
const FLOAT = {
  ...DOUBLE,
  format: "float",
  minimum: -LARGEST_FLOAT,
  maximum: LARGEST_FLOAT,
};

const SCALARS: Readonly<Record<ScalarType, JsonObject>> = {
  [ScalarType.DOUBLE]: DOUBLE,
  [ScalarType.FLOAT]: FLOAT,
  [ScalarType.INT64]: INT64,
  [ScalarType.SINT64]: INT64,
  [ScalarType.SFIXED64]: INT64,
  [ScalarType.UINT64]: UINT64,
  [ScalarType.FIXED64]: UINT64,
  [ScalarType.INT32]: INT32,
  [ScalarType.SINT32]: INT32,
  [ScalarType.SFIXED32]: INT32,
  [ScalarType.UINT32]: UINT32,
  [ScalarType.FIXED32]: UINT32,
  [ScalarType.BOOL]: { type: "boolean" },
  [ScalarType.STRING]: { type: "string" },
  [ScalarType.BYTES]: { type: "string", contentEncoding: "base64" },
};

/** The schema of a scalar. */
export function scalarSchema(scalar: ScalarType): JsonObject {
  return SCALARS[scalar];
}

/** The schema of a message that has a JSON form of its own. */
export function specialSchema(special: SpecialForm): JsonObject {
  switch (special.form) {
    case "scalar": {
      const schema = SCALARS[special.scalar];
      return { ...schema, type: [schema["type"], "null"].flat() };
    }
    case "timestamp":
      return { type: "string", format: "date-time" };
    case "duration":
      return { type: "string", pattern: "^-?[0-9]{1,12}(\\.[0-9]{1,9})?s$", examples: ["1.5s"] };
    case "mask":
      return { type: "string", examples: ["name,address.city"] };
    case "object":
      return { type: "object" };
    case "list":
      return { type: "array" };
    case "any":
      return {
        type: "object",
        properties: {
          "@type": {
            type: "string",
            examples: ["type.googleapis.com/google.protobuf.Duration"],
          },
        },
        required: ["@type"],
      };
    case "value":
      return {};
  }
}

/** The schema of the names of a map's members, which JSON has as text. */
export function keySchema(scalar: ScalarType): JsonObject {
  if (scalar === ScalarType.STRING) return {};
  if (scalar === ScalarType.BOOL) return { propertyNames: { enum: ["true", "false"] } };
  const isUnsigned = SCALARS[scalar]["minimum"] === 0;
  return { propertyNames: { pattern: isUnsigned ? "^[0-9]{1,20}$" : "^-?[0-9]{1,20}$" } };
}

/** The schema of an enum: names, and where the enum is open any number. */
export function enumSchema(type: DescEnum): JsonObject {
  if (type.typeName === "google.protobuf.NullValue") return { type: "null" };
  const listed = [...new Set(type.values.map(({ jsonName }) => jsonName))];
  const names = { type: "string", ...(listed.length > MAX_VALUES ? {} : { enum: listed }) };
  const description = enumDescription(type);
  return {
    ...(description === "" ? {} : { description }),
    ...(type.open ? { anyOf: [names, INT32] } : names),
  };
}

/** The author's comment on the enum, and on each value. */
function enumDescription(type: DescEnum): string {
  const values = type.values.map((value) => {
    const comment = commentOf(value);
    return comment === undefined ? "" : `${value.jsonName}: ${comment.replace(/\s+/g, " ")}`;
  });
  const lines = [commentOf(type) ?? "", ...values].filter((line) => line !== "");
  return cleanText(lines.join("\n"), MAX_SCHEMA_DESCRIPTION);
}
