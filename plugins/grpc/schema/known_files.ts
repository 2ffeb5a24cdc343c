/**
 * The files that come with Protobuf itself; servers often leave them out.
 *
 * @module
 */
import {
  file_google_protobuf_any,
  file_google_protobuf_api,
  file_google_protobuf_compiler_plugin,
  file_google_protobuf_cpp_features,
  file_google_protobuf_descriptor,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_go_features,
  file_google_protobuf_java_features,
  file_google_protobuf_source_context,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_type,
  file_google_protobuf_wrappers,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { typesIn } from "./walk.ts";

/**
 * The types with a JSON form of their own, which depends on their exact fields. They never change,
 * so these stand for whatever a server sends under their names.
 */
export const SPECIAL_FILES: readonly FileDescriptorProto[] = [
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
].map(({ proto }) => proto);

const OTHER_FILES: readonly FileDescriptorProto[] = [
  file_google_protobuf_api,
  file_google_protobuf_compiler_plugin,
  file_google_protobuf_cpp_features,
  file_google_protobuf_descriptor,
  file_google_protobuf_go_features,
  file_google_protobuf_java_features,
  file_google_protobuf_source_context,
  file_google_protobuf_type,
].map(({ proto }) => proto);

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
