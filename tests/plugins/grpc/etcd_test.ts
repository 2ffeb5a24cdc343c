import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { makeAuthority } from "../../protocol/certificates.ts";
import { ETCD_PROTOS, type RunningGrpcPeer, startEtcd } from "../../peers/peers.ts";
import { type Fixture, type Mode, openFixture, testInBothModes } from "./fixture.ts";

const KV = "etcdserverpb.KV";
const base64 = (text: string) => btoa(text);

/** etcd, with its schema read from the files of an npm package. */
async function withEtcd(
  mode: Mode,
  run: (etcd: RunningGrpcPeer, fixture: Fixture) => Promise<void>,
): Promise<void> {
  await using etcd = await startEtcd();
  await using fixture = await openFixture(mode, [etcd.grpcUrl], {
    allowedFileFolders: [ETCD_PROTOS],
  });
  await addSchema(fixture, etcd.grpcUrl);
  await run(etcd, fixture);
}

/** Adds etcd's messages for this run. */
async function addSchema({ host }: Fixture, url: string): Promise<void> {
  const files = { files: [`${ETCD_PROTOS}/rpc.proto`], roots: [ETCD_PROTOS] };
  const { bytes, services, remarks } = await host.caller.readSchema(
    { url, protocol: "grpc", ...files },
    new AbortController().signal,
  );
  deepStrictEqual(remarks, [
    '"rpc.proto" imports "./kv.proto": it is read as "kv.proto"',
    '"rpc.proto" imports "./auth.proto": it is read as "auth.proto"',
    '"rpc.proto" uses the option "(google.api.http)", which none of the files declares: it is left out',
  ]);
  await host.schemas.addForRun({ url, protocol: "grpc", services, content: bytes, ...files });
}

testInBothModes(
  "etcd, which does not describe itself, is discovered by its files",
  async (mode) => {
    await withEtcd(mode, async ({ grpcUrl }, fixture) => {
      const services = await fixture.discover(grpcUrl);
      deepStrictEqual(services.map(({ name }) => name), [
        "etcdserverpb.KV",
        "etcdserverpb.Watch",
        "etcdserverpb.Lease",
        "etcdserverpb.Cluster",
        "etcdserverpb.Maintenance",
        "etcdserverpb.Auth",
      ]);
      const kinds = services.flatMap(({ methods }) =>
        methods.filter(({ methodType }) => methodType !== "Unary")
          .map(({ fullName, methodType }) => `${fullName} ${methodType}`)
      );
      deepStrictEqual(kinds, [
        "etcdserverpb.Watch/Watch Duplex",
        "etcdserverpb.Lease/LeaseKeepAlive Duplex",
        "etcdserverpb.Maintenance/Snapshot ServerStreaming",
      ]);
    });
  },
);

testInBothModes("etcd keeps what it is given, numbers of 64 bits exact", async (mode) => {
  await withEtcd(mode, async ({ grpcUrl }, fixture) => {
    const key = base64("ship");
    await fixture.ask(grpcUrl, `${KV}/Put`, { key, value: base64("Pequod") });
    const { kvs, count } = Object(await fixture.ask(grpcUrl, `${KV}/Range`, { key }));
    deepStrictEqual([count, kvs[0].value, typeof kvs[0].modRevision], [
      "1",
      base64("Pequod"),
      "string",
    ]);
    const lease = "9007199254740993";
    const granted = await fixture.ask(
      grpcUrl,
      "etcdserverpb.Lease/LeaseGrant",
      `{"ID": ${lease}, "TTL": "60"}`,
    );
    deepStrictEqual(Object(granted).ID, lease);
    const { status, response } = await fixture.invoke(grpcUrl, `${KV}/Put`, {});
    strictEqual(status, "InvalidArgument");
    match(response ?? "", /key is not provided/);
  });
});

testInBothModes("etcd's snapshot comes in a stream from the server", async (mode) => {
  await withEtcd(mode, async ({ grpcUrl }, fixture) => {
    const { frames, end } = await fixture.stream(grpcUrl, "etcdserverpb.Maintenance/Snapshot");
    strictEqual(end?.status, "OK");
    const sizes = frames.map((frame) => atob(Object(frame).blob ?? "").length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    ok(total > 10_000, `${total}`);
  });
});

testInBothModes("etcd is watched both ways while it is written to", async (mode) => {
  await withEtcd(mode, async ({ grpcUrl }, fixture) => {
    const { caller } = fixture.host;
    const key = base64("watched");
    const frames = caller.subscribe({
      url: grpcUrl,
      service: "etcdserverpb.Watch",
      method: "Watch",
      protocol: "grpc",
      messages: [JSON.stringify([{ createRequest: { key } }])],
      keepsOpen: true,
    }, new AbortController().signal);
    const next = async () => {
      const { done, value } = await frames.next();
      return done === true ? undefined : JSON.parse(value.data ?? "null");
    };
    strictEqual((await next()).created, true);
    for (const value of ["one", "two"]) {
      await fixture.ask(grpcUrl, `${KV}/Put`, { key, value: base64(value) });
      const { events: [event] } = await next();
      deepStrictEqual([event.kv.key, event.kv.value], [key, base64(value)]);
    }
    await frames.return();
  });
});

testInBothModes("etcd's open watch ends at its deadline", async (mode) => {
  await withEtcd(mode, async ({ grpcUrl }, fixture) => {
    const watching = fixture.stream(grpcUrl, "etcdserverpb.Watch/Watch", {
      createRequest: { key: base64("k") },
    }, { keepsOpen: true, timeoutMs: 300 });
    await rejects(watching, { code: "timeout", message: /within 300 ms/ });
  });
});

testInBothModes("etcd asks for a certificate, and takes one of its authority", async (mode) => {
  const authority = await makeAuthority("Harbour");
  const [server, client] = [await authority.issue("etcd"), await authority.issue("captain")];
  await using etcd = await startEtcd({ ...server, authority: authority.certificate });
  const { grpcUrl } = etcd;
  await using fixture = await openFixture(mode, [grpcUrl], { allowedFileFolders: [ETCD_PROTOS] });
  await addSchema(fixture, grpcUrl);
  const call = (identity: object) =>
    fixture.ask(grpcUrl, `${KV}/Range`, { key: base64("k") }, {
      metadata: {
        __bowireMtls__: JSON.stringify({ caCertificate: authority.certificate, ...identity }),
      },
    });
  ok(await call(client));
  await rejects(call({}), { code: "unreachable" });
  const stranger = await (await makeAuthority("Pirates")).issue("captain");
  await rejects(call(stranger), { code: "unreachable" });
});
