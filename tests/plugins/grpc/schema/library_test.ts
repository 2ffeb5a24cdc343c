import assert from "node:assert/strict";
import { create, fromJson, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describeMethod, describeServices } from "../../../../plugins/grpc/describe/mod.ts";
import { buildLibrary } from "../../../../plugins/grpc/schema/library.ts";

type FileInit = MessageInitShape<typeof FileDescriptorProtoSchema>;
type FieldInit = MessageInitShape<typeof FieldDescriptorProtoSchema>;

const { MESSAGE, ENUM, STRING } = FieldDescriptorProto_Type;

function file(name: string, init: Omit<FileInit, "$typeName" | "name">) {
  return create(FileDescriptorProtoSchema, { name, syntax: "proto3", package: "p", ...init });
}

function field(name: string, typeName: string, more: FieldInit = {}): FieldInit {
  return {
    name,
    jsonName: name,
    number: 1,
    type: typeName === "" ? STRING : MESSAGE,
    label: FieldDescriptorProto_Label.OPTIONAL,
    typeName,
    ...more,
  };
}

/** A message that has one field of a type. */
function holder(name: string, typeName: string) {
  return { name, field: [field("f", typeName)] };
}

const service = (input: string, name = "S") => ({
  name,
  method: [{ name: "M", inputType: input, outputType: input }],
});

Deno.test("C27 buildLibrary puts placeholders for what a missing import defines", () => {
  const { registry, faults } = buildLibrary([
    file("a.proto", {
      dependency: ["validate/validate.proto"],
      messageType: [{
        name: "A",
        field: [
          field("known", ""),
          field("rules", ".validate.Rules", { number: 2 }),
          field("level", ".validate.Level", { number: 3, type: ENUM }),
        ],
      }],
      service: [service(".p.A")],
    }),
  ]);
  const type = registry.getService("p.S")?.methods[0]?.input;
  assert.ok(type !== undefined);
  const message = fromJson(type, { known: "x", rules: {}, level: 7 });
  assert.deepEqual(toJson(type, message), { known: "x", rules: {}, level: 7 });
  assert.deepEqual(faults, [
    '"a.proto" imports "validate/validate.proto", which the server does not have',
    '"a.proto" refers to "validate.Rules", which the server does not describe: it is shown ' +
    "without its content",
    '"a.proto" refers to "validate.Level", which the server does not describe: it is shown ' +
    "without its content",
  ]);
});

Deno.test("C28 buildLibrary leaves out a file that cannot be linked, and keeps the others", () => {
  const { registry, faults } = buildLibrary([
    file("bad.proto", { messageType: [{ name: "B-d" }], service: [service(".p.B-d", "Bad")] }),
    file("worse.proto", { enumType: [{ name: "Empty" }] }),
    file("odd.proto", { syntax: "proto9" }),
    file("good.proto", {
      dependency: ["bad.proto"],
      messageType: [holder("A", ".p.B")],
      service: [service(".p.A")],
    }),
  ]);
  assert.equal(registry.getService("p.S")?.methods.length, 1);
  assert.equal(registry.getService("p.Bad"), undefined);
  assert.match(faults[0] ?? "", /^"worse.proto" was left out: the enum "Empty" has no values$/);
  assert.match(faults[1] ?? "", /^"bad.proto" was left out: .*invalid message name "B-d"$/);
  assert.match(faults[2] ?? "", /^"odd.proto" was left out: .*unsupported syntax "proto9"$/);
  assert.ok(faults.some((fault) => fault.startsWith('"good.proto" imports "bad.proto"')));
});

Deno.test("buildLibrary takes one of several files of a name, and of several types of a name", () => {
  const first = file("a.proto", { messageType: [{ name: "A" }] });
  const { registry, faults } = buildLibrary([
    first,
    file("a.proto", { messageType: [{ name: "A" }] }),
    file("a.proto", { messageType: [{ name: "B" }] }),
    file("copy.proto", { messageType: [{ name: "A" }], service: [service(".p.A")] }),
    file("other.proto", { messageType: [holder("A", "")] }),
  ]);
  assert.equal(registry.getMessage("p.A")?.fields.length, 0);
  assert.equal(registry.getMessage("p.B"), undefined);
  assert.equal(registry.getService("p.S")?.methods[0]?.input, registry.getMessage("p.A"));
  assert.deepEqual(faults, [
    'there are several files "a.proto"; the first one is used',
    '"p.A" is defined in "a.proto" and differently in "other.proto"; the former is used',
  ]);
});

Deno.test("buildLibrary has the well-known types, whatever the server sends for them", () => {
  const { registry, faults } = buildLibrary([
    file("google/protobuf/timestamp.proto", {
      package: "google.protobuf",
      messageType: [holder("Timestamp", "")],
    }),
    file("github.com/golang/protobuf/ptypes/duration/duration.proto", {
      package: "google.protobuf",
      messageType: [holder("Duration", "")],
    }),
    file("a.proto", {
      dependency: [
        "google/protobuf/timestamp.proto",
        "google/protobuf/type.proto",
        "github.com/golang/protobuf/ptypes/duration/duration.proto",
      ],
      messageType: [{
        name: "A",
        field: [
          field("at", ".google.protobuf.Timestamp"),
          field("type", ".google.protobuf.Type", { number: 2 }),
          field("age", ".google.protobuf.Duration", { number: 3 }),
        ],
      }],
    }),
  ]);
  assert.deepEqual(faults, []);
  const type = registry.getMessage("p.A");
  assert.ok(type !== undefined);
  const json = { at: "2020-01-01T00:00:00Z", type: { name: "x" }, age: "1.500s" };
  assert.deepEqual(toJson(type, fromJson(type, json)), json);
});

Deno.test("buildLibrary links files that import each other in a circle", () => {
  const { registry, faults } = buildLibrary([
    file("self.proto", { dependency: ["self.proto"], messageType: [{ name: "Self" }] }),
    file("a.proto", {
      dependency: ["b.proto"],
      messageType: [holder("A", ".p.B"), { name: "A2" }],
    }),
    file("b.proto", {
      dependency: ["a.proto"],
      messageType: [holder("B", ".p.A")],
      service: [service(".p.A2")],
    }),
  ]);
  assert.deepEqual(faults, []);
  assert.equal(registry.getMessage("p.A")?.fields[0]?.message, registry.getMessage("p.B"));
  assert.equal(registry.getMessage("p.B")?.fields[0]?.message, registry.getMessage("p.A"));
  assert.equal(registry.getService("p.S")?.methods[0]?.input, registry.getMessage("p.A2"));
  assert.ok(registry.getMessage("p.Self") !== undefined);
});

Deno.test("buildLibrary empties messages of two packages that contain each other", () => {
  const { registry, faults } = buildLibrary([
    file("a.proto", { dependency: ["b.proto"], messageType: [holder("A", ".q.B")] }),
    file("b.proto", { package: "q", dependency: ["a.proto"], messageType: [holder("B", ".p.A")] }),
  ]);
  assert.deepEqual(registry.getMessage("p.A")?.fields, []);
  assert.match(faults.join("\n"), /"p.A" and one of another package contain each other/);
});

Deno.test("buildLibrary links 20,000 files in a chain, and tells of those beyond", () => {
  const files = Array.from({ length: 20_001 }, (_, index) =>
    file(`${index}.proto`, {
      dependency: index < 19_999 ? [`${index + 1}.proto`] : [],
      messageType: [
        index < 19_999 ? holder(`M${index}`, `.p.M${index + 1}`) : { name: `M${index}` },
      ],
    }));
  const { registry, faults } = buildLibrary(files);
  assert.equal(registry.getMessage("p.M0")?.fields[0]?.message?.typeName, "p.M1");
  assert.ok(registry.getMessage("p.M19999") !== undefined);
  assert.deepEqual(faults, [
    "there are 20001 files; those after the first 20000 were left out",
  ]);
});

Deno.test("buildLibrary and what describes its types throw for no files at all", () => {
  const name = fc.constantFrom("A", "B", "C", "", "x y", "p.A");
  const reference = fc.constantFrom("", ".p.A", ".p.B", "A", "C.N", ".q.A", ".p.E", ".", ".p.S");
  const fields = fc.array(
    fc.record({
      name,
      number: fc.integer({ min: -1, max: 3 }),
      type: fc.integer({ min: 0, max: 20 }),
      label: fc.integer({ min: 0, max: 3 }),
      typeName: reference,
      extendee: reference,
      oneofIndex: fc.integer({ min: -1, max: 1 }),
      defaultValue: fc.constantFrom("x", "1", "\\9"),
    }, { requiredKeys: ["name"] }),
    { maxLength: 3 },
  );
  const enumType = fc.array(
    fc.record({
      name: fc.constantFrom("E", "A", ""),
      value: fc.array(fc.constant({ name: "V" }), { maxLength: 1 }),
    }),
    { maxLength: 2 },
  );
  const messageType = fc.array(
    fc.record({
      name,
      field: fields,
      extension: fields,
      enumType,
      nestedType: fc.array(
        fc.record({
          name: fc.constantFrom("N", "A"),
          field: fields,
          options: fc.record({ mapEntry: fc.boolean() }),
        }),
        { maxLength: 2 },
      ),
    }),
    { maxLength: 3 },
  );
  const methods = fc.record({ name, inputType: reference, outputType: reference });
  const anyFile = fc.record({
    name: fc.constantFrom("a", "b", "google/protobuf/any.proto", ""),
    package: fc.constantFrom("p", "q", "", "google.protobuf", "a b"),
    syntax: fc.constantFrom("proto3", "proto2", "", "editions", "x"),
    dependency: fc.array(fc.constantFrom("a", "b", "c", "google/protobuf/type.proto")),
    messageType,
    enumType,
    extension: fields,
    service: fc.array(fc.record({ name, method: fc.array(methods) }), { maxLength: 2 }),
  });
  fc.assert(
    fc.property(fc.array(anyFile, { maxLength: 4 }), (files) => {
      const library = buildLibrary(
        files.map((init) => create(FileDescriptorProtoSchema, init)),
      );
      assert.ok(library.registry.getMessage("google.protobuf.Any") !== undefined);
      const services = describeServices(library, { showInternal: true });
      assert.ok(JSON.stringify(services).length > 0);
      for (const type of library.registry) {
        if (type.kind !== "service") continue;
        for (const method of type.methods) JSON.parse(describeMethod(method, []).input);
      }
    }),
    { numRuns: 1000 },
  );
});
