import assert from "node:assert/strict";
import { create } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Field, Message } from "../../../../lib/model/mod.ts";
import { describeServices } from "../../../../plugins/grpc/describe/mod.ts";
import { buildLibrary } from "../../../../plugins/grpc/schema/library.ts";
import { HAS_PEERS } from "../../../peers/peers.ts";
import { buildProtos } from "./build_protos.ts";
import { TORTURE } from "./protos.ts";

const ignore = !HAS_PEERS;

async function describeTorture() {
  const library = buildLibrary(await buildProtos(TORTURE));
  const [service] = describeServices(library, { showInternal: false });
  assert.ok(service !== undefined);
  return service;
}

function fieldOf(message: Message | undefined, name: string): Field {
  const field = message?.fields.find((candidate) => candidate.name === name);
  assert.ok(field !== undefined, name);
  return field;
}

Deno.test({
  name: "describeServices tells names, streams, comments and HTTP rules of methods",
  ignore,
  async fn() {
    const service = await describeTorture();
    assert.equal(service.name, "torture.v1.Orders");
    assert.equal(service.package, "torture.v1");
    assert.equal(service.source, "grpc");
    assert.equal(service.description, "Looks after orders.");
    const heads = service.methods.map(({ inputType, outputType, ...head }) => ({
      ...head,
      input: inputType.fullName,
      output: outputType.fullName,
    }));
    assert.deepEqual(heads[0], {
      name: "Get",
      fullName: "torture.v1.Orders/Get",
      methodType: "Unary",
      clientStreaming: false,
      serverStreaming: false,
      httpMethod: "GET",
      httpPath: "/v1/orders/{name}",
      description: "Finds one.\n\nAnd no more.",
      deprecated: false,
      input: "torture.v1.Order",
      output: "torture.v1.Order",
    });
    assert.equal(heads[1]?.deprecated, true);
    assert.deepEqual([heads[1].httpMethod, heads[1].httpPath], ["LOCK", '/v1/"x']);
    assert.equal(heads[2]?.description, "behind it");
    assert.deepEqual(heads.map(({ methodType }) => methodType), [
      "Unary",
      "Unary",
      "ServerStreaming",
      "ClientStreaming",
      "Duplex",
    ]);
  },
});

Deno.test({
  name: "describeServices tells fields as their JSON is",
  ignore,
  async fn() {
    const [get, , , send, talk] = (await describeTorture()).methods;
    const order = get?.inputType;
    assert.deepEqual(fieldOf(order, "name"), {
      name: "name",
      number: 1,
      label: "optional",
      isMap: false,
      isRepeated: false,
      required: false,
      isBinary: false,
      type: "string",
      description: "its name",
    });
    const told = (name: string) => {
      const { type, isMap, isRepeated, format, isNullable } = fieldOf(order, name);
      return { type, isMap, isRepeated, format, isNullable };
    };
    const plain = { isMap: false, isRepeated: false, format: undefined, isNullable: undefined };
    assert.deepEqual(told("linesByName"), { ...plain, type: "message", isMap: true });
    assert.deepEqual(told("raw"), { ...plain, type: "bytes" });
    assert.deepEqual(told("created"), { ...plain, type: "string", format: "date-time" });
    assert.deepEqual(told("maybe"), { ...plain, type: "int64", isNullable: true });
    assert.deepEqual(told("list"), { ...plain, type: "message", isRepeated: true });
    assert.deepEqual(told("texts"), {
      ...plain,
      type: "string",
      isRepeated: true,
      isNullable: true,
    });
    assert.equal(fieldOf(order, "anything").messageType?.fields[0]?.name, "@type");
    assert.deepEqual(fieldOf(order, "kind").enumValues?.[3], {
      name: "KIND_NEGATIVE",
      number: -5,
    });
    assert.equal(fieldOf(order, "aB").description, "The first.\nOnly one of: aB, line, kind");
    assert.equal(fieldOf(order, "word").description, "Deprecated");
    const old = fieldOf(order, "old").messageType;
    assert.deepEqual([fieldOf(old, "id").label, fieldOf(old, "id").required], ["required", true]);
    assert.equal(fieldOf(old, "big").example, '"18446744073709551615"');
    assert.equal(fieldOf(old, "level").example, '"HIGH"');
    assert.equal(fieldOf(talk?.inputType, "must").required, true);
    assert.deepEqual(send?.outputType.fields.map(({ type }) => type), ["string"]);
  },
});

Deno.test({
  name: "describeServices writes messages that recur once, and types that are used twice twice",
  ignore,
  async fn() {
    const [get] = (await describeTorture()).methods;
    const order = get?.inputType;
    const line = fieldOf(order, "lines").messageType;
    assert.equal(fieldOf(line, "outer").messageType?.fields.length, 0);
    assert.equal(order?.definitions?.["torture.v1.Order"]?.fields.length, order?.fields.length);
    assert.notEqual(fieldOf(order, "line").messageType?.fields.length, 0);
    assert.notEqual(line?.fields.length, 0);
    assert.ok(JSON.stringify(order).length > 0);
  },
});

function serviceFile(name: string, services: number, fields = 0) {
  return create(FileDescriptorProtoSchema, {
    name: `${name}.proto`,
    package: name,
    syntax: "proto3",
    messageType: Array.from({ length: 100 }, (_, message) => ({
      name: `M${message}`,
      field: Array.from({ length: fields }, (_, index) => ({
        name: `f${index}`,
        jsonName: `f${index}`,
        number: index + 1,
        type: 11,
        label: 1,
        typeName: `.${name}.M${(message * 7 + index) % 100}`,
      })),
    })),
    service: Array.from({ length: services }, (_, service) => ({
      name: `S${service}`,
      method: Array.from({ length: 10 }, (_, method) => ({
        name: `Get${method}`,
        inputType: `.${name}.M${(service + method) % 100}`,
        outputType: `.${name}.M${(service * method) % 100}`,
      })),
    })),
  });
}

Deno.test("describeServices hides services of gRPC, and those that the server does not list", () => {
  const library = buildLibrary([
    serviceFile("grpc.health.v1", 1),
    serviceFile("grpc.reflection.v1", 1),
    serviceFile("grpc.testing", 1),
    serviceFile("shop", 2),
  ]);
  const names = (options: Parameters<typeof describeServices>[1]) =>
    describeServices(library, options).map(({ name }) => name);
  assert.deepEqual(names({ showInternal: false }), ["grpc.testing.S0", "shop.S0", "shop.S1"]);
  assert.equal(names({ showInternal: true }).length, 5);
  assert.deepEqual(names({ showInternal: true, names: new Set(["shop.S1"]) }), ["shop.S1"]);
});

Deno.test("describeServices bounds trees of messages that are full of each other", () => {
  const services = describeServices(buildLibrary([serviceFile("wide", 50, 20)]), {
    showInternal: false,
  });
  assert.equal(services.length, 50);
  const count = (message: Message): number =>
    message.fields.reduce(
      (sum, { messageType }) => sum + (messageType === undefined ? 0 : count(messageType)),
      message.fields.length,
    );
  const counts = services.flatMap(({ methods }) => methods.map((m) => count(m.inputType)));
  assert.ok(Math.max(...counts) < 350);
  assert.ok(Math.min(...counts) > 100);
});
