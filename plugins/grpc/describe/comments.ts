/**
 * The comments of the authors, by the descriptors that they stand at.
 *
 * @module
 */
import type { DescEnum, DescEnumValue, DescField, DescMessage } from "@bufbuild/protobuf";
import type { DescMethod, DescOneof, DescService } from "@bufbuild/protobuf";
import type {
  DescriptorProto,
  EnumDescriptorProto,
  FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { cleanText } from "../../../lib/schema/clean_text.ts";

/** What may have a comment. */
export type Described =
  | DescService
  | DescMethod
  | DescMessage
  | DescField
  | DescOneof
  | DescEnum
  | DescEnumValue;

/** Longest comment, in UTF-16 units. */
const MAX_COMMENT_LENGTH = 2000;

/** Comments of one file by the part of its descriptor. */
type Comments = ReadonlyMap<object, string>;

const commentsByFile = new WeakMap<FileDescriptorProto, Comments>();

/** The comment before a declaration, else the one behind it, without invisible characters. */
export function commentOf(described: Described): string | undefined {
  const file = fileOf(described);
  let comments = commentsByFile.get(file);
  if (comments === undefined) {
    comments = readComments(file);
    commentsByFile.set(file, comments);
  }
  return comments.get(described.proto);
}

function fileOf(described: Described): FileDescriptorProto {
  switch (described.kind) {
    case "service":
    case "message":
    case "enum":
      return described.file.proto;
    default:
      return described.parent.file.proto;
  }
}

function readComments(file: FileDescriptorProto): Comments {
  const texts = new Map<string, string>();
  for (const { path, leadingComments, trailingComments } of file.sourceCodeInfo?.location ?? []) {
    const comment = cleanComment(leadingComments) || cleanComment(trailingComments);
    if (comment !== "") texts.set(path.join("."), comment);
  }
  const comments = new Map<object, string>();
  if (texts.size === 0) return comments;
  for (const [path, part] of partsOf(file)) {
    const comment = texts.get(path);
    if (comment !== undefined) comments.set(part, comment);
  }
  return comments;
}

/** The text as a person reads it: without the space that follows the comment sign on each line. */
function cleanComment(comment: string): string {
  return cleanText(comment.replace(/^ /gm, ""), MAX_COMMENT_LENGTH);
}

/** The parts of a file with their paths: numbers of fields of the descriptor, and positions. */
function* partsOf(file: FileDescriptorProto): Generator<[string, object]> {
  for (const [index, message] of file.messageType.entries()) {
    yield* partsOfMessage(`4.${index}`, message);
  }
  for (const [index, declared] of file.enumType.entries()) {
    yield* partsOfEnum(`5.${index}`, declared);
  }
  for (const [index, service] of file.service.entries()) {
    yield [`6.${index}`, service];
    yield* numbered(`6.${index}.2`, service.method);
  }
}

function* partsOfMessage(path: string, message: DescriptorProto): Generator<[string, object]> {
  yield [path, message];
  yield* numbered(`${path}.2`, message.field);
  yield* numbered(`${path}.8`, message.oneofDecl);
  for (const [index, nested] of message.nestedType.entries()) {
    yield* partsOfMessage(`${path}.3.${index}`, nested);
  }
  for (const [index, declared] of message.enumType.entries()) {
    yield* partsOfEnum(`${path}.4.${index}`, declared);
  }
}

function* partsOfEnum(path: string, declared: EnumDescriptorProto): Generator<[string, object]> {
  yield [path, declared];
  yield* numbered(`${path}.2`, declared.value);
}

function* numbered(path: string, parts: readonly object[]): Generator<[string, object]> {
  for (const [index, part] of parts.entries()) yield [`${path}.${index}`, part];
}
