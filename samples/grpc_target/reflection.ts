/**
 * Server reflection (grpc/reflection/v1/reflection.proto), the same in both of its versions, from a
 * descriptor set.
 *
 * @module
 */
import type { DescFile, JsonObject } from "@bufbuild/protobuf";
import { Status } from "./grpc_server.ts";
import type { Descriptors } from "./descriptors.ts";
import type { Handler } from "./serve_json.ts";
import { objectIn } from "./values.ts";

/** A version of reflection. */
export type ReflectionVersion = "v1" | "v1alpha";

/** The full name of a version's service. */
export function reflectionService(version: ReflectionVersion): string {
  return `grpc.reflection.${version}.ServerReflection`;
}

/** What answers are made of. */
interface Source {
  readonly descriptors: Descriptors;
  /** Names of the services that the server has. */
  readonly services: readonly string[];
}

/** Answers the only method of the service. */
export function reflect(source: Source): Handler {
  return async function* ({ requests }) {
    const sent = new Set<string>(); // a stream gets no import twice
    while (true) {
      const { done, value: originalRequest } = await requests.next();
      if (done === true) return;
      const { host = "" } = originalRequest;
      yield { validHost: host, originalRequest, ...reply(originalRequest, source, sent) };
    }
  };
}

function reply(request: JsonObject, source: Source, sent: Set<string>): JsonObject {
  const { descriptors: { registry, files, extensions }, services } = source;
  const [question = "", what = ""] = Object.entries(request)
    .find(([name]) => name !== "host") ?? [];
  const filesFrom = (file: DescFile | undefined) =>
    file === undefined
      ? refuse("NOT_FOUND", `there is no ${JSON.stringify(what)}`)
      : { fileDescriptorResponse: { fileDescriptorProto: filesOf(file, source, sent) } };
  switch (question) {
    case "listServices":
      return { listServicesResponse: { service: services.map((name) => ({ name })) } };
    case "fileByFilename":
      return filesFrom(registry.getFile(String(what)));
    case "fileContainingSymbol":
      return filesFrom(files.get(String(what).replace("/", ".")));
    case "fileContainingExtension": {
      const { containingType, extensionNumber } = objectIn(what);
      return filesFrom(
        extensions.find(({ extendee, number }) =>
          extendee.typeName === containingType && number === extensionNumber
        )?.file,
      );
    }
    case "allExtensionNumbersOfType": {
      const baseTypeName = String(what);
      if (registry.getMessage(baseTypeName) === undefined) return filesFrom(undefined);
      const extensionNumber = extensions
        .filter(({ extendee }) => extendee.typeName === baseTypeName)
        .map(({ number }) => number);
      return { allExtensionNumbersResponse: { baseTypeName, extensionNumber } };
    }
    default:
      return refuse("INVALID_ARGUMENT", "nothing is asked");
  }
}

/** The bytes of a file and of the imports that are new to the stream, as base64. */
function filesOf(file: DescFile, { descriptors }: Source, sent: Set<string>): string[] {
  const all = new Set([file]);
  for (const { dependencies } of all) dependencies.forEach((other) => all.add(other));
  const names = [...all].map(({ proto }) => proto.name);
  const wanted = names.filter((name, index) => index === 0 || !sent.has(name));
  for (const name of wanted) sent.add(name);
  return wanted.map((name) => descriptors.bytes.get(name)?.toBase64() ?? "");
}

function refuse(code: keyof typeof Status, errorMessage: string): JsonObject {
  return { errorResponse: { errorCode: Status[code], errorMessage } };
}
