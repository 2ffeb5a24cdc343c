/**
 * The files of `google/protobuf` that every compiler brings along.
 *
 * @module
 */
import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { OTHER_FILES, SPECIAL_FILES } from "../protobuf_files.ts";

/** The path of the file that declares all options. */
export const DESCRIPTOR_PATH = "google/protobuf/descriptor.proto";

/** Their descriptors by their paths. */
export const WELL_KNOWN: ReadonlyMap<string, FileDescriptorProto> = new Map(
  [...SPECIAL_FILES, ...OTHER_FILES].map((file) => [file.name, file]),
);
