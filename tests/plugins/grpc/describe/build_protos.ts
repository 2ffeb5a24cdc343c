/**
 * Descriptors of `.proto` texts, made by the compiler of npm `@bufbuild/buf`.
 *
 * @module
 */
import { fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const BUF = fileURLToPath(
  new URL("../../../peers/programs/node_modules/.bin/buf", import.meta.url),
);

/**
 * The files with their comments, those that are imported first.
 *
 * @param texts by path.
 * @throws {Error} with the words of the compiler.
 */
export async function buildProtos(
  texts: Readonly<Record<string, string>>,
): Promise<FileDescriptorProto[]> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [path, text] of Object.entries(texts)) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    const { code, stdout, stderr } = await new Deno.Command(BUF, {
      args: ["build", ".", "--as-file-descriptor-set", "-o", "-"],
      cwd: folder,
      env: { HOME: folder },
    }).output();
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
    return fromBinary(FileDescriptorSetSchema, stdout).file;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
