/**
 * A library as services, methods, messages and fields.
 *
 * @module
 */
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { Method, MethodHints, MethodType, Service } from "../../../lib/model/mod.ts";
import { httpRuleOf } from "../schema/google_api.ts";
import type { Library } from "../schema/library.ts";
import { commentOf } from "./comments.ts";
import { MessageBuilder } from "./messages.ts";

/** Which services are described. */
export interface ServiceOptions {
  /** Whether gRPC's own services are among them: reflection, health, channelz. */
  readonly showInternal: boolean;
  /** Full names of those that the server has; files that are imported may define others. */
  readonly names?: ReadonlySet<string>;
}

/** Fields of one message tree after which its nested messages stay empty. */
const MAX_FIELDS_PER_MESSAGE = 300;
/** The same for a server, shared evenly, since messages within each other multiply. */
const FIELDS_PER_SERVER = 400_000;

const INTERNAL = /^grpc\.(?:reflection|health|channelz|admin|binarylog)\./;

const HINTS = {
  [MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN]: undefined,
  [MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS]: { readOnly: true, idempotent: true },
  [MethodOptions_IdempotencyLevel.IDEMPOTENT]: { readOnly: false, idempotent: true },
} as const satisfies Record<MethodOptions_IdempotencyLevel, MethodHints | undefined>;

const METHOD_TYPES = {
  unary: "Unary",
  server_streaming: "ServerStreaming",
  client_streaming: "ClientStreaming",
  bidi_streaming: "Duplex",
} as const satisfies Record<DescMethod["methodKind"], MethodType>;

/** Describes the services of a server, in the order of its files. */
export function describeServices(library: Library, options: ServiceOptions): Service[] {
  const services = [...library.registry].filter((type) => type.kind === "service")
    .filter(({ typeName }) => options.showInternal || !isInternal(typeName))
    .filter(({ typeName }) => options.names?.has(typeName) !== false);
  const count = services.reduce((sum, { methods }) => sum + methods.length, 0);
  const share = FIELDS_PER_SERVER / (2 * count);
  const messages = new MessageBuilder(Math.min(MAX_FIELDS_PER_MESSAGE, share));
  return services.map((service) => describeService(service, messages));
}

/** True for a service of gRPC itself. */
export function isInternal(serviceName: string): boolean {
  return INTERNAL.test(serviceName);
}

function describeService(service: DescService, messages: MessageBuilder): Service {
  const description = commentOf(service);
  return {
    name: service.typeName,
    package: service.file.proto.package,
    methods: service.methods.map((method) => describeMethodHead(method, messages)),
    source: "grpc",
    ...(description === undefined ? {} : { description }),
  };
}

function describeMethodHead(method: DescMethod, messages: MessageBuilder): Method {
  const { methodKind, parent } = method;
  const description = commentOf(method);
  const rule = httpRuleOf(method);
  const hints = HINTS[method.idempotency];
  return {
    name: method.name,
    fullName: `${parent.typeName}/${method.name}`,
    methodType: METHOD_TYPES[methodKind],
    clientStreaming: methodKind === "client_streaming" || methodKind === "bidi_streaming",
    serverStreaming: methodKind === "server_streaming" || methodKind === "bidi_streaming",
    inputType: messages.build(method.input),
    outputType: messages.build(method.output),
    ...(rule === undefined ? {} : { httpMethod: rule.httpMethod, httpPath: rule.httpPath }),
    ...(description === undefined ? {} : { description }),
    ...(hints === undefined ? {} : { hints }),
    deprecated: method.deprecated || parent.deprecated,
  };
}
