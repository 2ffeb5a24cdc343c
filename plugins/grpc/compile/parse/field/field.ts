/**
 * Fields, extensions, maps and groups.
 *
 * @module
 */
import { create } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  Edition,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { quote } from "../../failure.ts";
import { parseDefault } from "./default.ts";
import type { Draft } from "../draft.ts";
import { jsonNameOf } from "./json_name.ts";
import { makeMapEntry, type MapTypes } from "./map_entry.ts";
import { parseTypeName } from "../names.ts";
import { parseBrackets } from "../options.ts";
import { MAX_FIELD_NUMBER, parseInt32 } from "../ranges.ts";

/** Where a field goes. */
export interface FieldHome {
  readonly fields: FieldDescriptorProto[];
  /** The number of that list in the descriptor around it. */
  readonly fieldsPath: number;
  /** Where messages of groups and maps go. */
  readonly messages: DescriptorProto[];
  readonly messagesPath: number;
  /** Goes past the members of a group and its closing brace. */
  readonly parseBody: (draft: Draft, message: DescriptorProto) => void;
  readonly oneofIndex?: number;
  readonly extendee?: string;
}

const SCALARS: ReadonlyMap<string, Type> = new Map([
  ["double", Type.DOUBLE],
  ["float", Type.FLOAT],
  ["int64", Type.INT64],
  ["uint64", Type.UINT64],
  ["int32", Type.INT32],
  ["fixed64", Type.FIXED64],
  ["fixed32", Type.FIXED32],
  ["bool", Type.BOOL],
  ["string", Type.STRING],
  ["group", Type.GROUP],
  ["bytes", Type.BYTES],
  ["uint32", Type.UINT32],
  ["sfixed32", Type.SFIXED32],
  ["sfixed64", Type.SFIXED64],
  ["sint32", Type.SINT32],
  ["sint64", Type.SINT64],
]);

/** Scalars that are not for the keys of maps. */
const NO_KEYS: ReadonlySet<Type> = new Set([Type.DOUBLE, Type.FLOAT, Type.BYTES, Type.GROUP]);

const LABELS: readonly (readonly [string, Label])[] = [
  ["optional", Label.OPTIONAL],
  ["repeated", Label.REPEATED],
  ["required", Label.REQUIRED],
];

/** Goes past one field. */
export function parseField(draft: Draft, home: FieldHome): void {
  const { cursor } = draft;
  const { start } = cursor.token;
  const field = create(FieldDescriptorProtoSchema);
  const index = home.fields.push(field) - 1;
  const label = home.oneofIndex === undefined ? parseLabel(draft) : undefined;
  field.label = label ?? Label.OPTIONAL;
  if (label === Label.OPTIONAL && draft.edition === Edition.EDITION_PROTO3) {
    field.proto3Optional = true;
  }
  if (home.extendee !== undefined) field.extendee = home.extendee;
  if (home.oneofIndex !== undefined) field.oneofIndex = home.oneofIndex;
  draft.place(field, cursor.token.start);
  const map = parseType(draft, field);
  const name = cursor.word("the field's name");
  field.name = field.type === Type.GROUP ? name.toLowerCase() : name;
  field.jsonName = jsonNameOf(field.name);
  cursor.expect("=");
  field.number = parseFieldNumber(draft, home);
  parseFieldOptions(draft, field);
  if (field.type === Type.GROUP) return parseGroup(draft, { home, field, name, start });
  draft.within(home.fieldsPath, index, () => draft.end(";", start));
  if (map !== undefined) home.messages.push(makeMapEntry(draft, field, map));
}

function parseLabel({ cursor }: Draft): Label | undefined {
  return LABELS.find(([word]) => cursor.accept(word))?.[1];
}

/** Goes past the type; the types of a map's key and value are returned. */
function parseType(draft: Draft, field: FieldDescriptorProto): MapTypes | undefined {
  const { cursor } = draft;
  const { start, end } = cursor.peek();
  if (cursor.isAt("map") && cursor.source.text.slice(start, end) === "<") {
    cursor.next();
    cursor.next();
    const key = parseKeyType(draft);
    cursor.expect(",");
    if (cursor.isAt("group")) cursor.fail("a type");
    const value = parseSingleType(draft);
    cursor.expect(">");
    field.label = Label.REPEATED;
    field.type = Type.MESSAGE;
    return { key, value };
  }
  Object.assign(field, parseSingleType(draft));
  return undefined;
}

function parseKeyType(draft: Draft): { type: Type } {
  const { start } = draft.cursor.token;
  const key = parseSingleType(draft);
  if (!("type" in key) || NO_KEYS.has(key.type)) {
    draft.fail("expected an integer, bool or string as the type of a map's keys", start);
  }
  return key;
}

function parseSingleType(draft: Draft): { type: Type } | { typeName: string } {
  const { start } = draft.cursor.token;
  const typeName = parseTypeName(draft.cursor, "a type");
  const type = SCALARS.get(typeName);
  if (type === undefined) return { typeName };
  if (type === Type.GROUP && draft.edition !== Edition.EDITION_PROTO2) {
    draft.fail("expected a type: only proto2 has groups", start);
  }
  return { type };
}

function parseFieldNumber(draft: Draft, { extendee }: FieldHome): number {
  const { start } = draft.cursor.token;
  const number = parseInt32(draft, "the field's number");
  // Extensions of message sets may be larger (protoc, descriptor.cc).
  const max = extendee === undefined ? MAX_FIELD_NUMBER : 2 ** 31 - 2;
  if (number < 1 || number > max) {
    draft.fail(`expected a field's number from 1 to ${max}, found ${number}`, start);
  }
  return number;
}

function parseFieldOptions(draft: Draft, field: FieldDescriptorProto): void {
  const { cursor } = draft;
  parseBrackets(draft, field, () => {
    if (cursor.accept("default")) {
      cursor.expect("=");
      field.defaultValue = parseDefault(draft, field.typeName === "" ? field.type : Type.ENUM);
    } else if (cursor.accept("json_name")) {
      cursor.expect("=");
      field.jsonName = cursor.string("a name in quotes");
    } else return false;
    return true;
  });
}

interface Group {
  readonly home: FieldHome;
  readonly field: FieldDescriptorProto;
  readonly name: string;
  readonly start: number;
}

/** Goes past the braces of a group, which is a field and a message at once. */
function parseGroup(draft: Draft, { home, field, name, start }: Group): void {
  if (!/^[A-Z]/.test(name)) draft.fail(`expected a group's name in capitals, found ${quote(name)}`);
  const message = create(DescriptorProtoSchema, { name });
  draft.place(message, start);
  field.typeName = name;
  const index = home.messages.push(message) - 1;
  draft.within(home.messagesPath, index, () => {
    draft.end("{", start);
    home.parseBody(draft, message);
  });
}
