/**
 * Services and their methods.
 *
 * @module
 */
import { create } from "@bufbuild/protobuf";
import {
  MethodDescriptorProtoSchema,
  type ServiceDescriptorProto,
  ServiceDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import type { Draft } from "./draft.ts";
import { parseTypeName } from "./names.ts";
import { parseOption } from "./options.ts";

/** Goes past a service whose place in the descriptor is the present path. */
export function parseService(draft: Draft): ServiceDescriptorProto {
  const { cursor } = draft;
  const { start } = cursor.token;
  const service = create(ServiceDescriptorProtoSchema);
  cursor.expect("service");
  draft.place(service, cursor.token.start);
  service.name = cursor.word("the service's name");
  draft.end("{", start);
  while (!cursor.isAt("}")) {
    if (cursor.isAt(";")) draft.end(";");
    else if (cursor.isAt("option")) parseOption(draft, service);
    else draft.within(2, service.method.length, () => parseMethod(draft, service));
  }
  draft.end("}");
  return service;
}

function parseMethod(draft: Draft, service: ServiceDescriptorProto): void {
  const { cursor } = draft;
  const { start } = cursor.token;
  const method = create(MethodDescriptorProtoSchema);
  service.method.push(method);
  cursor.expect("rpc");
  draft.place(method, cursor.token.start);
  method.name = cursor.word("the method's name");
  const input = parseMethodType(draft);
  cursor.expect("returns");
  const output = parseMethodType(draft);
  method.inputType = input.typeName;
  method.outputType = output.typeName;
  if (input.isStream) method.clientStreaming = true;
  if (output.isStream) method.serverStreaming = true;
  if (cursor.isAt(";")) return void draft.end(";", start);
  draft.end("{", start);
  // Braces alone give a method options, as they do in protoc.
  draft.addOption(method);
  while (!cursor.isAt("}")) {
    if (cursor.isAt(";")) draft.end(";");
    else parseOption(draft, method);
  }
  draft.end("}");
}

/** `(Type)` or `(stream Type)`. */
function parseMethodType({ cursor }: Draft): { typeName: string; isStream: boolean } {
  cursor.expect("(");
  const following = cursor.peek();
  const isStream = cursor.isAt("stream") && cursor.source.text[following.start] !== ")";
  if (isStream) cursor.next();
  const typeName = parseTypeName(cursor, "a message's name");
  cursor.expect(")");
  return { typeName, isStream };
}
