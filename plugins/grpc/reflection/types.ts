/**
 * The messages of server reflection, the same in both of its versions but for their package
 * (grpc/reflection/v1/reflection.proto).
 *
 * @module
 */
import { create, createFileRegistry, type DescMethod } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, ServiceDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { fileOf, type MessageTable } from "../own_types.ts";

/** The versions of reflection, the newer one first. */
export const VERSIONS = ["v1", "v1alpha"] as const;
export type Version = typeof VERSIONS[number];

/** Of the service's messages what is asked and read. A oneof is on the wire what its fields are. */
function messagesOf(pkg: string): MessageTable {
  return {
    ServerReflectionRequest: {
      host: [1, "string"],
      file_by_filename: [3, "string"],
      file_containing_symbol: [4, "string"],
      list_services: [7, "string"],
    },
    ServerReflectionResponse: {
      file_descriptor_response: [4, `${pkg}.FileDescriptorResponse`],
      list_services_response: [6, `${pkg}.ListServiceResponse`],
      error_response: [7, `${pkg}.ErrorResponse`],
    },
    FileDescriptorResponse: { file_descriptor_proto: [1, "bytes", "repeated"] },
    ListServiceResponse: { service: [1, `${pkg}.ServiceResponse`, "repeated"] },
    ServiceResponse: { name: [1, "string"] },
    ErrorResponse: { error_code: [1, "int32"], error_message: [2, "string"] },
  };
}

/** The only method of a version's service. */
export function reflectionMethod(version: Version): DescMethod {
  const pkg = `grpc.reflection.${version}`;
  const file = fileOf({ name: `grpc/reflection/${version}.proto`, package: pkg }, messagesOf(pkg));
  const service = create(ServiceDescriptorProtoSchema, {
    name: "ServerReflection",
    method: [{
      name: "ServerReflectionInfo",
      inputType: `.${pkg}.ServerReflectionRequest`,
      outputType: `.${pkg}.ServerReflectionResponse`,
      clientStreaming: true,
      serverStreaming: true,
    }],
  });
  const whole = create(FileDescriptorProtoSchema, { ...file, service: [service] });
  const method = createFileRegistry(whole, () => undefined)
    .getService(`${pkg}.ServerReflection`)?.methods[0];
  if (method === undefined) throw new Error(`${pkg} has no method`);
  return method;
}
