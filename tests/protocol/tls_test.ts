import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { Allowlist } from "../../lib/gate/mod.ts";
import {
  type Ambient,
  type ClientTls,
  createContext,
  type HttpRequest,
} from "../../lib/protocol/mod.ts";
import { createRest } from "../../plugins/rest/plugin.ts";
import { type Identity, lockKey, makeAuthority } from "./certificates.ts";
import { rejectionOf, serveLocal } from "../fakes/rooms.ts";

const authority = await makeAuthority("tests");
const server = await authority.issue("server");
const anna = await authority.issue("anna");
const stranger = await (await makeAuthority("strangers")).issue("stranger");

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface TlsSite extends AsyncDisposable {
  readonly url: string;
  /** Whoever asked, by the name in the certificate, and for what. */
  readonly seen: string[];
}

/** A server over TLS that asks for a certificate, and turns away whoever has none. */
async function serveTls(
  answer: (path: string) => Answer,
  isStrict = true,
): Promise<TlsSite> {
  const seen: string[] = [];
  const listener = createServer({
    cert: server.certificate,
    key: server.privateKey,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: isStrict,
  }, (request, response) => {
    const socket = request.socket as TLSSocket; // the server speaks nothing but TLS
    const name = socket.getPeerCertificate()?.subject?.CN ?? "nobody";
    seen.push(`${name} ${request.url}`);
    const { status = 200, headers = {}, body = "{}" } = answer(request.url ?? "");
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", () => resolve()));
  const { port } = listener.address() as AddressInfo; // it listens at a port
  return {
    url: `https://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      await new Promise<void>((resolve) => listener.close(() => resolve()));
    },
  };
}

function tlsOf({ certificate, privateKey }: Identity): ClientTls {
  return { certificate, privateKey, caCertificate: authority.certificate };
}

/** One exchange with whatever is allowed. */
async function fetchFrom(url: string, request: HttpRequest) {
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const context = createContext(allowlist, new AbortController().signal);
  return await context.fetch(context.admit(url, "the test"), request);
}

Deno.test("CallContext.fetch shows the client's certificate to a server that demands one", async () => {
  await using site = await serveTls(() => ({ body: "hello" }));
  const answer = await fetchFrom(site.url, { tls: tlsOf(anna) });
  strictEqual(new TextDecoder().decode(answer.body), "hello");
  deepStrictEqual(site.seen, ["anna /"]);
});

const REFUSED: readonly (readonly [what: string, tls: ClientTls | undefined])[] = [
  ["no certificate", { caCertificate: authority.certificate }],
  ["the certificate of another authority", tlsOf(stranger)],
  ["no trust in the server", undefined],
  ["a certificate but no trust in the server", {
    certificate: anna.certificate,
    privateKey: anna.privateKey,
  }],
];
for (const [what, tls] of REFUSED) {
  Deno.test(`CallContext.fetch with ${what} does not reach such a server`, async () => {
    await using site = await serveTls(() => ({}));
    const refusal = await rejectionOf(fetchFrom(site.url, tls === undefined ? {} : { tls }));
    strictEqual(refusal.code, "unreachable");
    match(refusal.message, /^cannot reach "https:.*": \S/);
    deepStrictEqual(site.seen, []);
  });
}

Deno.test("CallContext.fetch shows no certificate to another origin after a redirect", async () => {
  await using other = await serveTls(() => ({}), false);
  await using site = await serveTls((path) =>
    path === "/there"
      ? {}
      : { status: 307, headers: { location: path === "/near" ? "/there" : `${other.url}/x` } }
  );
  await fetchFrom(`${site.url}/near`, { tls: tlsOf(anna) });
  deepStrictEqual(site.seen, ["anna /near", "anna /there"]);
  // Nor does it trust the other one by this authority.
  const refusal = await rejectionOf(fetchFrom(`${site.url}/far`, { tls: tlsOf(anna) }));
  deepStrictEqual([refusal.code, other.seen], ["unreachable", []]);
});

const BAD_PEMS: readonly (readonly [what: string, tls: ClientTls])[] = [
  ["text for a key", { certificate: anna.certificate, privateKey: "CANARY" }],
  ["text for a certificate", { certificate: "CANARY", privateKey: anna.privateKey }],
  ["text for an authority", { caCertificate: "CANARY" }],
  ["a locked key", { ...anna, privateKey: lockKey(anna.privateKey, "CANARY") }],
  ["the key of another", { ...anna, privateKey: stranger.privateKey }],
  ["a broken key", { ...anna, privateKey: anna.privateKey.replace(/\n.{10}/, "\nCANARY////") }],
];
for (const [what, tls] of BAD_PEMS) {
  Deno.test(`CallContext.fetch refuses ${what}, without a word of it`, async () => {
    await using site = await serveTls(() => ({}), false);
    const refusal = await rejectionOf(fetchFrom(site.url, { tls }));
    strictEqual(refusal.code, "invalid_argument");
    const shown = JSON.stringify([refusal.message, refusal.hint, refusal.details]);
    doesNotMatch(shown, /CANARY|BEGIN|[A-Za-z0-9+/]{40}/);
    deepStrictEqual(site.seen, []);
  });
}

const PING = JSON.stringify({
  openapi: "3.1.0",
  paths: { "/ping": { get: { operationId: "ping" } } },
});

/** A REST call at a server that demands a certificate, its document included. */
async function ping(
  site: TlsSite,
  pems: Readonly<Record<string, unknown>> | undefined,
  ambient?: Ambient,
) {
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const context = createContext(allowlist, new AbortController().signal, { ambient });
  const target = allowlist.admit(`${site.url}/openapi.json`);
  const metadata = pems === undefined ? {} : { __bowireMtls__: JSON.stringify(pems) };
  const rest = createRest();
  const { services } = await rest.discover({ target, metadata, showInternal: false }, context);
  const call = { target, service: "", method: "ping", messages: [], metadata, validate: true };
  const { status } = await rest.invoke(call, context);
  return { services: services.length, status };
}

const LOCKS: readonly (readonly [what: string, pems: Readonly<Record<string, unknown>>])[] = [
  ["a plain key", tlsOf(anna) as Readonly<Record<string, unknown>>],
  ["a key with a passphrase", {
    ...tlsOf(anna),
    privateKey: lockKey(anna.privateKey, "pass phrase"),
    passphrase: "pass phrase",
  }],
  ["a plain key and a passphrase that it does not need", { ...tlsOf(anna), passphrase: "x" }],
];
for (const [what, pems] of LOCKS) {
  Deno.test(`__bowireMtls__ with ${what} opens a server's document and its methods`, async () => {
    await using site = await serveTls((path) => path === "/openapi.json" ? { body: PING } : {});
    deepStrictEqual(await ping(site, pems), { services: 1, status: "OK" });
    deepStrictEqual(site.seen, ["anna /openapi.json", "anna /ping"]);
  });
}

const BAD_METADATA: readonly (readonly [what: string, pems: Readonly<Record<string, unknown>>])[] =
  [
    ["the wrong passphrase", {
      ...tlsOf(anna),
      privateKey: lockKey(anna.privateKey, "CANARY"),
      passphrase: "CANARY2",
    }],
    ["no passphrase", { ...tlsOf(anna), privateKey: lockKey(anna.privateKey, "CANARY") }],
    ["a certificate without a key", { certificate: anna.certificate }],
    ["a key without a certificate", { privateKey: anna.privateKey }],
    ["trust in whatever signs itself", { allowSelfSigned: true }],
  ];
for (const [what, pems] of BAD_METADATA) {
  Deno.test(`__bowireMtls__ with ${what} is refused, without a word of it`, async () => {
    await using site = await serveTls(() => ({}), false);
    const refusal = await rejectionOf(ping(site, pems));
    strictEqual(refusal.code, "invalid_argument");
    const shown = JSON.stringify([refusal.message, refusal.hint, refusal.details]);
    doesNotMatch(shown, /CANARY|BEGIN|[A-Za-z0-9+/]{40}/);
    deepStrictEqual(site.seen, []);
  });
}

for (const method of ["GET", "POST"]) {
  Deno.test(`__bowireMtls__ goes with an ad-hoc ${method} too`, async () => {
    await using site = await serveTls(() => ({}));
    const allowlist = new Allowlist({ allowArbitraryUrls: true });
    const { status } = await createRest().invoke({
      target: allowlist.admit(`${site.url}/x`),
      service: "",
      method,
      messages: ["{}"],
      metadata: { __bowireMtls__: JSON.stringify(tlsOf(anna)) },
      validate: true,
    }, createContext(allowlist, new AbortController().signal));
    deepStrictEqual([status, site.seen], ["200", ["anna /x"]]);
  });
}

Deno.test("C23 the environment's certificate is shown to its own server and to no other", async () => {
  const answer = (path: string) => path === "/openapi.json" ? { body: PING } : {};
  await using site = await serveTls(answer);
  await using other = await serveTls(answer, false);
  const metadata = { __bowireMtls__: JSON.stringify(tlsOf(anna)) };
  const ambient = { origin: site.url, metadata };
  deepStrictEqual(await ping(site, undefined, ambient), { services: 1, status: "OK" });
  deepStrictEqual(site.seen, ["anna /openapi.json", "anna /ping"]);
  await ping(other, { caCertificate: authority.certificate }, ambient);
  deepStrictEqual(other.seen, ["nobody /openapi.json", "nobody /ping"]);
});

Deno.test("a certificate under the name of its scheme is shown, and its key sent to nobody", async () => {
  await using site = await serveTls(() => ({ status: 401 }), false);
  const sent: string[] = [];
  const document = {
    openapi: "3.1.0",
    servers: [{ url: site.url }],
    paths: { "/ping": { get: { operationId: "ping" } } },
    security: [{ company: [] }],
    components: { securitySchemes: { company: { type: "mutualTLS" } } },
  };
  await using documents = serveLocal(({ headers }) => {
    sent.push(JSON.stringify([...headers]));
    return Response.json(document);
  });
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const context = createContext(allowlist, new AbortController().signal);
  const target = allowlist.admit(`${documents.url}/openapi.json`);
  const hintWith = async (pems: ClientTls) => {
    const metadata = { Company: JSON.stringify(pems) };
    await createRest().discover({ target, metadata, showInternal: false }, context);
    const call = { target, service: "", method: "ping", messages: [], metadata, validate: true };
    return (await createRest().invoke(call, context)).hint;
  };
  const without = await hintWith({ caCertificate: authority.certificate });
  match(without ?? "", /company \(client certificate, as __bowireMtls__\)/);
  strictEqual(await hintWith(tlsOf(anna)), undefined);
  deepStrictEqual(site.seen, ["nobody /ping", "anna /ping"]);
  strictEqual(sent.length, 4);
  doesNotMatch(sent.join(), /PRIVATE KEY/);
});
