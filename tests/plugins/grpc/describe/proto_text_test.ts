import assert from "node:assert/strict";
import { clone, equals } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  EnumDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { protoOf } from "../../../../plugins/grpc/describe/proto_text.ts";
import { buildLibrary, type Library } from "../../../../plugins/grpc/schema/library.ts";
import { HAS_PEERS } from "../../../peers/peers.ts";
import { buildProtos } from "./build_protos.ts";
import { ANNOTATIONS, TORTURE } from "./protos.ts";

const ETCD = new URL("../../../peers/programs/node_modules/etcd3/proto/", import.meta.url);

/** The sections of a text by the names of their files. */
function sectionsOf(text: string): Record<string, string> {
  const sections = text.split(/^\/\/ File (?=\S+$)/m).slice(1);
  return Object.fromEntries(sections.map((section) => {
    const end = section.indexOf("\n");
    return [section.slice(0, end), section.slice(end)];
  }));
}

/** Without what is not written out: extensions, and the names that a source cannot choose. */
function comparable(proto: DescriptorProto): DescriptorProto {
  const copy = clone(DescriptorProtoSchema, proto);
  const strip = (message: DescriptorProto) => {
    message.extension = [];
    for (const range of message.extensionRange) delete range.options;
    message.nestedType.sort((a, b) => a.name < b.name ? -1 : 1);
    message.nestedType.forEach(strip);
  };
  strip(copy);
  return copy;
}

/** Compiles a text and holds its types against those that it was made of. */
async function assertSame(text: string, library: Library): Promise<string[]> {
  const again = buildLibrary(
    await buildProtos({ ...sectionsOf(text), "google/api/annotations.proto": ANNOTATIONS }),
  );
  const names: string[] = [];
  for (const file of again.registry.files) {
    if (file.proto.package.startsWith("google")) continue;
    for (const type of nestedTypes(file)) {
      const original = library.registry.get(type.typeName);
      names.push(type.typeName);
      assert.equal(type.kind, original?.kind, type.typeName);
      if (type.kind === "message" && original?.kind === "message") {
        assert.deepEqual(comparable(type.proto), comparable(original.proto));
      } else if (type.kind === "enum" && original?.kind === "enum") {
        assert.ok(equals(EnumDescriptorProtoSchema, type.proto, original.proto), type.typeName);
      }
    }
  }
  return names;
}

Deno.test({
  name: "protoOf writes text that compiles to the same types, of all kinds of syntax",
  ignore: !HAS_PEERS,
  async fn() {
    const library = buildLibrary(await buildProtos(TORTURE));
    assert.deepEqual(library.faults, []);
    const service = library.registry.getService("torture.v1.Orders");
    assert.ok(service !== undefined);
    for (const method of service.methods) {
      const names = await assertSame(protoOf(method), library);
      assert.ok(names.includes(method.input.typeName));
    }
    const text = protoOf(service);
    const names = await assertSame(text, library);
    assert.ok(names.includes("torture.edition.Closed"));
    assert.ok(names.includes("torture.next.Shown"));
    const again = buildLibrary(
      await buildProtos({ ...sectionsOf(text), "google/api/annotations.proto": ANNOTATIONS }),
    );
    assert.deepEqual(
      again.registry.getService("torture.v1.Orders")?.methods.map(({ proto }) => proto),
      service.methods.map(({ proto }) => proto),
    );
  },
});

Deno.test({
  name: "protoOf writes text that compiles to the same types, of etcd",
  ignore: !HAS_PEERS,
  async fn() {
    const texts = ["auth", "kv", "rpc"].map((name) => `${name}.proto`)
      .map(async (name) => {
        const text = await Deno.readTextFile(new URL(name, ETCD));
        const annotated = text.replace("package etcd", `import "google/api/annotations.proto";$&`);
        return [name, annotated.replaceAll('import "./', 'import "')] as const;
      });
    const library = buildLibrary(
      await buildProtos({
        ...Object.fromEntries(await Promise.all(texts)),
        "google/api/annotations.proto": ANNOTATIONS,
      }),
    );
    const service = library.registry.getService("etcdserverpb.KV");
    assert.ok(service !== undefined);
    const names = await assertSame(protoOf(service), library);
    assert.ok(names.includes("mvccpb.KeyValue"));
  },
});

Deno.test({
  name: "protoOf keeps comments and short names",
  ignore: !HAS_PEERS,
  async fn() {
    const { registry } = buildLibrary(await buildProtos(TORTURE));
    const service = registry.getService("torture.v1.Orders");
    const [get] = service?.methods ?? [];
    assert.ok(get !== undefined);
    const text = protoOf(get);
    assert.ok(text.startsWith(`// File torture/modern.proto
syntax = "proto3";
package torture.v1;
import "google/api/annotations.proto";
`));
    assert.ok(text.includes(`
// Looks after orders.
service Orders {
  // Finds one.
  //
  // And no more.
  rpc Get(Order) returns (Order) {
    option (google.api.http) = { get: "/v1/orders/{name}" };
  }
}
`));
    assert.ok(text.includes("  // its name\n  string name = 1;\n"));
    assert.ok(text.includes("  map<string, Line> lines_by_name = 3;\n"));
    assert.ok(text.includes("  google.protobuf.Timestamp created = 13;\n"));
    assert.ok(!text.includes("rpc Watch"));
  },
});

Deno.test({
  name: "protoOf marks names as full where something else hides them",
  ignore: !HAS_PEERS,
  async fn() {
    const library = buildLibrary(
      await buildProtos({
        "trap.proto": `
          syntax = "proto3";
          package acme.google.v1;
          import "google/protobuf/empty.proto";
          message Trap { .google.protobuf.Empty empty = 1; }`,
        "near.proto": `
          syntax = "proto3";
          package acme.v1;
          import "google/protobuf/empty.proto";
          import "trap.proto";
          message Near {
            .google.protobuf.Empty empty = 1;
            acme.google.v1.Trap trap = 2;
            Far far = 3;
          }
          message Far {
            .acme.google.v1.Trap trap = 1;
            message acme {}
          }`,
      }),
    );
    const type = library.registry.getMessage("acme.v1.Near");
    assert.ok(type !== undefined);
    const text = protoOf(type);
    assert.ok(
      text.includes("  .google.protobuf.Empty empty = 1;\n  acme.google.v1.Trap trap = 2;"),
    );
    assert.deepEqual((await assertSame(text, library)).sort(), [
      "acme.google.v1.Trap",
      "acme.v1.Far",
      "acme.v1.Far.acme",
      "acme.v1.Near",
    ]);
  },
});
