/**
 * A service of a `.proto` file by @grpc/grpc-js, which describes itself by @grpc/reflection. Every
 * method is unary and answers with its request.
 *
 * Its argument: { file, folder, service }. It says { url } once it listens.
 */
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";

const { file, folder, service } = JSON.parse(process.argv[2]);
const definition = loadSync(file, { includeDirs: [folder] });
const server = new grpc.Server();
const methods = Object.keys(definition[service]);
const echo = ({ request }, answer) => answer(null, request);
server.addService(definition[service], Object.fromEntries(methods.map((name) => [name, echo])));
new ReflectionService(definition).addToServer(server);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
