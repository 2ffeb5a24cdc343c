import assert from "node:assert/strict";
import { fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { buildLibrary } from "../../../../plugins/grpc/schema/library.ts";
import { HAS_PEERS } from "../../../peers/peers.ts";
import { buildProtos } from "../describe/build_protos.ts";
import { loadInNode } from "./node_files.ts";

const SHOP = `
syntax = "proto3";
package shop.v1;
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
import "money.proto";
message Order {
  message Line {
    string article_number = 1;
    optional int64 count = 2;
    enum Kind { KIND_A = 0; KIND_B = 1; }
    Kind kind = 3;
    Inner.Deep deep = 4;
    message Inner { message Deep { Order order = 1; } }
  }
  map<string, string> labels = 2;
  map<int32, Line> line = 3;
  repeated Line lines = 4;
  google.protobuf.Timestamp created_at = 5;
  google.protobuf.StringValue note = 6;
  google.protobuf.Struct extra = 7;
  oneof choice { string a = 8; Line b = 9; }
  shop.common.Money price = 10;
}
service Orders { rpc GetOrder(Order) returns (stream Order.Line); }
`;
const MONEY = `
syntax = "proto3";
package shop.common;
import "currency.proto";
message Money { int64 units = 1; map<string, Money> parts = 2; shop.v1.Currency currency = 3; }
`;
// Of the package of the first file: put together, the two files need each other.
const CURRENCY = `
syntax = "proto3";
package shop.v1;
message Currency { string code = 1; }
`;

const ORDER = {
  labels: { a: "b" },
  line: { "1": { articleNumber: "x", count: "0", kind: "KIND_B" } },
  createdAt: "2020-01-01T00:00:00Z",
  note: "n",
  extra: { a: [1] },
  b: { deep: { order: { labels: { c: "d" } } } },
  price: { units: "9007199254740993", parts: { x: {} }, currency: { code: "EUR" } },
};

Deno.test({
  name: "C26 buildLibrary makes types of what a server with @grpc/reflection sends",
  ignore: !HAS_PEERS,
  async fn() {
    const texts = { "shop.proto": SHOP, "money.proto": MONEY, "currency.proto": CURRENCY };
    const { registry, faults } = buildLibrary(await loadInNode(texts));
    assert.deepEqual(faults, []);
    const method = registry.getService("shop.v1.Orders")?.methods[0];
    assert.equal(method?.output.typeName, "shop.v1.Order.Line");
    assert.deepEqual(
      toJson(method.input, fromJson(method.input, ORDER, { registry }), { registry }),
      ORDER,
    );
    // The bytes are those that go by the files as a compiler makes them.
    const compiled = buildLibrary(await buildProtos(texts)).registry.getMessage("shop.v1.Order");
    assert.ok(compiled !== undefined);
    assert.deepEqual(
      toBinary(method.input, fromJson(method.input, ORDER)),
      toBinary(compiled, fromJson(compiled, ORDER)),
    );
    assert.deepEqual(
      compiled.fields.map(({ name, jsonName, presence }) => ({ name, jsonName, presence })),
      method.input.fields.map(({ name, jsonName, presence }) => ({ name, jsonName, presence })),
    );
    const count = registry.getMessage("shop.v1.Order.Line")?.field["count"];
    assert.equal(count?.proto.proto3Optional, true);
  },
});

Deno.test({
  name: "buildLibrary keeps files that are in order byte for byte",
  ignore: !HAS_PEERS,
  async fn() {
    const files = await buildProtos({
      "shop.proto": SHOP,
      "money.proto": MONEY,
      "currency.proto": CURRENCY,
    });
    const before = files.map((file) => toBinary(FileDescriptorProtoSchema, file));
    const library = buildLibrary(files.toReversed());
    assert.deepEqual(library.faults, []);
    for (const name of ["shop.proto", "money.proto", "currency.proto"]) {
      const given = files.find((file) => file.name === name);
      assert.equal(library.files.find((file) => file.name === name), given);
    }
    assert.deepEqual(files.map((file) => toBinary(FileDescriptorProtoSchema, file)), before);
  },
});
