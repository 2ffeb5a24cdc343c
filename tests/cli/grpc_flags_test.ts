import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { shipIdOf } from "../../samples/grpc_target/books.ts";
import { startNodeHarbour } from "../peers/node_grpc.ts";
import { runBowire } from "../fakes/bowire_process.ts";
import { Home } from "../fakes/home.ts";
import { makeAuthority } from "../protocol/certificates.ts";

const PROTOS = fileURLToPath(new URL("../../samples/grpc_target/proto", import.meta.url));

Deno.test("bowire calls a gRPC server without reflection as grpcurl would be told to", async () => {
  await using home = await Home.make();
  await using harbour = await startNodeHarbour({ reflection: [] });
  const id = shipIdOf(0);
  const call = ["call", "harbour.v1.Harbour/GetShip", "-d", `{"id": "${id}"}`];
  const target = ["-plaintext", "--url", `127.0.0.1:${harbour.port}`];
  const options = { read: [PROTOS] };
  for (
    const files of [
      ["-import-path", PROTOS, "-proto", "harbour.proto"],
      ["-protoset", `${PROTOS}/harbour.binpb`],
    ]
  ) {
    const { code, stdout, stderr } = await runBowire(home, [...call, ...files, ...target], options);
    deepStrictEqual([code, stderr], [0, ""]);
    strictEqual(JSON.parse(stdout).id, id);
  }
  const add = ["schema", "add", `${PROTOS}/harbour.proto`, ...target];
  strictEqual((await runBowire(home, add, options)).code, 0);
  const stored = await runBowire(home, [...call, ...target]);
  deepStrictEqual([stored.code, stored.stderr, JSON.parse(stored.stdout).id], [0, "", id]);
});

Deno.test("--cacert is what a REST call trusts, and --insecure is refused with the way out", async () => {
  const authority = await makeAuthority("Harbour");
  const { certificate: cert, privateKey: key } = await authority.issue("harbour");
  await using home = await Home.make();
  await home.put("ca.pem", authority.certificate);
  const listen = { hostname: "127.0.0.1", port: 0, onListen() {} };
  await using server = Deno.serve({ ...listen, cert, key }, () => Response.json({ is: "here" }));
  const url = `127.0.0.1:${server.addr.port}`;
  const call = (...flags: string[]) =>
    runBowire(home, ["call", "GET", "--protocol", "rest", "--compact", "--url", url, ...flags]);
  const trusted = await call("-cacert", "ca.pem");
  deepStrictEqual([trusted.code, trusted.stdout], [0, '{"is":"here"}\n'], trusted.stderr);
  match((await call()).stderr, /cannot reach .*certificate/);
  match((await call("-insecure")).stderr, /give its certificate as caCertificate/);
});
