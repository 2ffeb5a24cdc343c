/**
 * Descriptors as servers in Node.js send them: made of a `.proto` text by `@grpc/proto-loader`, which
 * `@grpc/reflection` serves.
 *
 * @module
 */
import { fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NODE } from "../../../peers/peers.ts";

const REFLECTION = fileURLToPath(
  new URL("../../../peers/programs/node_modules/@grpc/reflection/package.json", import.meta.url),
);

/** Prints each descriptor once, in base64; its arguments are the package, a folder and a file. */
const PROGRAM = `
const { createRequire } = require("node:module");
const { realpathSync } = require("node:fs");
const [reflection, folder, file] = process.argv.slice(1);
const loader = createRequire(realpathSync(reflection))("@grpc/proto-loader");
const root = loader.loadSync(file, { keepCase: true, includeDirs: [folder] });
const files = Object.values(root).flatMap((part) => part.fileDescriptorProtos ?? []);
console.log(JSON.stringify([...new Set(files.map((bytes) => bytes.toString("base64")))]));
`;

/** The descriptors of the first of several texts, by path, and of what it imports. */
export async function loadInNode(
  texts: Readonly<Record<string, string>>,
): Promise<FileDescriptorProto[]> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [path, text] of Object.entries(texts)) {
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      await Deno.writeTextFile(join(folder, path), text);
    }
    const { code, stdout, stderr } = await new Deno.Command(NODE, {
      args: ["-e", PROGRAM, REFLECTION, folder, Object.keys(texts)[0] ?? ""],
    }).output();
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
    const encoded: string[] = JSON.parse(new TextDecoder().decode(stdout));
    return encoded.map((text) =>
      fromBinary(FileDescriptorProtoSchema, Uint8Array.fromBase64(text))
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
