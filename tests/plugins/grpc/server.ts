/**
 * A small gRPC server from `.proto` texts and handlers, with reflection that can be told to misbehave.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import {
  create,
  createFileRegistry,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { compileProtos } from "../../../plugins/grpc/compile/mod.ts";
import {
  reflectionMethod,
  type Version,
  VERSIONS,
} from "../../../plugins/grpc/reflection/types.ts";
import {
  type Answer,
  type Ending,
  type ServerCall as RawCall,
  type ServerOptions,
  Status,
  type Texts,
} from "../../../samples/grpc_target/grpc_server.ts";
import { startNodeServer } from "../../peers/node_grpc.ts";

/** One call at the server, with messages as data. */
export interface ServerCall {
  readonly metadata: Texts;
  /** Aborts when the client has given up. */
  readonly signal: AbortSignal;
  /** The messages of the client, until it has ended its side. */
  messages(): AsyncIterable<JsonValue>;
  /** Sends one message. */
  send(message: JsonValue): Promise<void>;
  /** Sends bytes as they are in place of a message. */
  sendBytes(bytes: Uint8Array): Promise<void>;
  sendHeaders(headers: Texts): void;
}

/** What a method does: it sends, and what it returns ends the call. */
export type Handler = (call: ServerCall) => Promise<Ending | void>;

/** How reflection behaves. */
export interface ReflectionOptions {
  readonly versions?: readonly Version[];
  /** Answers a version instead. */
  readonly statusOf?: Partial<Record<Version, Ending>>;
  /** Asked for each call of reflection; what it returns ends the call. */
  readonly guard?: (metadata: Texts) => Ending | undefined;
  /** Files that are not handed out. */
  readonly without?: readonly string[];
  /** Services that are listed besides. */
  readonly alsoListed?: readonly string[];
  /** Goes on and on with its first reply. */
  readonly isEndless?: boolean;
  /** Ends the conversation at a symbol that is not known, as some servers do. */
  readonly isTouchy?: boolean;
}

/** A running server; disposing it kills its process. */
export interface GrpcServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Versions of reflection that were called, in order. */
  readonly reflections: string[];
}

/** What a server is made of. */
export interface ServerParts extends Omit<ServerOptions, "find" | "paths"> {
  /** `.proto` texts by their path. */
  readonly protos: Readonly<Record<string, string>>;
  /** By `package.Service/Method`. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** `false` for none. */
  readonly reflection?: ReflectionOptions | false;
}

/** Starts one, on 127.0.0.1 unless told otherwise. */
export async function serveGrpc(parts: ServerParts): Promise<GrpcServer> {
  const { protos, handlers, reflection = {}, host = "127.0.0.1", tls } = parts;
  const { files } = await compileProtos(
    Object.keys(protos),
    (path) => Promise.resolve(protos[path]),
  );
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [...files] }));
  const answers = new Map<string, Answer>();
  for (const [name, handler] of Object.entries(handlers)) {
    const [service = "", methodName = ""] = name.split("/");
    const method = registry.getService(service)?.methods.find(({ name }) => name === methodName);
    if (method === undefined) throw new Error(`no method ${name}`);
    answers.set(`/${name}`, (call) => handler(withData(call, method, registry)));
  }
  const reflections: string[] = [];
  for (const version of reflection === false ? [] : reflection.versions ?? VERSIONS) {
    const method = reflectionMethod(version);
    const options = reflection === false ? {} : reflection;
    answers.set(`/${method.parent.typeName}/${method.name}`, async (call) => {
      reflections.push(version);
      return options.statusOf?.[version] ?? options.guard?.(call.metadata) ??
        await reflect(call, method, files, options);
    });
  }
  const find = (path: string) => answers.get(path);
  const server = await startNodeServer({ ...parts, find, paths: [...answers.keys()] });
  const scheme = tls === undefined ? "http" : "https";
  return { ...server, url: `${scheme}://${host}:${server.port}`, reflections };
}

/** The call with its messages as data. */
function withData(
  call: RawCall,
  { input, output }: DescMethod,
  registry: FileRegistry,
): ServerCall {
  return {
    metadata: call.metadata,
    signal: call.signal,
    sendHeaders: (headers) => call.sendHeaders(headers),
    send: (message) => call.send(toBinary(output, fromJson(output, message, { registry }))),
    sendBytes: (bytes) => call.send(bytes),
    async *messages() {
      for await (const bytes of call.messages()) {
        yield toJson(input, fromBinary(input, bytes), { registry });
      }
    },
  };
}

async function reflect(
  call: RawCall,
  method: DescMethod,
  files: readonly FileDescriptorProto[],
  { without = [], alsoListed = [], isTouchy = false, isEndless = false }: ReflectionOptions,
): Promise<Ending | void> {
  const known = files.filter(({ name }) => !without.includes(name));
  const reply = async (answer: JsonValue) => {
    const bytes = toBinary(method.output, fromJson(method.output, answer));
    do await call.send(bytes); while (isEndless && !call.signal.aborted);
  };
  for await (const bytes of call.messages()) {
    const question = Object(toJson(method.input, fromBinary(method.input, bytes)));
    const { listServices, fileContainingSymbol, fileByFilename } = question;
    const file = known.find((file) =>
      fileByFilename === undefined
        ? defines(file, fileContainingSymbol)
        : file.name === fileByFilename
    );
    if (listServices !== undefined || Object.keys(question).length === 0) {
      const own = files.flatMap(({ package: pkg, service }) =>
        service.map(({ name }) => `${pkg}.${name}`)
      );
      const service = [...own, ...alsoListed].map((name) => ({ name }));
      await reply({ listServicesResponse: { service } });
    } else if (file !== undefined) {
      const text = Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString("base64");
      await reply({ fileDescriptorResponse: { fileDescriptorProto: [text] } });
    } else if (isTouchy) return { code: Status.NOT_FOUND, message: "no such symbol" };
    else await reply({ errorResponse: { errorCode: 5, errorMessage: "not found" } });
  }
}

function defines(
  { package: pkg, messageType, enumType, service }: FileDescriptorProto,
  symbol = "",
) {
  return [...messageType, ...enumType, ...service].some(({ name }) => `${pkg}.${name}` === symbol);
}
