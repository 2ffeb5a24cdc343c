/**
 * Compares two descriptors of one file.
 *
 * What may differ: the order of fields in the bytes of custom options (buf writes the members of
 * oneofs last), how default values of floating point are written, everything of the source but
 * comments, and the line feed at the end of a trailing comment (buf sometimes drops it).
 *
 * @module
 */
import {
  clearExtension,
  clone,
  type FileRegistry,
  getExtension,
  isMessage,
  type Message,
  setExtension,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import {
  type FieldDescriptorProto,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";

/** The first difference between two descriptors, source aside; nothing when they are equal. */
export function compareFiles(
  ours: FileDescriptorProto,
  theirs: FileDescriptorProto,
  registry: FileRegistry,
): string | undefined {
  const left = normalize(ours, registry);
  const right = normalize(theirs, registry);
  if (
    areEqual(toBinary(FileDescriptorProtoSchema, left), toBinary(FileDescriptorProtoSchema, right))
  ) {
    return undefined;
  }
  return firstDifference(linesOf(left, registry), linesOf(right, registry));
}

/** The first comment that differs, by path; nothing when all are equal. */
export function compareComments(
  ours: FileDescriptorProto,
  theirs: FileDescriptorProto,
): string | undefined {
  const left = commentsOf(ours);
  const right = commentsOf(theirs);
  for (const path of new Set([...left.keys(), ...right.keys()])) {
    const [our, their] = [left.get(path), right.get(path)];
    if (our !== their) return `${path}: ours ${our}, theirs ${their}`;
  }
  return undefined;
}

function commentsOf({ sourceCodeInfo }: FileDescriptorProto): Map<string, string> {
  return new Map((sourceCodeInfo?.location ?? []).flatMap((location) => {
    const { path, leadingComments, trailingComments, leadingDetachedComments } = location;
    const comments = JSON.stringify([
      leadingComments,
      trailingComments.trimEnd(),
      leadingDetachedComments,
    ]);
    return comments === '["","",[]]' ? [] : [[path.join("."), comments]];
  }));
}

/** A copy with custom options in the order of their numbers, and default values as numbers. */
function normalize(file: FileDescriptorProto, registry: FileRegistry): FileDescriptorProto {
  const copy = clone(FileDescriptorProtoSchema, file);
  delete copy.sourceCodeInfo;
  // The extension of the other compiler's images.
  delete copy.$unknown;
  visit(copy, registry);
  return copy;
}

function visit(message: Message, registry: FileRegistry): void {
  orderExtensions(message, registry);
  if (isMessage(message, FieldDescriptorProtoSchema)) normalizeDefault(message);
  for (const value of Object.values(message)) {
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (isMessage(inner)) visit(inner, registry);
    }
  }
}

function orderExtensions(message: Message, registry: FileRegistry): void {
  const type = registry.getMessage(message.$typeName);
  if (type === undefined) return;
  const numbers = new Set(message.$unknown?.map(({ no }) => no));
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const extension = registry.getExtensionFor(type, number);
    if (extension === undefined || !isMessage(message, extension.extendee)) continue;
    const value = getExtension(message, extension);
    clearExtension(message, extension);
    setExtension(message, extension, value);
  }
}

function normalizeDefault(field: FieldDescriptorProto): void {
  if (field.defaultValue === "") return;
  if (field.type !== Type.DOUBLE && field.type !== Type.FLOAT) return;
  const value = Number(field.defaultValue.replace("inf", "Infinity"));
  field.defaultValue = String(field.type === Type.FLOAT ? Math.fround(value) : value);
}

function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

function linesOf(file: FileDescriptorProto, registry: FileRegistry): string[] {
  return JSON.stringify(toJson(FileDescriptorProtoSchema, file, { registry }), null, 1).split("\n");
}

function firstDifference(ours: readonly string[], theirs: readonly string[]): string {
  const at = ours.findIndex((line, index) => line !== theirs[index]);
  if (at < 0) return "only the order of fields, or fields that nobody knows";
  const show = (lines: readonly string[]) =>
    lines.slice(Math.max(0, at - 6), at + 6).join(" ").replace(/\s+/g, " ");
  return `ours ${show(ours)}\n  theirs ${show(theirs)}`;
}
