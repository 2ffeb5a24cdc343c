/**
 * The types that are held against buf.
 *
 * @module
 */
import {
  createFileRegistry,
  type DescExtension,
  type DescMessage,
  type FileRegistry,
  fromBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { fileURLToPath } from "node:url";
import { type Batch, batchesOf, descriptorsOf } from "./batch.ts";
import type { Buf } from "./buf.ts";
import { numberOf } from "../corpus/draw.ts";

/** Types, ready to be converted. */
export interface Image {
  /** Path of the file that buf reads. */
  readonly path: string;
  readonly registry: FileRegistry;
  readonly batches: readonly Batch[];
  readonly extensions: ReadonlyMap<string, readonly DescExtension[]>;
}

const BATCH_SIZE = 20;
const TORTURE = fileURLToPath(new URL("torture", import.meta.url));
const GOOGLE = fileURLToPath(
  new URL("../corpus/protos/node_modules/google-proto-files", import.meta.url),
);
/** The tests of protobuf itself, which lack files; the types that they import are built in. */
const CONFIG = '{"version":"v2","modules":[{"path":".","excludes":["google/protobuf"]}]}';

/** All types of our own files. */
export async function buildTorture(buf: Buf, folder: string): Promise<Image> {
  const base = `${folder}/torture.binpb`;
  await buf.buildImage([TORTURE], base);
  const names = typeNames(await readRegistry(base)).filter((name) => name.startsWith("torture."));
  return await finish(base, names);
}

/** As many types of google-proto-files as asked for. */
export async function buildGoogle(
  buf: Buf,
  folder: string,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Image> {
  const [whole, part] = [`${folder}/google_all.binpb`, `${folder}/google.binpb`];
  await buf.buildImage([GOOGLE, "--config", CONFIG], whole);
  const names = typeNames(await readRegistry(whole))
    .filter((name) => !name.startsWith("google.protobuf."))
    .map((name) => ({ name, number: numberOf(name, seed) }))
    .sort((a, b) => a.number - b.number)
    .slice(0, count)
    .map(({ name }) => name);
  await buf.buildImage([whole, ...names.flatMap((name) => ["--type", name])], part);
  return await finish(part, names);
}

/** Adds the batches to an image. */
async function finish(path: string, names: readonly string[]): Promise<Image> {
  const registry = await readRegistry(path);
  const types = names.map((name) => registry.getMessage(name)).filter((type) => type !== undefined);
  const batches = batchesOf(types, BATCH_SIZE);
  await Deno.writeFile(path, descriptorsOf(batches), { append: true });
  const extensions = [...registry].filter((desc) => desc.kind === "extension");
  return {
    path,
    registry,
    batches,
    extensions: Map.groupBy(extensions, ({ extendee }) => extendee.typeName),
  };
}

async function readRegistry(path: string): Promise<FileRegistry> {
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, await Deno.readFile(path)));
}

function typeNames(registry: FileRegistry): string[] {
  return [...registry].filter((desc): desc is DescMessage => desc.kind === "message")
    .filter(({ proto }) => proto.options?.mapEntry !== true)
    .map(({ typeName }) => typeName);
}
