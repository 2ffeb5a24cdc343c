/**
 * `buf`, a compiler of .proto files that no one here wrote.
 *
 * @module
 */
import { fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/**
 * Compiles all files below a folder.
 *
 * @param options.modules The folder `node_modules` that has npm `@bufbuild/buf`.
 * @param options.without Files and folders below it that are left out.
 * @throws {Error} with what `buf` says when it cannot.
 */
export async function compileWithBuf(
  folder: string,
  options: { readonly modules: string; readonly without?: readonly string[] },
): Promise<FileDescriptorProto[]> {
  // The command of the package wants Node; the program lies beside the package.
  const installed = await Deno.realPath(`${options.modules}/@bufbuild/buf`);
  const { code, stdout, stderr } = await new Deno.Command(
    `${installed}/../buf-linux-x64/bin/buf`,
    {
      args: [
        "build",
        folder,
        "--config",
        '{"version":"v2"}',
        ...(options.without ?? []).flatMap((path) => ["--exclude-path", `${folder}/${path}`]),
        "--output",
        "-#format=binpb",
      ],
      stdin: "null",
    },
  ).output();
  if (code !== 0) throw new Error(`buf: ${new TextDecoder().decode(stderr)}`);
  return fromBinary(FileDescriptorSetSchema, stdout).file;
}
