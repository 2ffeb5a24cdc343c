/**
 * A gRPC server of grpc-js on Node whose calls are answered by whoever started it, line by line as
 * JSON: `open`, `message` (base64), `ended` and `cancelled` go out, `headers`, `message` and `end`
 * come in. It ends with its input.
 *
 * The first line that comes in: {"paths": ["/p.S/M"], "host", "port", "tls"?: {certificate,
 * privateKey, clientCa?}}; the first that goes out: {"port"} or {"error"}.
 */
import { createInterface } from "node:readline";
import { Metadata, Server, ServerCredentials } from "@grpc/grpc-js";

const calls = new Map();
let nextId = 1;

const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const keep = (bytes) => bytes;

function metadataOf(texts = {}) {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(texts)) {
    metadata.set(name, name.endsWith("-bin") ? Buffer.from(value, "base64") : value);
  }
  return metadata;
}

function textsOf(metadata) {
  const entries = Object.keys(metadata.getMap()).map((name) => [
    name,
    metadata.get(name).map((value) => typeof value === "string" ? value : value.toString("base64"))
      .join(", "),
  ]);
  return Object.fromEntries(entries);
}

function take(path, stream) {
  const id = nextId++;
  calls.set(id, stream);
  tell({ id, open: path, metadata: textsOf(stream.metadata) });
  stream.on("data", (bytes) => tell({ id, message: bytes.toString("base64") }));
  stream.on("end", () => tell({ id, ended: true }));
  stream.on("cancelled", () => {
    calls.delete(id);
    tell({ id, cancelled: true });
  });
  stream.on("error", () => {});
}

async function start({ paths, host, port, tls }) {
  const server = new Server({ "grpc.max_receive_message_length": -1 });
  for (const path of paths) {
    // On the wire, the other kinds are what a stream each way is.
    server.register(path, (stream) => take(path, stream), keep, keep, "bidi");
  }
  const credentials = tls === undefined ? ServerCredentials.createInsecure() : ServerCredentials
    .createSsl(
      Buffer.from(tls.clientCa ?? tls.certificate),
      [{ cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.privateKey) }],
      tls.clientCa !== undefined,
    );
  server.bindAsync(`${host}:${port}`, credentials, (error, bound) => {
    tell(error === null ? { port: bound } : { error: String(error) });
  });
}

function hear({ id, headers, message, end }) {
  const stream = calls.get(id);
  if (stream === undefined) return;
  if (headers !== undefined) stream.sendMetadata(metadataOf(headers));
  if (message !== undefined) {
    stream.write(Buffer.from(message, "base64"), () => tell({ id, sent: true }));
  }
  if (end !== undefined) {
    calls.delete(id);
    const { code = 0, message: details = "", trailers } = end;
    const metadata = metadataOf(trailers);
    if (code === 0) stream.end(metadata);
    else stream.emit("error", { code, details, metadata });
  }
}

let isStarted = false;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (isStarted) hear(message);
  else {
    isStarted = true;
    await start(message);
  }
}
process.exit();
