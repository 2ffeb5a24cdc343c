import assert from "node:assert/strict";
import { type DescMessage, fromJson, toBinary } from "@bufbuild/protobuf";
import { Ajv2020 } from "ajv/dist/2020.js";
import { compileValidator } from "../../../../lib/schema/validate.ts";
import { parseJson } from "../../../../lib/schema/exact_json.ts";
import type { JsonObject } from "../../../../lib/schema/json_schema.ts";
import { schemaOf } from "../../../../plugins/grpc/describe/json_schema.ts";
import { describeMethod } from "../../../../plugins/grpc/describe/mod.ts";
import { sampleOf } from "../../../../plugins/grpc/describe/sample.ts";
import { buildLibrary, type Library } from "../../../../plugins/grpc/schema/library.ts";
import { HAS_PEERS } from "../../../peers/peers.ts";
import { buildProtos } from "./build_protos.ts";
import { TORTURE } from "./protos.ts";

const ignore = !HAS_PEERS;

async function torture(): Promise<Library> {
  return buildLibrary(await buildProtos(TORTURE));
}

function messageOf({ registry }: Library, name: string): DescMessage {
  const type = registry.getMessage(name);
  assert.ok(type !== undefined);
  return type;
}

/** A part of the schema, by the names on the way to it. */
function at(schema: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((part, name) => (part as JsonObject)[name], schema);
}

Deno.test({
  name: "schemaOf tells the canonical JSON of all kinds of fields",
  ignore,
  async fn() {
    const schema = JSON.parse(
      JSON.stringify(schemaOf(messageOf(await torture(), "torture.v1.Order"))),
    );
    const field = (name: string) => at(schema, "properties", name);
    assert.equal(schema.type, "object");
    assert.equal(schema.additionalProperties, false);
    assert.equal(schema.description, "An order.");
    assert.deepEqual(field("name"), { type: "string", description: "its name" });
    assert.deepEqual(field("lines"), {
      type: "array",
      items: { $ref: "#/$defs/torture.v1.Order.Line" },
    });
    assert.deepEqual(field("kinds"), {
      type: "object",
      propertyNames: { pattern: "^-?[0-9]{1,20}$" },
      additionalProperties: { $ref: "#/$defs/torture.v1.Kind" },
      description: "Keys: int32",
    });
    assert.deepEqual(field("structs"), {
      type: "object",
      propertyNames: { enum: ["true", "false"] },
      additionalProperties: { type: "object" },
      description: "Keys: bool",
    });
    assert.deepEqual(at(schema, "$defs", "torture.v1.Kind"), {
      description: "KIND_ONE: The one.",
      anyOf: [
        { type: "string", enum: ["KIND_UNSPECIFIED", "KIND_ONE", "KIND_FIRST", "KIND_NEGATIVE"] },
        { type: "integer", format: "int32", minimum: -2147483648, maximum: 2147483647 },
      ],
    });
    assert.deepEqual(field("raw"), { type: "string", contentEncoding: "base64" });
    assert.deepEqual(field("created"), { type: "string", format: "date-time" });
    assert.deepEqual(at(field("maybe"), "type"), ["string", "integer", "null"]);
    assert.deepEqual(field("value"), {});
    assert.deepEqual(field("list"), { type: "array" });
    assert.deepEqual(field("null"), { type: "null" });
    assert.deepEqual(field("texts"), { type: "array", items: { type: ["string", "null"] } });
    assert.equal(at(field("word"), "deprecated"), true);
    assert.equal(at(field("aB"), "description"), "The first.\nOnly one of: aB, line, kind");
  },
});

Deno.test({
  name: "schemaOf has the exact bounds of 64-bit integers",
  ignore,
  async fn() {
    const schema = schemaOf(messageOf(await torture(), "torture.v1.Order"));
    const text = JSON.stringify(schema);
    assert.ok(text.includes('"minimum":-9223372036854775808,"maximum":9223372036854775807'));
    assert.ok(text.includes('"minimum":0,"maximum":18446744073709551615'));
    const validate = compileValidator(schema);
    assert.deepEqual(validate(parseJson('{"big":18446744073709551615,"count":"-1"}')), []);
    assert.equal(validate(parseJson('{"big":18446744073709551616}')).length, 1);
    assert.equal(validate({ big: "-1" }).length, 1);
  },
});

Deno.test({
  name: "schemaOf lets one field of a choice be there",
  ignore,
  async fn() {
    const validate = compileValidator(schemaOf(messageOf(await torture(), "torture.v1.Order")));
    for (const good of [{}, { aB: "x" }, { kind: 1 }, { m3: 1 }, { m1: 1, line: {} }]) {
      assert.deepEqual(validate(good), []);
    }
    for (const bad of [{ aB: "x", kind: 1 }, { m1: 1, m6: 1 }, { a_b: "x" }, { gone: 1 }]) {
      assert.notDeepEqual(validate(bad), [], JSON.stringify(bad));
    }
  },
});

Deno.test({
  name: "schemaOf demands what proto2 and editions do, and takes extensions",
  ignore,
  async fn() {
    const library = await torture();
    const old = schemaOf(messageOf(library, "torture.old.Everything"));
    assert.deepEqual(old["required"], ["id"]);
    assert.deepEqual(schemaOf(messageOf(library, "torture.edition.Modern"))["required"], ["must"]);
    assert.deepEqual(compileValidator(old)({ id: 1, "[torture.old.extra]": "x" }), []);
    assert.equal(at(old, "properties", "text", "default"), 'a"b\\c\n\u0001ü');
    assert.equal(at(old, "properties", "big", "default"), "18446744073709551615");
    assert.equal(at(old, "properties", "d", "default"), "Infinity");
    assert.deepEqual(at(old, "$defs", "torture.old.Level"), {
      type: "string",
      enum: ["LOW", "HIGH"],
    });
  },
});

Deno.test({
  name: "describeMethod gives schemas that Ajv takes, and a sample that fits and can be encoded",
  ignore,
  async fn() {
    const library = await torture();
    const service = library.registry.getService("torture.v1.Orders");
    assert.equal(service?.methods.length, 5);
    for (const method of service.methods) {
      const { input, output = "", sample = "" } = describeMethod(method, ["output", "sample"]);
      const ajv = new Ajv2020({
        strict: true,
        strictRequired: false,
        allowUnionTypes: true,
        validateFormats: false,
      });
      ajv.compile(JSON.parse(output));
      const validate = ajv.compile(JSON.parse(input));
      assert.ok(validate(JSON.parse(sample)), ajv.errorsText(validate.errors));
      assert.deepEqual(compileValidator(JSON.parse(input))(JSON.parse(sample)), []);
      const message = fromJson(method.input, JSON.parse(sample), library);
      assert.ok(toBinary(method.input, message).length > 0);
    }
  },
});

Deno.test({
  name: "sampleOf has no recursion, one field of each choice, and nothing deprecated",
  ignore,
  async fn() {
    const library = await torture();
    const sample = sampleOf(messageOf(library, "torture.v1.Order")) as JsonObject;
    assert.deepEqual(sample["kinds"], { "1": "KIND_ONE" });
    assert.equal(sample["aB"], "string");
    assert.equal(sample["count"], "1");
    assert.equal(sample["created"], "2025-01-15T09:30:00Z");
    assert.deepEqual(sample["lines"], [{ order: { kind: "LINE_KIND_UNSPECIFIED" } }]);
    for (const absent of ["line", "kind", "word", "anything", "m2"]) {
      assert.ok(!(absent in sample), absent);
    }
  },
});

Deno.test({
  name: "sampleOf gives up on a message that requires itself",
  ignore,
  async fn() {
    const text = 'syntax = "proto2"; message Endless { required Endless next = 1; }';
    const library = buildLibrary(await buildProtos({ "a.proto": text }));
    assert.equal(sampleOf(messageOf(library, "Endless")), undefined);
  },
});

Deno.test({
  name: "schemaOf writes long chains under names, and bounds wide ones",
  ignore,
  async fn() {
    const chain = Array.from(
      { length: 300 },
      (_, index) => `message M${index} { M${index + 1} next = 1; string text = 2; }`,
    ).join("\n");
    const { registry } = buildLibrary(
      await buildProtos({ "a.proto": `syntax = "proto3"; ${chain} message M300 {}` }),
    );
    const type = registry.getMessage("M0");
    assert.ok(type !== undefined);
    const text = JSON.stringify(schemaOf(type));
    assert.ok(text.length < 100_000);
    assert.ok(text.includes("A M200, which is not written out here."));
    assert.ok(text.includes('"M9":{'));
  },
});
