/**
 * The service `echo.Echo` by @connectrpc/connect-node under Node, over each kind of HTTP: gRPC,
 * gRPC-Web and Connect by turns. The paths are below `/` and below `/prefix` as well.
 *
 * Its argument: { set, tls: { key, cert, ca? } }; `set` is the path of a descriptor set, and with
 * `ca` clients have to show a certificate. It says its origins once it listens,
 * { http1, https1, h2c, https2 }, and { cancelled } when a client gives up.
 */
import { readFileSync } from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";

const { set, tls } = JSON.parse(process.argv[2]);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(set)));

const handlers = {
  unary(note, { requestHeader, responseHeader, responseTrailer, protocolName }) {
    responseHeader.set("x-head", requestHeader.get("x-trace") ?? "");
    responseHeader.set("x-bytes-bin", "AAH/");
    responseHeader.set("x-protocol", protocolName);
    responseTrailer.set("x-tail", "last");
    return note;
  },
  async collect(notes) {
    const texts = [];
    for await (const { text } of notes) texts.push(text);
    return { text: texts.join("+") };
  },
  async *burst() {
    for (const text of ["a", "b", "c"]) yield { text };
    throw new ConnectError("no more", Code.DataLoss);
  },
  async *chat(notes) {
    for await (const note of notes) yield note;
  },
  fail() {
    const violation = [0x0a, 4, ...Buffer.from("text"), 0x12, 9, ...Buffer.from("too short")];
    const value = new Uint8Array([0x0a, violation.length, ...violation]);
    const error = new ConnectError("bad text", Code.InvalidArgument, { "x-tail": "last" });
    error.details.push({ type: "google.rpc.BadRequest", value });
    throw error;
  },
  async *forever(_note, { signal, protocolName }) {
    yield { text: "begun" };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    say({ cancelled: protocolName });
  },
  large: () => ({ raw: new Uint8Array(17 * 1024 * 1024) }),
};

const routes = (router) => router.service(registry.getService("echo.Echo"), handlers);
const atRoot = connectNodeAdapter({ routes, maxTimeoutMs: 3_600_000 });
const below = connectNodeAdapter({ routes, requestPathPrefix: "/prefix" });
const listener = (request, response) => {
  response.setHeader("x-http", request.httpVersion);
  (request.url.startsWith("/prefix/") ? below : atRoot)(request, response);
};

const secure = { ...tls, ...(tls.ca === undefined ? {} : { requestCert: true }) };
const servers = {
  http1: http.createServer(listener),
  https1: https.createServer(secure, listener),
  h2c: http2.createServer(listener),
  https2: http2.createSecureServer(secure, listener),
};
const origins = {};
for (const [name, server] of Object.entries(servers)) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const scheme = name.startsWith("https") ? "https" : "http";
  origins[name] = `${scheme}://127.0.0.1:${server.address().port}`;
}
say(origins);
