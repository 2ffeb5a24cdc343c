/**
 * A small gRPC server on grpc-js, with reflection that can be told to misbehave.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import {
  createFileRegistry,
  type DescMethod,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import {
  type handleBidiStreamingCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  status,
  type StatusObject,
} from "@grpc/grpc-js";
import { compileProtos } from "../../../plugins/grpc/compile/mod.ts";
import {
  reflectionMethod,
  type Version,
  VERSIONS,
} from "../../../plugins/grpc/reflection/types.ts";

/** One call at the server. */
export interface ServerCall {
  readonly metadata: Metadata;
  /** The messages of the client as data, until it has ended its side. */
  messages(): AsyncIterable<JsonValue>;
  /** Sends one message. */
  send(message: JsonValue): void;
  /** Sends bytes as they are in place of a message. */
  sendBytes(bytes: Uint8Array): void;
  sendHeaders(headers: Metadata): void;
  /** Settles when the client has given up. */
  readonly cancelled: Promise<void>;
}

/** What a method does: it sends, and the status ends the call. */
export type Handler = (call: ServerCall) => Promise<Partial<StatusObject> | void>;

/** How reflection behaves. */
export interface ReflectionOptions {
  readonly versions?: readonly Version[];
  /** Answers a version instead. */
  readonly statusOf?: Partial<Record<Version, Partial<StatusObject>>>;
  /** Asked for each call of reflection; what it returns ends the call. */
  readonly guard?: (metadata: Metadata) => Partial<StatusObject> | undefined;
  /** Files that are not handed out. */
  readonly without?: readonly string[];
  /** Services that are listed besides. */
  readonly alsoListed?: readonly string[];
  /** Ends the conversation at a symbol that is not known, as some servers do. */
  readonly isTouchy?: boolean;
}

/** A running server. */
export interface GrpcServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Names of the reflection services that were called, in order. */
  readonly reflections: string[];
}

/** What a server is made of. */
export interface ServerParts {
  /** `.proto` texts by their path. */
  readonly protos: Readonly<Record<string, string>>;
  /** By `package.Service/Method`. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** `false` for none. */
  readonly reflection?: ReflectionOptions | false;
  readonly credentials?: ServerCredentials;
  readonly host?: string;
  readonly port?: number;
}

/** Starts one on 127.0.0.1. */
export async function serveGrpc(parts: ServerParts): Promise<GrpcServer> {
  const { protos, handlers, reflection = {} } = parts;
  const { files } = await compileProtos(
    Object.keys(protos),
    (path) => Promise.resolve(protos[path]),
  );
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [...files] }));
  const server = new Server({ "grpc.max_receive_message_length": -1 });
  const reflections: string[] = [];
  for (const [name, handler] of Object.entries(handlers)) {
    const [service = "", methodName = ""] = name.split("/");
    const method = registry.getService(service)?.methods.find(({ name }) => name === methodName);
    if (method === undefined) throw new Error(`no method ${name}`);
    add(server, method, handle(method, handler, registry));
  }
  if (reflection !== false) {
    for (const version of reflection.versions ?? VERSIONS) {
      const method = reflectionMethod(version);
      add(server, method, async (stream) => {
        reflections.push(version);
        const end = reflection.statusOf?.[version] ?? reflection.guard?.(stream.metadata);
        if (end !== undefined) return fail(stream, end);
        await reflect(stream, method, files, reflection);
      });
    }
  }
  const { host = "127.0.0.1", port = 0, credentials = ServerCredentials.createInsecure() } = parts;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync(
    `${host}:${port}`,
    credentials,
    (error, bound) => error === null ? resolve(bound) : reject(error),
  );
  const bound = await promise;
  const scheme = parts.credentials === undefined ? "http" : "https";
  return {
    url: `${scheme}://${host}:${bound}`,
    port: bound,
    reflections,
    async [Symbol.asyncDispose]() {
      server.forceShutdown();
      await Promise.resolve();
    },
  };
}

type Duplex = ServerDuplexStream<Uint8Array, Uint8Array>;

/** Adds one method. A stream each way serves all kinds: on the wire they are the same. */
function add(server: Server, method: DescMethod, run: (stream: Duplex) => Promise<void>): void {
  const serialize = (bytes: Uint8Array) => Buffer.from(bytes);
  const deserialize = (bytes: Buffer) => new Uint8Array(bytes);
  const handler: handleBidiStreamingCall<Uint8Array, Uint8Array> = (stream) => {
    run(stream).catch((error) => fail(stream, { code: status.INTERNAL, details: String(error) }));
  };
  server.register(
    `/${method.parent.typeName}/${method.name}`,
    handler,
    serialize,
    deserialize,
    "bidi",
  );
}

function fail(
  stream: Duplex,
  { code = status.UNKNOWN, details = "", metadata }: Partial<StatusObject>,
) {
  stream.emit("error", { code, details, metadata: metadata ?? new Metadata() });
}

function handle(
  method: DescMethod,
  handler: Handler,
  registry: ReturnType<typeof createFileRegistry>,
): (stream: Duplex) => Promise<void> {
  return async (stream) => {
    const gone = Promise.withResolvers<void>();
    stream.on("cancelled", () => gone.resolve());
    const end = await handler({
      metadata: stream.metadata,
      cancelled: gone.promise,
      sendHeaders: (headers) => stream.sendMetadata(headers),
      send: (message) =>
        stream.write(
          toBinary(method.output, fromJson(method.output, message, { registry })),
        ),
      sendBytes: (bytes) => stream.write(bytes),
      async *messages() {
        for await (const bytes of stream.iterator({ destroyOnReturn: false })) {
          yield toJson(method.input, fromBinary(method.input, bytes), { registry });
        }
      },
    });
    if (end === undefined) stream.end();
    else if (end.code === status.OK) stream.end(end.metadata);
    else fail(stream, end);
  };
}

async function reflect(
  stream: Duplex,
  method: DescMethod,
  files: readonly FileDescriptorProto[],
  { without = [], alsoListed = [], isTouchy = false }: ReflectionOptions,
): Promise<void> {
  const known = files.filter(({ name }) => !without.includes(name));
  const reply = (answer: object) =>
    stream.write(
      toBinary(method.output, fromJson(method.output, JSON.parse(JSON.stringify(answer)))),
    );
  let isOffended = false;
  for await (const bytes of stream.iterator({ destroyOnReturn: false })) {
    const question = toJson(method.input, fromBinary(method.input, bytes));
    const { listServices, fileContainingSymbol, fileByFilename } = {
      ...(question as Record<string, string>),
    };
    const file = known.find((file) =>
      fileByFilename === undefined
        ? defines(file, fileContainingSymbol)
        : file.name === fileByFilename
    );
    if (listServices !== undefined || Object.keys(Object(question)).length === 0) {
      const own = files.flatMap(({ package: pkg, service }) =>
        service.map(({ name }) => `${pkg}.${name}`)
      );
      reply({
        listServicesResponse: { service: [...own, ...alsoListed].map((name) => ({ name })) },
      });
    } else if (file !== undefined) {
      const text = Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString("base64");
      reply({ fileDescriptorResponse: { fileDescriptorProto: [text] } });
    } else if (isTouchy) {
      isOffended = true;
      break;
    } else reply({ errorResponse: { errorCode: 5, errorMessage: "not found" } });
  }
  if (isOffended) fail(stream, { code: status.NOT_FOUND, details: "no such symbol" });
  else stream.end();
}

function defines(
  { package: pkg, messageType, enumType, service }: FileDescriptorProto,
  symbol = "",
) {
  return [...messageType, ...enumType, ...service].some(({ name }) => `${pkg}.${name}` === symbol);
}
