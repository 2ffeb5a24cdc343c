/** Descriptors are equal to those of a compiler that no one here wrote. */
import { create, createFileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { compileWithBuf } from "../../../../scripts/corpus/compiled/buf.ts";
import { compareComments, compareFiles } from "../../../../scripts/corpus/compiled/compare.ts";
import { HAS_PEERS } from "../../../peers/peers.ts";
import { compileFolder } from "./fixture.ts";

const MODULES = fileURLToPath(new URL("../../../peers/programs/node_modules", import.meta.url));
const TORTURE = fileURLToPath(new URL("./torture", import.meta.url));

/** The bundled one lacks the options that only sources need. */
const STRIPPED = "google/protobuf/descriptor.proto";

/** As much of the options for HTTP as the files of etcd need. */
const ANNOTATIONS = `syntax = "proto3";
package google.api;
import "google/protobuf/descriptor.proto";
extend google.protobuf.MethodOptions { HttpRule http = 72295728; }
message HttpRule {
  oneof pattern { string get = 2; string post = 4; }
  string body = 7;
  repeated HttpRule additional_bindings = 11;
}`;

async function compareWithBuf(folder: string): Promise<number> {
  const theirs = await compileWithBuf(folder, { modules: MODULES });
  const { files } = await compileFolder(folder, theirs.map(({ name }) => name));
  const ours = new Map(files.map((file) => [file.name, file]));
  assert.equal(ours.size, theirs.length);
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: theirs }));
  for (const their of theirs) {
    const our = ours.get(their.name);
    assert.ok(our, their.name);
    if (their.name !== STRIPPED) {
      assert.equal(compareFiles(our, their, registry), undefined, their.name);
    }
    if (!their.name.startsWith("google/")) {
      assert.equal(compareComments(our, their), undefined, their.name);
    }
  }
  return theirs.length;
}

Deno.test({
  name: "compileProtos makes of the torture files what buf makes of them",
  ignore: !HAS_PEERS,
  fn: async () => {
    assert.ok(await compareWithBuf(TORTURE) > 10);
  },
});

Deno.test({
  name: "compileProtos makes of the files of etcd what buf makes of them",
  ignore: !HAS_PEERS,
  fn: async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.mkdir(`${folder}/google/api`, { recursive: true });
      await Deno.writeTextFile(`${folder}/google/api/annotations.proto`, ANNOTATIONS);
      for (const name of ["auth.proto", "kv.proto", "rpc.proto"]) {
        // As they are, they are for a lax parser: paths with a dot, and no import of the options.
        const text = (await Deno.readTextFile(`${MODULES}/etcd3/proto/${name}`))
          .replaceAll('"./', '"')
          .replace(/^package .*$/m, '$&\nimport "google/api/annotations.proto";');
        await Deno.writeTextFile(`${folder}/${name}`, text);
      }
      assert.equal(await compareWithBuf(folder), 5);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test("compileFolder puts imports before the files that import them, each once", async () => {
  const { files } = await compileFolder(TORTURE, ["scopes.proto", "edition2024.proto"]);
  const names = files.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const [index, { dependency, optionDependency }] of files.entries()) {
    for (const path of [...dependency, ...optionDependency]) {
      const at = names.indexOf(path);
      assert.ok(at >= 0 && at < index, path);
    }
  }
});
