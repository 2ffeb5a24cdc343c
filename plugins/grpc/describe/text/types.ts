/**
 * Messages and enums as text of a `.proto` file.
 *
 * @module
 */
import type { DescEnum, DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  Edition,
  EnumOptionsSchema,
  EnumValueOptionsSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  MessageOptionsSchema,
  SymbolVisibility,
} from "@bufbuild/protobuf/wkt";
import { commentOf, type Described } from "../comments.ts";
import { scalarName } from "../special_types.ts";
import { nameAt, type NamedType } from "./names.ts";
import { featuresOf, fieldOptions, inBrackets, optionsOf, quoted } from "./options.ts";

/** Ends of ranges that are written `max`: one past the highest field, the highest enum value. */
const [MAX_FIELD_END, MAX_VALUE] = [536_870_912, 2_147_483_647];

/** The lines of a message or enum, with its comment. */
export function typeLines(type: NamedType): string[] {
  return type.kind === "enum" ? enumLines(type) : messageLines(type);
}

/** The author's comment as lines. */
export function commentLines(described: Described): string[] {
  const comment = commentOf(described);
  return comment === undefined ? [] : comment.split("\n").map((line) => `// ${line}`.trimEnd());
}

/** Lines within braces. */
export function block(head: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [`${head} {}`];
  return [`${head} {`, ...lines.map((line) => line === "" ? "" : `  ${line}`), "}"];
}

function messageLines(type: DescMessage): string[] {
  const head = `${visibility(type.proto.visibility)}message ${type.name}`;
  return [...commentLines(type), ...block(head, bodyLines(type))];
}

function bodyLines(type: DescMessage): string[] {
  const { proto } = type;
  const groups = new Set(type.fields.filter(isGroup).map(({ message }) => message));
  const nested = [
    ...type.nestedEnums,
    ...type.nestedMessages.filter((message) => !groups.has(message)),
  ];
  return [
    ...optionsOf(MessageOptionsSchema, proto.options).map(asStatement),
    ...featuresOf(proto.options).map(asStatement),
    ...nested.flatMap((inner) => [...typeLines(inner), ""]),
    ...type.members.flatMap((member) =>
      member.kind === "oneof" ? oneofLines(member) : fieldLines(member)
    ),
    ...rangeLines("extensions", proto.extensionRange),
    ...rangeLines("reserved", proto.reservedRange),
    ...reservedNames(proto.reservedName, type.file.edition),
  ];
}

function oneofLines(oneof: DescOneof): string[] {
  return [
    ...commentLines(oneof),
    ...block(`oneof ${oneof.name}`, [
      ...featuresOf(oneof.proto.options).map(asStatement),
      ...oneof.fields.flatMap(fieldLines),
    ]),
  ];
}

function fieldLines(field: DescField): string[] {
  const options = inBrackets(fieldOptions(field));
  const head = commentLines(field);
  if (isGroup(field) && field.message !== undefined) {
    const group = `${labelOf(field)}group ${field.message.name} = ${field.number}${options}`;
    return [...head, ...block(group, bodyLines(field.message))];
  }
  return [
    ...head,
    `${labelOf(field)}${typeOf(field)} ${field.name} = ${field.number}${options};`,
  ];
}

function isGroup({ proto }: DescField): boolean {
  return proto.type === FieldDescriptorProto_Type.GROUP;
}

function typeOf(field: DescField): string {
  const type = singleType(field);
  return field.fieldKind === "map" ? `map<${scalarName(field.mapKey)}, ${type}>` : type;
}

function singleType(field: DescField): string {
  if (field.message !== undefined) return nameAt(field.message, field.parent);
  return field.enum === undefined ? scalarName(field.scalar) : nameAt(field.enum, field.parent);
}

function labelOf(field: DescField): string {
  const { proto, parent, fieldKind } = field;
  if (fieldKind === "map") return "";
  if (fieldKind === "list") return "repeated ";
  if (field.oneof !== undefined) return "";
  if (proto.proto3Optional) return "optional ";
  if (parent.file.edition !== Edition.EDITION_PROTO2) return "";
  return proto.label === FieldDescriptorProto_Label.REQUIRED ? "required " : "optional ";
}

function enumLines(type: DescEnum): string[] {
  const { proto } = type;
  return [
    ...commentLines(type),
    ...block(`${visibility(proto.visibility)}enum ${type.name}`, [
      ...optionsOf(EnumOptionsSchema, proto.options).map(asStatement),
      ...featuresOf(proto.options).map(asStatement),
      ...type.values.flatMap((value) => [
        ...commentLines(value),
        `${value.name} = ${value.number}${
          inBrackets([
            ...optionsOf(EnumValueOptionsSchema, value.proto.options),
            ...featuresOf(value.proto.options),
          ])
        };`,
      ]),
      // Those of enums end with the last number, those of messages behind it.
      ...rangeLines(
        "reserved",
        proto.reservedRange.map(({ start, end }) => ({ start, end: end + 1 })),
        MAX_VALUE + 1,
      ),
      ...reservedNames(proto.reservedName, type.file.edition),
    ]),
  ];
}

/** An option as a line of its own. */
export function asStatement(option: string): string {
  return `option ${option};`;
}

function rangeLines(
  word: string,
  ranges: readonly Pick<DescriptorProto["reservedRange"][number], "start" | "end">[],
  max = MAX_FIELD_END,
): string[] {
  if (ranges.length === 0) return [];
  const texts = ranges.map(({ start, end }) =>
    end === start + 1 ? String(start) : `${start} to ${end >= max ? "max" : end - 1}`
  );
  return [`${word} ${texts.join(", ")};`];
}

/** Names are text before the editions, and identifiers in them. */
function reservedNames(names: readonly string[], edition: Edition): string[] {
  if (names.length === 0) return [];
  const isEdition = edition >= Edition.EDITION_2023;
  return [`reserved ${names.map((name) => isEdition ? name : quoted(name)).join(", ")};`];
}

function visibility(visibility: SymbolVisibility): string {
  if (visibility === SymbolVisibility.VISIBILITY_EXPORT) return "export ";
  return visibility === SymbolVisibility.VISIBILITY_LOCAL ? "local " : "";
}
