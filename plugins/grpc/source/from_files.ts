/**
 * Types that schema files describe.
 *
 * @module
 */
import { fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { BowireError } from "../../../lib/errors/mod.ts";
import { buildLibrary, type Library } from "../schema/library.ts";
import type { TypeSource } from "./types_of.ts";

/** Types of one or several descriptor sets, the first one first. */
export function typesOfFiles(library: Library): TypeSource {
  const { registry } = library;
  const services = [...registry]
    .flatMap((type) => type.kind === "service" ? [type.typeName] : [])
    .sort();
  return {
    services: () => Promise.resolve(services),
    service: (name) => Promise.resolve(registry.getService(name)),
    find: (name) => Promise.resolve(registry.get(name) === undefined ? undefined : registry),
    library: () => library,
  };
}

/**
 * Reads descriptor sets in their wire form.
 *
 * @param sets by the name to call them in an error.
 * @throws {BowireError} `bad_document` when one is none.
 */
export function readDescriptorSets(
  sets: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Library {
  return buildLibrary(sets.flatMap(({ name, bytes }) => readDescriptorSet(name, bytes).file));
}

/** @throws {BowireError} `bad_document`. */
export function readDescriptorSet(name: string, bytes: Uint8Array) {
  try {
    const set = fromBinary(FileDescriptorSetSchema, bytes);
    if (set.file.length > 0 && set.file.every((file) => file.name !== "")) return set;
  } catch { /* told below */ }
  throw new BowireError(
    "bad_document",
    `cannot use ${JSON.stringify(name)}: it is no FileDescriptorSet`,
    {
      hint: "make one with `buf build -o api.binpb` or `protoc --include_imports " +
        "--descriptor_set_out=api.binpb`, or give the .proto files",
    },
  );
}
