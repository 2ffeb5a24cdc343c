// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Compiles all files of npm `google-proto-files` with the compiler of the gRPC plugin and with
 * `buf`, and compares the descriptors.
 *
 * Run: `deno run --allow-read --allow-env --allow-run scripts/corpus/compiled/main.ts [differences]`
 *
 * @module
 */
import { create, createFileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { fileURLToPath } from "node:url";
import { compileProtos } from "../../../plugins/grpc/compile/mod.ts";
import { compileWithBuf } from "./buf.ts";
import { compareComments, compareFiles } from "./compare.ts";

const MODULES = fileURLToPath(new URL("../protos/node_modules", import.meta.url));

/** What does not compile, because it imports files that the package does not have. */
const BROKEN = [
  "google/protobuf/compiler/ruby/ruby_generated_code.proto",
  "google/protobuf/compiler/ruby/ruby_generated_code_proto2.proto",
  "google/protobuf/compiler/ruby/ruby_generated_pkg_explicit.proto",
  "google/protobuf/util/json_format_proto3.proto",
];

/** Files of which buf loses a comment: one after a reserved number. */
const INCOMPLETE = ["google/protobuf/descriptor.proto"];

const shown = Number(Deno.args[0] ?? 5);
// The package is a link, which buf does not follow.
const folder = await Deno.realPath(`${MODULES}/google-proto-files`);

async function load(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(`${folder}/${path}`);
  } catch {
    return undefined;
  }
}

let start = performance.now();
const theirs = await compileWithBuf(folder, { modules: MODULES, without: BROKEN });
console.log(`buf: ${theirs.length} files, ${Math.round(performance.now() - start)} ms`);

start = performance.now();
const { files } = await compileProtos(theirs.map(({ name }) => name), load);
console.log(`ours: ${files.length} files, ${Math.round(performance.now() - start)} ms`);

const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: theirs }));
const ours = new Map(files.map((file) => [file.name, file]));
const differences: string[] = [];
const otherComments: string[] = [];
for (const their of theirs) {
  const our = ours.get(their.name);
  const difference = our === undefined ? "missing" : compareFiles(our, their, registry);
  if (difference !== undefined) differences.push(`${their.name}: ${difference}`);
  if (our === undefined || INCOMPLETE.includes(their.name)) continue;
  const comment = compareComments(our, their);
  if (comment !== undefined) otherComments.push(`${their.name}: ${comment}`);
}
console.log(`equal: ${theirs.length - differences.length}, different: ${differences.length}`);
for (const difference of differences.slice(0, shown)) console.log(difference);
console.log(`files with other comments: ${otherComments.length}`);
for (const comment of otherComments.slice(0, shown)) console.log(comment);
Deno.exitCode = differences.length + otherComments.length > 0 ? 1 : 0;
