/** Options where the other compiler of the tests is not to be trusted: held against the text. */
import {
  create,
  createFileRegistry,
  type DescExtension,
  getExtension,
  isMessage,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import assert from "node:assert/strict";
import type { Compiled } from "../../../../plugins/grpc/compile/mod.ts";
import { compileTexts } from "./fixture.ts";

/** An extension message of a declaration's options as JSON, read with the compiled descriptors. */
function optionOf({ files }: Compiled, name: string, options: Message | undefined): unknown {
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [...files] }));
  const extension: DescExtension | undefined = registry.getExtension(name);
  assert.ok(extension?.fieldKind === "message" && options !== undefined);
  assert.ok(isMessage(options, extension.extendee));
  const value = getExtension(options, extension);
  assert.ok(isMessage(value));
  return toJson(extension.message, value, { registry });
}

Deno.test("compileProtos encodes custom options as the features of their fields want it", async () => {
  const compiled = await compileTexts({
    "a.proto": `edition = "2023";
      import "google/protobuf/descriptor.proto";
      option features.repeated_field_encoding = EXPANDED;
      option (delimited) = { parts: [1, 2] inner { value: 1 } plain { value: 2 } packed: [3, 4] };
      extend google.protobuf.FileOptions {
        Part delimited = 50000 [features.message_encoding = DELIMITED];
      }
      message Part {
        repeated int32 parts = 1;
        repeated int32 packed = 4 [features.repeated_field_encoding = PACKED];
        Inner inner = 2 [features.message_encoding = DELIMITED];
        Inner plain = 3;
        message Inner { int32 value = 1; }
      }`,
  });
  const options = compiled.files.at(-1)?.options;
  assert.deepEqual(optionOf(compiled, "delimited", options), {
    parts: [1, 2],
    packed: [3, 4],
    inner: { value: 1 },
    plain: { value: 2 },
  });
  const [field] = options?.$unknown ?? [];
  assert.deepEqual(
    [field?.wireType, ...(field?.data ?? [])],
    // Group 50000: 1 twice, group 2, message 3, packed 4, end of group 50000.
    [3, 8, 1, 8, 2, 19, 8, 1, 20, 26, 2, 8, 2, 34, 2, 3, 4, 132, 181, 24],
  );
});

Deno.test("compileProtos encodes maps with lengths where messages are delimited", async () => {
  const compiled = await compileTexts({
    "a.proto": `edition = "2023";
      import "google/protobuf/descriptor.proto";
      option features.message_encoding = DELIMITED;
      extend google.protobuf.FileOptions { Part part = 50000; }
      option (part) = { by_name { key: "a" value { i: 1 } } part { i: 2 } };
      message Part { map<string, Part> by_name = 1; Part part = 2; int32 i = 3; }`,
  });
  const expected = { byName: { a: { i: 1 } }, part: { i: 2 } };
  assert.deepEqual(optionOf(compiled, "part", compiled.files.at(-1)?.options), expected);
});

Deno.test("compileProtos encodes message sets, whose extensions go by their types", async () => {
  const compiled = await compileTexts({
    "a.proto": `import "google/protobuf/descriptor.proto";
      message Set { extensions 4 to max; option message_set_wire_format = true; }
      message Item { extend Set { optional Item in_set = 1000; } optional int32 i = 1; }
      extend google.protobuf.MessageOptions { optional Set set = 50000; }
      message M { option (set) = { [Item] { i: 6 } }; }`,
  });
  const file = compiled.files.at(-1);
  assert.equal(file?.messageType[0]?.extensionRange[0]?.end, 2 ** 31 - 1);
  const [field] = file?.messageType[2]?.options?.$unknown ?? [];
  assert.deepEqual([...(field?.data ?? [])], [9, 11, 16, 232, 7, 26, 2, 8, 6, 12]);
});

Deno.test("compileProtos takes the name of a group's type in message literals", async () => {
  const compiled = await compileTexts({
    "a.proto": `import "google/protobuf/descriptor.proto";
      message O { optional group Part = 1 { optional int32 i = 1; } }
      extend google.protobuf.MessageOptions { optional O o = 50000; }
      message M { option (o) = { Part { i: 1 } }; }
      message N { option (o).part.i = 2; }`,
  });
  const messages = compiled.files.at(-1)?.messageType ?? [];
  assert.deepEqual(optionOf(compiled, "o", messages[1]?.options), { part: { i: 1 } });
  assert.deepEqual(optionOf(compiled, "o", messages[2]?.options), { part: { i: 2 } });
});

Deno.test("compileProtos uses the loader's descriptor.proto for options if there is one", async () => {
  const { files } = await compileTexts({
    "a.proto": "option future = 7; message M {}",
    "google/protobuf/descriptor.proto":
      "package google.protobuf; message FileOptions { optional int32 future = 49000; }",
  });
  assert.equal(files[0]?.name, "google/protobuf/descriptor.proto");
  assert.deepEqual(files[1]?.options?.$unknown?.map(({ no }) => no), [49_000]);
});

Deno.test("compileProtos writes default values as protoc writes them", async () => {
  const defaults: readonly (readonly [type: string, written: string, text: string])[] = [
    ["double", "1e21", "1e+21"],
    ["double", "100000000000000", "100000000000000"],
    ["double", "1e15", "1e+15"],
    ["double", "0.1", "0.1"],
    ["double", "0.30000000000000004", "0.30000000000000004"],
    ["double", "1e-5", "1e-05"],
    ["double", "0.0001", "0.0001"],
    ["double", "-0", "-0"],
    ["double", "0x10", "16"],
    ["double", "-inf", "-inf"],
    ["float", "0.1", "0.1"],
    ["float", "16777217", "16777216"],
    ["float", "3.4028234663852886e+38", "3.40282347e+38"],
    ["float", "1e40", "inf"],
    ["float", "nan", "nan"],
    ["int64", "-0x8000000000000000", "-9223372036854775808"],
    ["uint64", "0xffffffffffffffff", "18446744073709551615"],
    ["string", "'\\x61\\n\"é'", 'a\n"é'],
    ["bytes", "'\\x61\\n\"é\\0?'", 'a\\n\\"\\303\\251\\000?'],
  ];
  const fields = defaults.map(([type, written], index) =>
    `optional ${type} f${index} = ${index + 1} [default = ${written}];`
  );
  const { files } = await compileTexts({ "a.proto": `message M { ${fields.join("\n")} }` });
  assert.deepEqual(
    files[0]?.messageType[0]?.field.map(({ defaultValue }) => defaultValue),
    defaults.map(([, , text]) => text),
  );
});
