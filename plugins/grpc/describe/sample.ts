/**
 * Messages to start from: a value for each field that can have one, of each choice the first.
 *
 * @module
 */
import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { parseJson } from "../../../lib/schema/exact_json.ts";
import { isPlaceholder } from "../schema/placeholders.ts";
import { defaultOf } from "./fields.ts";
import { type SpecialForm, specialForm } from "./special_types.ts";

/** Most messages within each other, those that are required aside. */
const MAX_DEPTH = 3;
/** Fields after which only those follow that are required. */
const MAX_FIELDS = 80;
/** Most messages within each other at all. */
const MAX_REQUIRED_DEPTH = 50;

/** Canonical JSON of a message; `undefined` when it cannot be made, as one that requires itself. */
export function sampleOf(type: DescMessage): unknown {
  return new Sampler().message(type, []);
}

class Sampler {
  #fields = 0;

  message(type: DescMessage, around: readonly DescMessage[]): unknown {
    const form = specialForm(type);
    if (form !== undefined) return specialSample(form);
    if (around.includes(type) || around.length > MAX_REQUIRED_DEPTH) return undefined;
    const members = new Map<string, unknown>();
    const within = [...around, type];
    for (const member of type.members) {
      const fields = member.kind === "oneof" ? member.fields : [member];
      for (const field of fields) {
        const isRequired = field.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED;
        if (!isRequired && (around.length >= MAX_DEPTH || !this.#isWanted(field))) continue;
        this.#fields++;
        const value = this.#field(field, within);
        if (value === undefined && isRequired) return undefined;
        if (value === undefined) continue;
        members.set(field.jsonName, value);
        break;
      }
    }
    return Object.fromEntries(members);
  }

  /** Not what is going away, and not what only the reader of a document could fill. */
  #isWanted(field: DescField): boolean {
    const { message } = field;
    const isOpaque = message !== undefined &&
      (isPlaceholder(message) || specialForm(message)?.form === "any");
    return !field.deprecated && !isOpaque && this.#fields < MAX_FIELDS;
  }

  #field(field: DescField, around: readonly DescMessage[]): unknown {
    const written = defaultOf(field);
    if (written !== undefined) return parseJson(written);
    const value = field.message !== undefined
      ? this.message(field.message, around)
      : field.enum !== undefined
      ? enumSample(field.enum)
      : scalarSample(field.scalar);
    if (value === undefined) return undefined;
    if (field.fieldKind === "list") return [value];
    return field.fieldKind === "map" ? { [String(scalarSample(field.mapKey))]: value } : value;
  }
}

/** The first value that is not the default and not going away. */
function enumSample({ typeName, values }: DescEnum): unknown {
  if (typeName === "google.protobuf.NullValue") return null;
  const value = values.find(({ number, deprecated }) => number !== 0 && !deprecated) ?? values[0];
  return value?.jsonName;
}

function scalarSample(scalar: ScalarType): unknown {
  switch (scalar) {
    case ScalarType.STRING:
      return "string";
    case ScalarType.BYTES:
      return "aGVsbG8="; // hello
    case ScalarType.BOOL:
      return true;
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return "1";
    default:
      return 1;
  }
}

function specialSample(special: SpecialForm): unknown {
  switch (special.form) {
    case "scalar":
      return scalarSample(special.scalar);
    case "timestamp":
      return "2025-01-15T09:30:00Z";
    case "duration":
      return "1.5s";
    case "mask":
      return "name";
    case "object":
      return { key: "value" };
    case "list":
      return ["value"];
    case "value":
      return "value";
    case "any":
      return { "@type": "type.googleapis.com/google.protobuf.Duration", value: "1.5s" };
  }
}
