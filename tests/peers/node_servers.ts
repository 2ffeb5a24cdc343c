/**
 * gRPC servers of npm packages, run under Node by small programs in `programs`; a test that needs
 * one is to be ignored unless `HAS_PEERS`.
 *
 * @module
 */
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { fileURLToPath } from "node:url";
import { compileProtos } from "../../plugins/grpc/compile/mod.ts";
import { linesOf } from "../fakes/conversation.ts";
import { within } from "../fakes/deadline.ts";
import { NODE, type PeerTls } from "./peers.ts";

/** Where each kind of HTTP is served: origins without a slash at the end. */
export interface ConnectOrigins {
  readonly http1: string;
  readonly https1: string;
  /** HTTP/2 without TLS. */
  readonly h2c: string;
  readonly https2: string;
}

/** A server whose folder holds `service.proto`. */
export interface NodeServer<Said> extends AsyncDisposable {
  /** What it said when it was ready. */
  readonly said: Said;
  /** Where its `.proto` file lies. */
  readonly folder: string;
  /** The next message that it says. */
  next(): Promise<unknown>;
}

/** Starts a server of @connectrpc/connect-node with the methods of `tests/plugins/grpc/echo.ts`. */
export async function startConnect(
  proto: string,
  { certificate, privateKey, authority }: Omit<PeerTls, "authority"> & { authority?: string },
): Promise<NodeServer<ConnectOrigins>> {
  const { files } = await compileProtos(
    ["service.proto"],
    (path) => Promise.resolve(path === "service.proto" ? proto : undefined),
  );
  const set = toBinary(
    FileDescriptorSetSchema,
    create(FileDescriptorSetSchema, { file: [...files] }),
  );
  return await start("connect_server.mjs", proto, async (folder) => {
    await Deno.writeFile(`${folder}/service.binpb`, set);
    const ca = authority === undefined ? {} : { ca: authority };
    return { set: `${folder}/service.binpb`, tls: { key: privateKey, cert: certificate, ...ca } };
  });
}

/** Starts a server of @grpc/grpc-js and @grpc/reflection, whose methods answer with the request. */
export function startReflected(
  proto: string,
  service: string,
): Promise<NodeServer<{ readonly url: string }>> {
  return start(
    "reflection_server.mjs",
    proto,
    (folder) => Promise.resolve({ file: "service.proto", folder, service }),
  );
}

async function start<Said>(
  program: string,
  proto: string,
  argumentFor: (folder: string) => Promise<object>,
): Promise<NodeServer<Said>> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "bowire-peer-" });
  cleanup.defer(() => Deno.remove(folder, { recursive: true }));
  await Deno.writeTextFile(`${folder}/service.proto`, proto);
  const path = fileURLToPath(new URL(`./programs/${program}`, import.meta.url));
  const child = new Deno.Command(NODE, {
    args: [path, JSON.stringify(await argumentFor(folder))],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = linesOf(child.stdout);
  cleanup.defer(async () => {
    child.kill("SIGKILL");
    await Promise.all([child.status, lines.return(undefined)]);
  });
  const next = async () => {
    const { done, value } = await within(lines.next(), `"${program}" to say something`);
    if (done === true) throw new Error(`"${program}" has ended`);
    return JSON.parse(value);
  };
  const said: Said = await next();
  const kept = cleanup.move();
  return { said, folder, next, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
