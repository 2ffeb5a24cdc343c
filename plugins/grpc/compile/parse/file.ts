/**
 * A whole .proto file.
 *
 * @module
 */
import { dirname, join } from "node:path/posix";
import { Edition, EditionSchema } from "@bufbuild/protobuf/wkt";
import { quote, type Source } from "../failure.ts";
import type { ParsedFile } from "../syntax/tree.ts";
import { Draft } from "./draft.ts";
import { parseEnum } from "./enum.ts";
import { parseExtend } from "./field/extend.ts";
import { parseMessage, parseMessageBody, startsDeclaration } from "./message.ts";
import { parseDotted } from "./names.ts";
import { parseOption } from "./options.ts";
import { parseService } from "./service.ts";

/** Most parts of a package's name (protoc, descriptor.cc). */
const MAX_PACKAGE_PARTS = 100;

/**
 * Parses one file.
 *
 * @throws {BowireError} `bad_document` with line and column at the first thing that is wrong.
 */
export function parseFile(source: Source): ParsedFile {
  const draft = new Draft({ path: source.path, text: source.text.replace(/^\ufeff/, "") });
  parseSyntax(draft);
  while (draft.cursor.token.kind !== "end") parseStatement(draft);
  return draft.finish();
}

function parseSyntax(draft: Draft): void {
  const { cursor, proto } = draft;
  const { start } = cursor.token;
  const isEdition = cursor.accept("edition");
  if (!isEdition && !cursor.accept("syntax")) {
    draft.warnings.push(`${quote(proto.name)} does not say its syntax: it is read as proto2`);
    return;
  }
  cursor.expect("=");
  const { start: valueStart } = cursor.token;
  const name = cursor.string("a name in quotes");
  if (isEdition) {
    const edition = EditionSchema.values.find((value) => value.name === `EDITION_${name}`)?.number;
    if (edition === undefined || !/^\d{4}$/.test(name)) {
      draft.fail(`the edition ${quote(name)} is not known`, valueStart);
    }
    draft.edition = edition;
    proto.syntax = "editions";
    proto.edition = edition;
  } else if (name === "proto3") {
    draft.edition = Edition.EDITION_PROTO3;
    proto.syntax = name;
  } else if (name !== "proto2") {
    draft.fail(`expected syntax "proto2" or "proto3", found ${quote(name)}`, valueStart);
  }
  draft.within(12, undefined, () => draft.end(";", start));
}

function parseStatement(draft: Draft): void {
  const { cursor, proto } = draft;
  if (cursor.isAt(";")) return void draft.end(";");
  if (startsDeclaration(draft, "message")) {
    draft.within(4, proto.messageType.length, () => proto.messageType.push(parseMessage(draft)));
  } else if (startsDeclaration(draft, "enum")) {
    draft.within(5, proto.enumType.length, () => proto.enumType.push(parseEnum(draft)));
  } else if (cursor.isAt("service")) {
    draft.within(6, proto.service.length, () => proto.service.push(parseService(draft)));
  } else if (cursor.isAt("extend")) {
    parseExtend(draft, {
      fields: proto.extension,
      fieldsPath: 7,
      messages: proto.messageType,
      messagesPath: 4,
      parseBody: parseMessageBody,
    });
  } else if (cursor.isAt("import")) parseImport(draft);
  else if (cursor.isAt("package")) parsePackage(draft);
  else if (cursor.isAt("option")) parseOption(draft, proto);
  else cursor.fail("a declaration, such as message, enum, service or import");
}

function parsePackage(draft: Draft): void {
  const { cursor, proto } = draft;
  const { start } = cursor.token;
  cursor.expect("package");
  if (proto.package !== "") draft.fail("the file has two packages", start);
  draft.place(proto, cursor.token.start);
  proto.package = parseDotted(cursor, "the package's name");
  if (proto.package.split(".").length > MAX_PACKAGE_PARTS) {
    draft.fail(`the package's name has more than ${MAX_PACKAGE_PARTS} parts`, start);
  }
  draft.within(2, undefined, () => draft.end(";", start));
}

/**
 * The path below a root. Protoc takes no path that begins at the importing file; protobufjs does, and
 * there are files that it wrote for.
 */
function pathFrom({ proto, warnings }: Draft, written: string): string {
  if (!/^\.\.?\//.test(written)) return written;
  const path = join(dirname(proto.name), written);
  if (path.startsWith("../")) return written;
  warnings.push(`${quote(proto.name)} imports ${quote(written)}: it is read as ${quote(path)}`);
  return path;
}

function parseImport(draft: Draft): void {
  const { cursor, proto } = draft;
  const { start } = cursor.token;
  cursor.expect("import");
  const isOption = cursor.accept("option");
  const paths = isOption ? proto.optionDependency : proto.dependency;
  if (cursor.accept("public")) proto.publicDependency.push(paths.length);
  else if (cursor.accept("weak")) proto.weakDependency.push(paths.length);
  const offset = cursor.token.start;
  const path = pathFrom(draft, cursor.string("a path in quotes"));
  if (draft.imports.has(path)) {
    draft.fail(`${quote(path)} is imported twice`, offset);
  }
  draft.imports.set(path, offset);
  draft.within(isOption ? 15 : 3, paths.push(path) - 1, () => draft.end(";", start));
}
