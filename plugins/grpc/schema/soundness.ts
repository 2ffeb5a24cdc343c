/**
 * Defects of a file that linking does not notice and that would break what reads its types later.
 *
 * @module
 */
import { FieldDescriptorProto_Type, type FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { quote } from "./faults.ts";
import { fieldsIn, messagesIn } from "./walk.ts";

/** Identifiers and dots, or nothing. */
const PACKAGE = /^(?:\w+(?:\.\w+)*)?$/;

/** What is wrong with a file, for people; `undefined` when nothing is. */
export function defectOf(file: FileDescriptorProto): string | undefined {
  if (!PACKAGE.test(file.package)) return `${quote(file.package)} is no name of a package`;
  const untyped = fieldsIn(file).find(({ field }) =>
    field.typeName === "" && FieldDescriptorProto_Type[field.type] === undefined
  );
  if (untyped !== undefined) {
    return `the field ${quote(untyped.field.name)} has the type ${untyped.field.type}, ` +
      "which there is not";
  }
  const enums = [
    ...file.enumType,
    ...messagesIn(file.messageType, "").flatMap(({ message }) => message.enumType),
  ];
  const empty = enums.find(({ value }) => value.length === 0);
  return empty === undefined ? undefined : `the enum ${quote(empty.name)} has no values`;
}
