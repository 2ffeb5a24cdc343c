/**
 * What stands between the braces of a message.
 *
 * @module
 */
import { create } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  OneofDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import type { Draft } from "./draft.ts";
import { parseEnum } from "./enum.ts";
import { parseExtend } from "./field/extend.ts";
import { type FieldHome, parseField } from "./field/field.ts";
import { parseOption } from "./options.ts";
import { closeRanges, parseExtensions, parseReserved } from "./ranges.ts";
import { declareSyntheticOneofs } from "./field/synthetic_oneofs.ts";
import { acceptVisibility } from "./visibility.ts";

/** Goes past a message whose place in the descriptor is the present path. */
export function parseMessage(draft: Draft): DescriptorProto {
  const { cursor } = draft;
  const { start } = cursor.token;
  const message = create(DescriptorProtoSchema);
  const visibility = acceptVisibility(cursor);
  if (visibility !== undefined) message.visibility = visibility;
  cursor.expect("message");
  draft.place(message, cursor.token.start);
  message.name = cursor.word("the message's name");
  draft.end("{", start);
  parseMessageBody(draft, message);
  return message;
}

/** Goes past everything up to and with the closing brace. */
export function parseMessageBody(draft: Draft, message: DescriptorProto): void {
  while (!draft.cursor.isAt("}")) parseMember(draft, message);
  draft.end("}");
  closeRanges(draft, message);
  declareSyntheticOneofs(message);
}

function parseMember(draft: Draft, message: DescriptorProto): void {
  const { cursor } = draft;
  if (cursor.isAt(";")) return void draft.end(";");
  if (startsDeclaration(draft, "message")) {
    draft.within(3, message.nestedType.length, () => {
      message.nestedType.push(parseMessage(draft));
    });
  } else if (startsDeclaration(draft, "enum")) {
    draft.within(4, message.enumType.length, () => message.enumType.push(parseEnum(draft)));
  } else if (cursor.isAt("option")) parseOption(draft, message);
  else if (cursor.isAt("oneof")) parseOneof(draft, message);
  else if (cursor.isAt("extensions")) parseExtensions(draft, message);
  else if (cursor.isAt("reserved")) parseReserved(draft, message);
  else if (cursor.isAt("extend")) {
    parseExtend(draft, { ...homeIn(message), fields: message.extension, fieldsPath: 6 });
  } else parseField(draft, homeIn(message));
}

/** Whether `message` or `enum` comes, perhaps after `export` or `local`. */
export function startsDeclaration({ cursor }: Draft, word: "message" | "enum"): boolean {
  if (cursor.isAt(word)) return true;
  if (!cursor.isAt("export") && !cursor.isAt("local")) return false;
  const { start, end } = cursor.peek();
  return cursor.source.text.slice(start, end) === word;
}

function homeIn(message: DescriptorProto): FieldHome {
  return {
    fields: message.field,
    fieldsPath: 2,
    messages: message.nestedType,
    messagesPath: 3,
    parseBody: parseMessageBody,
  };
}

function parseOneof(draft: Draft, message: DescriptorProto): void {
  const { cursor } = draft;
  const { start } = cursor.token;
  const oneof = create(OneofDescriptorProtoSchema);
  const oneofIndex = message.oneofDecl.push(oneof) - 1;
  cursor.expect("oneof");
  draft.place(oneof, cursor.token.start);
  oneof.name = cursor.word("the oneof's name");
  draft.within(8, oneofIndex, () => draft.end("{", start));
  const home = { ...homeIn(message), oneofIndex };
  while (!cursor.isAt("}")) {
    if (cursor.isAt(";")) draft.end(";");
    else if (cursor.isAt("option")) {
      draft.within(8, oneofIndex, () => parseOption(draft, oneof));
    } else parseField(draft, home);
  }
  draft.end("}");
}
