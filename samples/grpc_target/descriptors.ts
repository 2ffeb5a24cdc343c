/**
 * The descriptor set that `buf build` made of the folder `proto`.
 *
 * @module
 */
import {
  createFileRegistry,
  type DescEnum,
  type DescExtension,
  type DescFile,
  type DescMessage,
  type DescService,
  type FileRegistry,
  fromBinary,
} from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/** Descriptors, linked and as they lie in the set. */
export interface Descriptors {
  readonly registry: FileRegistry;
  /** The bytes of each file, by its name. */
  readonly bytes: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** The files by the full names of what they declare. */
  readonly files: ReadonlyMap<string, DescFile>;
  readonly extensions: readonly DescExtension[];
}

/** Reads them; needs `--allow-read` of the folder. */
export async function readDescriptors(): Promise<Descriptors> {
  const set = await Deno.readFile(new URL("./proto/harbour.binpb", import.meta.url));
  const protos = fromBinary(FileDescriptorSetSchema, set);
  const registry = createFileRegistry(protos);
  const parts = split(set);
  const types = [...registry.files].flatMap((file) => [...nestedTypes(file)]);
  return {
    registry,
    bytes: new Map(protos.file.map(({ name }, index) => [name, parts[index] ?? new Uint8Array()])),
    files: new Map(types.flatMap((type) => namesIn(type).map((name) => [name, type.file]))),
    extensions: types.filter((type) => type.kind === "extension"),
  };
}

/** The files of a set (field 1 of google.protobuf.FileDescriptorSet), untouched. */
function split(set: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  const reader = new BinaryReader(set);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 1) parts.push(new Uint8Array(reader.bytes()));
    else reader.skip(wireType);
  }
  return parts;
}

/** The full names that a type declares: its own, and those of its members. */
function namesIn(type: DescMessage | DescEnum | DescExtension | DescService): string[] {
  const { typeName } = type;
  const members = type.kind === "message"
    ? [...type.fields, ...type.oneofs]
    : type.kind === "service"
    ? type.methods
    : type.kind === "enum"
    ? type.values
    : [];
  // The values of an enum lie beside it, not in it.
  const scope = type.kind === "enum" ? typeName.replace(/\.?\w+$/, "") : typeName;
  return [typeName, ...members.map(({ name }) => `${scope}.${name}`)];
}

/** @throws {Error} when the set has no such service. */
export function serviceOf({ registry }: Descriptors, name: string): DescService {
  const service = registry.getService(name);
  if (service === undefined) throw new Error(`the descriptor set has no service "${name}"`);
  return service;
}

/** @throws {Error} when the set has no such message. */
export function messageOf({ registry }: Descriptors, name: string): DescMessage {
  const message = registry.getMessage(name);
  if (message === undefined) throw new Error(`the descriptor set has no message "${name}"`);
  return message;
}
