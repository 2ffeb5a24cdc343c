import assert from "node:assert/strict";
import { create, type UnknownField } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { httpRuleOf } from "../../../../plugins/grpc/schema/google_api.ts";
import { buildLibrary } from "../../../../plugins/grpc/schema/library.ts";

/** The option as a message whose fields are texts; none of them is what the reader expects. */
function optionOf(fields: readonly (readonly [number, string | Uint8Array])[]): UnknownField {
  const rule = new BinaryWriter();
  for (const [no, value] of fields) {
    const part = rule.tag(no, WireType.LengthDelimited);
    if (typeof value === "string") part.string(value);
    else part.bytes(value);
  }
  return option(new BinaryWriter().bytes(rule.finish()).finish());
}

function option(data: Uint8Array): UnknownField {
  return { no: 72295728, wireType: WireType.LengthDelimited, data };
}

function ruleWith(...options: UnknownField[]) {
  const file = create(FileDescriptorProtoSchema, {
    name: "a.proto",
    messageType: [{ name: "A" }],
    service: [{
      name: "S",
      method: [{ name: "M", inputType: ".A", outputType: ".A", options: {} }],
    }],
  });
  Object.assign(file.service[0]?.method[0]?.options ?? {}, { $unknown: options });
  const method = buildLibrary([file]).registry.getService("S")?.methods[0];
  assert.ok(method !== undefined);
  return httpRuleOf(method);
}

Deno.test("httpRuleOf reads verb, path and body without the file that defines the option", () => {
  const rules = [[2, "GET"], [3, "PUT"], [4, "POST"], [5, "DELETE"], [6, "PATCH"]] as const;
  for (const [no, httpMethod] of rules) {
    assert.deepEqual(ruleWith(optionOf([[no, "/v1/{name=a/*}"]])), {
      httpMethod,
      httpPath: "/v1/{name=a/*}",
    });
  }
  assert.deepEqual(ruleWith(optionOf([[7, "*"], [4, "/v1"], [11, "more"]])), {
    httpMethod: "POST",
    httpPath: "/v1",
    body: "*",
  });
  const custom = new BinaryWriter().tag(1, WireType.LengthDelimited).string("lock")
    .tag(2, WireType.LengthDelimited).string("/x").finish();
  assert.deepEqual(ruleWith(optionOf([[8, custom]])), { httpMethod: "LOCK", httpPath: "/x" });
});

Deno.test("httpRuleOf takes the last of several options, and none that cannot be read", () => {
  assert.deepEqual(ruleWith(optionOf([[2, "/a"]]), optionOf([[2, "/b"]]))?.httpPath, "/b");
  assert.equal(ruleWith(), undefined);
  assert.equal(ruleWith(optionOf([[2, ""]])), undefined);
  assert.equal(ruleWith(optionOf([[7, "*"]])), undefined);
  assert.equal(ruleWith(option(new Uint8Array([9, 0x12, 0x7f]))), undefined);
  assert.equal(ruleWith(option(new Uint8Array([3, 0x12, 0x7f, 0x41]))), undefined);
});
