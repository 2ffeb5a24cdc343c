/**
 * Schema files of a server without reflection: `.proto` trees, descriptor sets and buf images.
 *
 * @module
 */
import { create, toBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { basename, dirname, join, normalize } from "node:path/posix";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { BowireError } from "../../lib/errors/mod.ts";
import type { CallContext, SchemaRead, SchemaRequest } from "../../lib/protocol/mod.ts";
import { compileProtos } from "./compile/mod.ts";
import { buildLibrary } from "./schema/library.ts";
import { readDescriptorSet } from "./source/from_files.ts";

/** Most bytes of a compressed image, once it is no longer. */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
/** Most remarks that are told. */
const MAX_REMARKS = 20;

type Files = Pick<CallContext, "readFile" | "listFiles">;

/**
 * Reads schema files into one descriptor set. Imports are looked for in the roots in order; without
 * roots, beside the file that was named, or in the folder that was.
 */
export async function readSchema(request: SchemaRequest, context: Files): Promise<SchemaRead> {
  const found = new Map<string, FileDescriptorProto>();
  const remarks: string[] = [];
  const protos: ProtoFile[] = [];
  for (const path of request.files.map(toPosix)) {
    if (path.endsWith(".proto")) protos.push(placeProto(path, request.roots.map(toPosix)));
    else if (await isFolder(path, context)) protos.push(...await protosIn(path, request, context));
    else for (const file of await readImage(path, context)) found.set(file.name, file);
  }
  for (const [roots, names] of byRoots(protos)) {
    const compiled = await compileProtos(
      names,
      (name) => find({ name, named: names.includes(name) }, roots, context),
    );
    for (const file of compiled.files) if (!found.has(file.name)) found.set(file.name, file);
    remarks.push(...compiled.warnings);
  }
  const files = [...found.values()];
  const { registry, faults } = buildLibrary(files);
  const services = [...registry].flatMap((type) => type.kind === "service" ? [type.typeName] : []);
  if (services.length === 0) remarks.push("the files describe no service");
  return {
    bytes: new Uint8Array(toBinary(
      FileDescriptorSetSchema,
      create(FileDescriptorSetSchema, {
        file: files,
      }),
    )),
    services: services.sort(),
    remarks: [...remarks, ...faults].slice(0, MAX_REMARKS),
  };
}

/** A `.proto` file by the name that others import it by, and where those are looked for. */
interface ProtoFile {
  readonly name: string;
  readonly roots: readonly string[];
}

/** A path below a root goes by the rest of it; any other is one within the roots. */
function placeProto(path: string, roots: readonly string[]): ProtoFile {
  if (roots.length === 0) return { name: basename(path), roots: [dirname(path)] };
  const plain = normalize(path);
  for (const root of roots) {
    const folder = normalize(`${root}/`);
    if (plain.startsWith(folder)) return { name: plain.slice(folder.length), roots };
  }
  return { name: plain, roots };
}

async function isFolder(path: string, { listFiles }: Files): Promise<boolean> {
  try {
    await listFiles(path);
    return true;
  } catch (error) {
    if (error instanceof BowireError && error.code === "file_failed") return false;
    throw error;
  }
}

async function protosIn(
  folder: string,
  { roots }: SchemaRequest,
  { listFiles }: Files,
): Promise<ProtoFile[]> {
  const names = (await listFiles(folder)).filter((name) => name.endsWith(".proto"));
  if (names.length === 0) {
    throw new BowireError(
      "file_failed",
      `cannot use the folder "${folder}": it has no .proto file`,
    );
  }
  return roots.length === 0
    ? names.map((name) => ({ name, roots: [folder] }))
    : names.map((name) => placeProto(join(folder, name), roots.map(toPosix)));
}

/** Files that look for their imports in the same places. */
function byRoots(protos: readonly ProtoFile[]): [readonly string[], string[]][] {
  const groups = Map.groupBy(protos, ({ roots }) => roots.join("\n"));
  return [...groups.values()].map((
    group,
  ) => [group[0]?.roots ?? [], group.map(({ name }) => name)]);
}

/**
 * The text of a file, from the first root that has it.
 *
 * @param named whether it was asked for: then why it cannot be read is thrown.
 */
async function find(
  { name, named }: { readonly name: string; readonly named: boolean },
  roots: readonly string[],
  { readFile }: Files,
): Promise<string | undefined> {
  let reason: BowireError | undefined;
  for (const root of roots) {
    try {
      return new TextDecoder().decode((await readFile(join(root, name))).bytes);
    } catch (error) {
      if (!(error instanceof BowireError && error.code === "file_failed")) throw error;
      reason = error;
    }
  }
  if (named && reason !== undefined) throw reason;
  return undefined;
}

async function readImage(
  path: string,
  { readFile }: Files,
): Promise<readonly FileDescriptorProto[]> {
  const { name, bytes } = await readFile(path);
  return readDescriptorSet(name, path.endsWith(".gz") ? await inflate(path, bytes) : bytes).file;
}

async function inflate(path: string, bytes: Uint8Array): Promise<Uint8Array> {
  const gunzip = promisify<zlib.InputType, zlib.ZlibOptions, Uint8Array>(zlib.gunzip);
  try {
    return await gunzip(bytes, { maxOutputLength: MAX_IMAGE_BYTES });
  } catch {
    throw new BowireError(
      "bad_document",
      `cannot use "${path}": it is not gzip, or more than ${MAX_IMAGE_BYTES} bytes when unpacked`,
    );
  }
}

function toPosix(path: string): string {
  return path.replaceAll("\\", "/");
}
