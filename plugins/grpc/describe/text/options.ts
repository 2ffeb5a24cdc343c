/**
 * The options of a declaration as text. Those that authors define themselves are left out.
 *
 * @module
 */
import { type DescField, type DescMessage, isFieldSet, type Message } from "@bufbuild/protobuf";
import { protoCamelCase, reflect } from "@bufbuild/protobuf/reflect";
import {
  FeatureSetSchema,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import { cleanLine } from "../../../../lib/schema/clean_text.ts";

/** Longest default, in UTF-16 units. */
const MAX_DEFAULT_LENGTH = 1000;

/** The options that are set and have a single value, as `name = value`. */
export function optionsOf(schema: DescMessage, options: Message | undefined): string[] {
  if (options === undefined) return [];
  const message = reflect(schema, options);
  return schema.fields.filter((field) => message.isSet(field)).flatMap((field) => {
    const value: unknown = message.get(field);
    if (field.fieldKind === "enum") {
      const name = field.enum.values.find(({ number }) => number === value)?.name;
      return name === undefined ? [] : [`${field.name} = ${name}`];
    }
    const isWritten = field.fieldKind === "scalar" && field.name !== "map_entry";
    return isWritten ? [`${field.name} = ${literal(value)}`] : [];
  });
}

/** The features of editions that are set. */
export function featuresOf(options: { readonly features?: Message | undefined } | undefined) {
  return optionsOf(FeatureSetSchema, options?.features).map((option) => `features.${option}`);
}

/** What stands in brackets behind a field. */
export function fieldOptions(field: DescField): string[] {
  const { proto } = field;
  const isOdd = field.jsonName !== protoCamelCase(field.name);
  return [
    ...defaultOf(field),
    ...(isOdd ? [`json_name = ${quoted(field.jsonName)}`] : []),
    ...optionsOf(FieldOptionsSchema, proto.options),
    ...featuresOf(proto.options),
  ];
}

/** Options in brackets, nothing when there are none. */
export function inBrackets(options: readonly string[]): string {
  return options.length === 0 ? "" : ` [${options.join(", ")}]`;
}

/** Text as a string literal of one line. */
export function quoted(text: string): string {
  const escaped = text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r")
    .replace(/\t/g, "\\t")
    // deno-lint-ignore no-control-regex -- these are what must be escaped
    .replace(/[\0-\x1f\x7f]/g, (character) => octal(character.charCodeAt(0)));
  return `"${escaped}"`;
}

function octal(code: number): string {
  return `\\${code.toString(8).padStart(3, "0")}`;
}

function literal(value: unknown): string {
  return typeof value === "string" ? quoted(value) : String(value);
}

function defaultOf({ proto }: DescField): string[] {
  const { defaultValue, type } = proto;
  if (!isFieldSet(proto, FieldDescriptorProtoSchema.field.defaultValue)) return [];
  if (type === FieldDescriptorProto_Type.STRING) return [`default = ${quoted(defaultValue)}`];
  const text = cleanLine(defaultValue, MAX_DEFAULT_LENGTH);
  // That of bytes is escaped as in a source file.
  return [`default = ${type === FieldDescriptorProto_Type.BYTES ? `"${text}"` : text}`];
}
