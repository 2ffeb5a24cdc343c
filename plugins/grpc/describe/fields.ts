/**
 * One field of a message as discovery shows it, without what is nested in it.
 *
 * @module
 */
import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import type { Field, Message } from "../../../lib/model/mod.ts";
import { cleanLine, cleanText } from "../../../lib/schema/clean_text.ts";
import { isPlaceholder } from "../schema/placeholders.ts";
import { commentOf } from "./comments.ts";
import { scalarName, type SpecialForm, specialForm } from "./special_types.ts";

/** Most values of an enum that are shown; the method's schema has them all. */
const MAX_ENUM_VALUES = 300;
/** Most fields of a choice that are named at each of them. */
const MAX_CHOICES = 20;
const MAX_DESCRIPTION_LENGTH = 2000;
const MAX_NAME_LENGTH = 200;

/** Stands for a value of any JSON type. */
const ANY_VALUE: Message = { name: "Value", fullName: "google.protobuf.Value", fields: [] };

/** What a field has of its type. */
type Typed = Pick<Field, "type" | "format" | "isNullable" | "messageType" | "enumValues">;

/** The field; the messages of types without a JSON form of their own are left to the caller. */
export function describeField(field: DescField): Field {
  const { fieldKind } = field;
  const form = field.message === undefined ? undefined : specialForm(field.message);
  const isSingular = fieldKind !== "list" && fieldKind !== "map";
  const isMap = fieldKind === "map" || (isSingular && form?.form === "object");
  const isRepeated = fieldKind === "list" || (isSingular && form?.form === "list");
  const required = field.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED;
  const description = descriptionOf(field);
  const example = defaultOf(field);
  return {
    name: cleanLine(field.jsonName, MAX_NAME_LENGTH),
    number: field.number,
    label: isRepeated || isMap ? "repeated" : required ? "required" : "optional",
    isMap,
    isRepeated,
    required,
    isBinary: false,
    ...typeOf(field, form),
    ...(description === "" ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  };
}

function typeOf(field: DescField, form: SpecialForm | undefined): Typed {
  if (form !== undefined && field.message !== undefined) return specialType(field.message, form);
  if (field.message !== undefined) return { type: "message" };
  if (field.enum !== undefined) return enumType(field.enum);
  return { type: scalarName(field.scalar) };
}

function enumType({ values }: DescEnum): Typed {
  if (values.length > MAX_ENUM_VALUES) return { type: "enum" };
  return {
    type: "enum",
    enumValues: values.map(({ jsonName, number }) => ({ name: jsonName, number })),
  };
}

/** The type that the JSON of a well-known message has. */
function specialType(message: DescMessage, special: SpecialForm): Typed {
  switch (special.form) {
    case "scalar":
      return { type: scalarName(special.scalar), isNullable: true };
    case "timestamp":
      return { type: "string", format: "date-time" };
    case "duration":
      return { type: "string", format: "google-duration" };
    case "mask":
      return { type: "string", format: "google-fieldmask" };
    case "any":
      return { type: "message", messageType: ANY_MESSAGE };
    default:
      return { type: "message", messageType: { ...ANY_VALUE, ...namesOf(message) } };
  }
}

/** What every field has that is a single value. */
const SINGLE = {
  label: "optional",
  isMap: false,
  isRepeated: false,
  required: false,
  isBinary: false,
} as const;

const ANY_MESSAGE: Message = {
  name: "Any",
  fullName: "google.protobuf.Any",
  fields: [
    {
      ...SINGLE,
      name: "@type",
      number: 1,
      type: "string",
      description: "URL of the type, such as type.googleapis.com/google.protobuf.Duration. The " +
        "members of that type stand beside it.",
    },
    {
      ...SINGLE,
      name: "value",
      number: 2,
      type: "message",
      messageType: ANY_VALUE,
      description: "The value, when its JSON is not an object with the type's fields.",
    },
  ],
};

/** Short and full name of a message. */
export function namesOf({ name, typeName }: DescMessage): { name: string; fullName: string } {
  return { name, fullName: typeName };
}

/** A method's message whose JSON is not an object with its fields. */
export function describeSpecialMessage(message: DescMessage, special: SpecialForm): Message {
  if (special.form === "any") return ANY_MESSAGE;
  const value: Field = {
    ...SINGLE,
    name: "value",
    number: 1,
    isMap: special.form === "object",
    isRepeated: special.form === "list",
    ...specialType(message, special),
    description: "The whole message is this JSON value, without a name.",
  };
  return { ...namesOf(message), fields: [value] };
}

/** The author's comment, and what fields of other protocols have no word for. */
export function descriptionOf(field: DescField): string {
  const { oneof } = field;
  const sentences = [commentOf(field) ?? ""];
  if (oneof !== undefined) {
    const names = oneof.fields.slice(0, MAX_CHOICES).map(({ jsonName }) => jsonName);
    const more = oneof.fields.length > MAX_CHOICES ? " …" : "";
    sentences.push(`Only one of: ${names.join(", ")}${more}`);
  }
  if (field.fieldKind === "map" && field.mapKey !== ScalarType.STRING) {
    sentences.push(`Keys: ${scalarName(field.mapKey)}`);
  }
  const type = field.message ?? field.enum;
  if (type !== undefined && isPlaceholder(type)) {
    sentences.push(`The server does not describe the type ${type.typeName}`);
  }
  if (field.deprecated) sentences.push("Deprecated");
  return cleanText(
    sentences.filter((sentence) => sentence !== "").join("\n"),
    MAX_DESCRIPTION_LENGTH,
  );
}

/** The default that the author wrote, as JSON text; that of bytes is left out. */
export function defaultOf(field: DescField): string | undefined {
  if (field.fieldKind !== "scalar" && field.fieldKind !== "enum") return undefined;
  const value = readDefault(() => field.getDefaultValue());
  if (value === undefined || value instanceof Uint8Array) return undefined;
  if (field.fieldKind === "enum") {
    return JSON.stringify(field.enum.values.find(({ number }) => number === value)?.jsonName);
  }
  const isFinite = typeof value === "number" && Number.isFinite(value);
  return JSON.stringify(isFinite || typeof value === "boolean" ? value : String(value));
}

function readDefault(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined; // text of strangers, which may be no such value
  }
}
