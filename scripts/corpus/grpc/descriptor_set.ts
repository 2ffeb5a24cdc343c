/**
 * The descriptors of npm `google-proto-files`, as the compiler of `buf` makes them.
 *
 * @module
 */
import { fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const PROGRAMS = new URL("../protos/node_modules/", import.meta.url);

/** Left out: the tests of Protobuf itself, of which the package has only a part. */
const EXCLUDED = "google/protobuf";

/** All files, with their comments. @throws {Error} when `buf` fails. */
export async function readDescriptorSet(): Promise<readonly FileDescriptorProto[]> {
  const folder = await Deno.realPath(new URL("google-proto-files", PROGRAMS));
  const { code, stdout, stderr } = await new Deno.Command(new URL(".bin/buf", PROGRAMS), {
    args: ["build", ".", "--exclude-path", EXCLUDED, "--as-file-descriptor-set", "-o", "-"],
    cwd: folder,
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return fromBinary(FileDescriptorSetSchema, stdout).file;
}
