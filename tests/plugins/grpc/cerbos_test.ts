import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { makeAuthority } from "../../protocol/certificates.ts";
import { type RunningGrpcPeer, startCerbos } from "../../peers/peers.ts";
import { openFixture, testInBothModes } from "./fixture.ts";

const SERVICE = "cerbos.svc.v1.CerbosService";

const CHECK = {
  requestId: "r1",
  principal: { id: "anna", roles: ["captain"], attr: { rank: 3, tags: ["a", null, true] } },
  resources: [{ resource: { kind: "ship", id: "s1" }, actions: ["view"] }],
};

async function both(check: (cerbos: RunningGrpcPeer) => Promise<void>): Promise<void> {
  await using cerbos = await startCerbos();
  await check(cerbos);
}

testInBothModes("Cerbos is discovered by reflection, machinery left out", async (mode) => {
  await both(async ({ grpcUrl }) => {
    await using fixture = await openFixture(mode, [grpcUrl]);
    const services = await fixture.discover(grpcUrl);
    deepStrictEqual(services.map(({ name }) => name), [
      "authzen.authorization.v1.AuthorizationService",
      "cerbos.svc.v1.CerbosAdminService",
      SERVICE,
      "envoy.service.status.v3.ClientStatusDiscoveryService",
    ]);
    const check = services.find(({ name }) => name === SERVICE)?.methods
      .find(({ name }) => name === "CheckResources");
    deepStrictEqual([check?.httpMethod, check?.httpPath, check?.methodType], [
      "POST",
      "/api/check/resources",
      "Unary",
    ]);
    ok(check?.inputType.fields.some(({ name }) => name === "principal"));
    const all = await fixture.discover(grpcUrl, { showInternal: true });
    ok(all.some(({ name }) => name === "grpc.health.v1.Health"));
  });
});

testInBothModes("Cerbos answers the same over gRPC and over REST", async (mode) => {
  await both(async ({ url, grpcUrl }) => {
    await using fixture = await openFixture(mode, [url, grpcUrl]);
    const answers = [
      await fixture.ask(grpcUrl, `${SERVICE}/CheckResources`, CHECK),
      await fixture.ask(url, "CerbosService/CerbosService_CheckResources", CHECK, {
        protocol: "rest",
      }),
    ];
    const [overGrpc, overRest] = answers.map((answer) => withoutCallId(answer));
    deepStrictEqual(overGrpc, overRest);
    match(JSON.stringify(overGrpc), /"EFFECT_DENY"/);
    const info = [
      await fixture.ask(grpcUrl, `${SERVICE}/ServerInfo`),
      await fixture.ask(url, "CerbosService/CerbosService_ServerInfo", {}, { protocol: "rest" }),
    ];
    deepStrictEqual(info[0], info[1]);
  });
});

/** Each call has an id of its own. */
function withoutCallId(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (name, value) => name === "cerbosCallId" ? 0 : value));
}

testInBothModes(
  "Cerbos' refusals come with their details, whose types it describes",
  async (mode) => {
    await both(async ({ grpcUrl }) => {
      await using fixture = await openFixture(mode, [grpcUrl]);
      const { status, ok, retryable, response } = await fixture.invoke(
        grpcUrl,
        `${SERVICE}/CheckResources`,
      );
      deepStrictEqual([status, ok, retryable], ["InvalidArgument", false, false]);
      const { code, details: [detail] } = JSON.parse(response ?? "{}");
      deepStrictEqual([code, detail["@type"]], [3, "type.googleapis.com/buf.validate.Violations"]);
      strictEqual(detail.violations[0].ruleId, "required");
    });
  },
);

testInBothModes("Cerbos' streams are open until they are let go, and end in time", async (mode) => {
  await both(async ({ grpcUrl }) => {
    await using fixture = await openFixture(mode, [grpcUrl]);
    const status = "envoy.service.status.v3.ClientStatusDiscoveryService/StreamClientStatus";
    const some = await fixture.stream(grpcUrl, status, [{}, {}]);
    strictEqual(some.end?.status, "OK");
    ok(some.frames.length >= 1);
    const health = await fixture.ask(grpcUrl, "grpc.health.v1.Health/Check", {}, {
      protocol: undefined, // found, though discovery hides it
    });
    deepStrictEqual(health, { status: "SERVING" });
    const watch = "grpc.health.v1.Health/Watch";
    const first = await fixture.stream(grpcUrl, watch, {}, { count: 1 });
    deepStrictEqual(first.frames, [{ status: "SERVING" }]);
    await rejects(fixture.stream(grpcUrl, watch, {}, { timeoutMs: 300 }), { code: "timeout" });
    const controller = new AbortController();
    const given = fixture.stream(grpcUrl, watch, {}, { signal: controller.signal });
    controller.abort();
    await rejects(given, { code: "cancelled" });
  });
});

testInBothModes("Cerbos is called over TLS of a private authority", async (mode) => {
  const authority = await makeAuthority("Harbour");
  const server = await authority.issue("cerbos");
  const tls = { ...server, authority: authority.certificate };
  await using cerbos = await startCerbos(tls);
  const { grpcUrl } = cerbos;
  await using fixture = await openFixture(mode, [grpcUrl]);
  const call = (settings: object) =>
    fixture.ask(grpcUrl, `${SERVICE}/ServerInfo`, {}, {
      metadata: { __bowireMtls__: JSON.stringify(settings) },
    });
  ok(await call({ caCertificate: authority.certificate }));
  ok(await call({ allowSelfSigned: true }));
  await rejects(call({}), { code: "unreachable", message: /certificate|issuer/i });
  const stranger = await makeAuthority("Pirates");
  await rejects(call({ caCertificate: stranger.certificate }), { code: "unreachable" });
});
