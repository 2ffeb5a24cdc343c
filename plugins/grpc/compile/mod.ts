/**
 * A compiler from the text of .proto files to descriptors, equal to those of protoc: proto2,
 * proto3, and editions 2023 and 2024. It reads nothing itself.
 *
 * @module
 */
import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { gatherFiles, type Load } from "./gather.ts";
import { linkFiles } from "./link/link.ts";
import { orderFiles } from "./order.ts";
import { DESCRIPTOR_PATH, WELL_KNOWN } from "./well_known.ts";

export type { Load };

/** Files with everything that they import. */
export interface Compiled {
  /** Each once, imports before the files that import them. */
  readonly files: readonly FileDescriptorProto[];
  /** What a person should know though it compiled, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Compiles files and everything that they import. Files of `google/protobuf` that the loader does
 * not have are there anyway.
 *
 * @throws {BowireError} `bad_document` with path, line and column of the first error.
 */
export async function compileProtos(paths: readonly string[], load: Load): Promise<Compiled> {
  const gathered = await gatherFiles(paths, load);
  const hasDescriptor = gathered.has(DESCRIPTOR_PATH);
  // Every file may have options, whether it imports their declarations or not.
  const ordered = orderFiles([...(hasDescriptor ? [DESCRIPTOR_PATH] : []), ...paths], gathered);
  linkFiles(ordered, hasDescriptor ? undefined : WELL_KNOWN.get(DESCRIPTOR_PATH));
  const warnings = new Set(ordered.flatMap(({ parsed }) => parsed?.warnings ?? []));
  return { files: ordered.map(({ proto }) => proto), warnings: [...warnings] };
}
