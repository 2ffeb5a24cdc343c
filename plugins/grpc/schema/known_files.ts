/**
 * The files that come with Protobuf itself, for servers that leave them out.
 *
 * @module
 */
import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { OTHER_FILES } from "../protobuf_files.ts";
import { typesIn } from "./walk.ts";

const BY_NAME = new Map(OTHER_FILES.map((file) => [file.name, file]));
const BY_TYPE = new Map(
  OTHER_FILES.flatMap((file) =>
    [...typesIn(file)].map(({ fullName }) => [fullName, file] as const)
  ),
);

/** The files to add where a file, or a type by its full name, is wanted and not given. */
export function knownFilesFor(wanted: string): FileDescriptorProto[] {
  const file = BY_NAME.get(wanted) ?? BY_TYPE.get(wanted);
  return file === undefined ? [] : [file, ...file.dependency.flatMap(knownFilesFor)];
}
