import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { startNodeHarbour } from "../../peers/node_grpc.ts";
import { makeAuthority } from "../../protocol/certificates.ts";
import { ECHO, handlersOf } from "./echo.ts";
import { type Fixture, openFixture, testInBothModes } from "./fixture.ts";
import { serveGrpc } from "./server.ts";

const FIND_SHIP = "harbour.v1.Harbour/FindShip";

/** Calls a harbour with TLS settings. @returns the flag of a ship. */
async function ask({ ask }: Fixture, url: string, settings: object, metadata = {}) {
  const __bowireMtls__ = JSON.stringify(settings);
  const more = { metadata: { __bowireMtls__, ...metadata } };
  return Object(await ask(url, FIND_SHIP, { name: "Circe" }, more)).flag;
}

testInBothModes(
  "a server of grpc-js is called over TLS by its name and its address",
  async (mode) => {
    const authority = await makeAuthority("Harbour");
    await using harbour = await startNodeHarbour({ tls: await authority.issue("harbour") });
    const urls = [harbour.url, `https://localhost:${harbour.port}`];
    await using fixture = await openFixture(mode, urls);
    const stranger = await makeAuthority("Pirates");
    for (const url of urls) {
      const { certificate: caCertificate } = authority;
      strictEqual(await ask(fixture, url, { caCertificate }), "GR");
      strictEqual(await ask(fixture, url, { allowSelfSigned: true }), "GR");
      const services = await fixture.discover(url, {
        metadata: { __bowireMtls__: JSON.stringify({ caCertificate }) },
      });
      deepStrictEqual(services.map(({ name }) => name), ["harbour.v1.Harbour"]);
      for (const settings of [{}, { caCertificate: stranger.certificate }]) {
        await rejects(ask(fixture, url, settings), { code: "unreachable", message: /certificate/ });
      }
      const elsewhere = ask(fixture, url, { caCertificate }, { ":authority": "elsewhere.example" });
      await rejects(elsewhere, { code: "unreachable", message: /elsewhere\.example/ });
    }
  },
);

testInBothModes("a server asks for a certificate of its authority over TLS", async (mode) => {
  const authority = await makeAuthority("Harbour");
  const { certificate: clientCa } = authority;
  const tls = { ...await authority.issue("harbour"), clientCa };
  await using harbour = await startNodeHarbour({ tls });
  const urls = [harbour.url, `https://localhost:${harbour.port}`];
  await using fixture = await openFixture(mode, urls);
  const captain = await authority.issue("captain");
  const pirate = await (await makeAuthority("Pirates")).issue("captain");
  for (const url of urls) {
    const caCertificate = clientCa;
    strictEqual(await ask(fixture, url, { caCertificate, ...captain }), "GR");
    strictEqual(await ask(fixture, url, { allowSelfSigned: true, ...captain }), "GR");
    for (const own of [{}, pirate]) {
      await rejects(ask(fixture, url, { caCertificate, ...own }), { code: "unreachable" });
    }
    strictEqual(await ask(fixture, url, { caCertificate, ...captain }), "GR");
  }
});

testInBothModes("a certificate for another name is taken when it is named", async (mode) => {
  const authority = await makeAuthority("Harbour");
  const tls = await authority.issue("for 127.0.0.1 and localhost");
  const handlers = handlersOf({ metadata: [], cancelled: 0 });
  const protos = { "echo.proto": ECHO };
  const host = "127.0.0.2";
  await using server = await serveGrpc({ protos, handlers, tls, host });
  await using fixture = await openFixture(mode, [server.url]);
  const __bowireMtls__ = JSON.stringify({ caCertificate: authority.certificate });
  const call = (more: object) =>
    fixture.ask(server.url, "echo.Echo/Unary", { text: "a" }, {
      metadata: { __bowireMtls__, ...more },
    });
  await rejects(call({}), { code: "unreachable", message: /127\.0\.0\.2/ });
  for (const name of ["localhost", "localhost:443", "127.0.0.1"]) {
    deepStrictEqual(await call({ ":authority": name }), { text: "a" });
  }
});
