import { deepEqual, equal, match, ok } from "node:assert/strict";
import { assertPortable } from "../../adapter/fixture.ts";
import { json, openapi, serve } from "../../plugins/rest/fixture.ts";
import { ETCD_PROTOS, HAS_PEERS, runInspector, startCerbos, startEtcd } from "../../peers/peers.ts";
import { type Adapted, dataOf, errorOf, openAdapted } from "./fixture.ts";

const MODES = ["all", "search"] as const;
type Mode = (typeof MODES)[number];

const CHECK = {
  requestId: "r1",
  principal: { id: "anna", roles: ["captain"] },
  resources: [{ resource: { kind: "ship", id: "s1" }, actions: ["view"] }],
};
const OVER_REST = "CerbosService_CerbosService_CheckResources";
const OVER_GRPC = "cerbos_svc_v1_CerbosService_CheckResources";

function foreignTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore: !HAS_PEERS, fn });
}

/** Serves an API in both modes; the Inspector is to find nothing wrong with its list in either. */
async function inBothModes(
  args: readonly string[],
  check: (adapted: Adapted, mode: Mode) => Promise<void>,
  read: readonly string[] = [],
): Promise<void> {
  await Promise.all(MODES.map(async (mode) => {
    await using adapted = await openAdapted([...args, "--tools", mode], { read });
    const { agent, server } = adapted;
    const inspected = runInspector(
      ["--cli", server.url, "--strict", "--format", "json", "--method", "tools/list"],
    );
    const tools = await agent.tools();
    for (const { inputSchema } of [...tools.values()].slice(0, 100)) assertPortable(inputSchema);
    await check(adapted, mode);
    const { code, stdout, stderr } = await inspected;
    equal(code, 0, stdout + stderr);
    equal(JSON.parse(stdout).result.tools.length, tools.size);
  }));
}

/** Finds a method, reads about it, and calls it, as an agent does in either mode. */
async function use(
  { agent }: Adapted,
  { mode, name, query, args }: {
    mode: Mode;
    name: string;
    /** What the search is to find it by. */
    query: string;
    args: Record<string, unknown>;
  },
) {
  if (mode === "all") {
    ok((await agent.tools()).has(name), `${name} is not listed`);
    return await agent.call(name, args);
  }
  const { methods } = dataOf(await agent.call("find_methods", { query, limit: 5 }));
  const names = methods.map((method: { name: string }) => method.name);
  ok(names.includes(name), `"${query}" finds ${names}`);
  assertPortable(dataOf(await agent.call("describe_method", { name })).inputSchema);
  return await agent.call("call_method", { name, arguments: args });
}

foreignTest("Cerbos over REST is listed, searched and called by an agent", async () => {
  await using cerbos = await startCerbos();
  await inBothModes(["--url", `rest@${cerbos.url}`], async (adapted, mode) => {
    const about = { mode, name: OVER_REST, query: "check resources" };
    const checked = await use(adapted, { ...about, args: CHECK });
    deepEqual(dataOf(checked).results[0].actions, { view: "EFFECT_DENY" });
    const refused = await use(adapted, {
      ...about,
      args: { ...CHECK, principal: { id: "", roles: ["captain"] } },
    });
    const { httpStatus, retryable } = errorOf(refused);
    deepEqual([httpStatus, retryable], [400, false]);
    match(JSON.stringify(dataOf(refused).body), /principal/);
  });
});

foreignTest("Cerbos over gRPC is listed, searched and called by an agent", async () => {
  await using cerbos = await startCerbos();
  await inBothModes(["--url", cerbos.grpcUrl], async (adapted, mode) => {
    const about = { mode, name: OVER_GRPC, query: "CerbosService check resources" };
    const checked = await use(adapted, { ...about, args: CHECK });
    deepEqual(dataOf(checked).results[0].actions, { view: "EFFECT_DENY" });
    const refused = await use(adapted, { ...about, args: {} });
    deepEqual(errorOf(refused).status, "InvalidArgument");
    match(JSON.stringify(dataOf(refused).body), /violations/);
  });
});

foreignTest("Cerbos over REST and gRPC at once gives the same answer by two tools", async () => {
  await using cerbos = await startCerbos();
  const urls = ["--url", `rest@${cerbos.url}`, "--url", cerbos.grpcUrl];
  await inBothModes(urls, async (adapted, mode) => {
    const answers = await Promise.all([OVER_REST, OVER_GRPC].map(async (name) => {
      const query = name.replaceAll("_", " ");
      const { cerbosCallId: _, ...answer } = dataOf(
        await use(adapted, { mode, name, query, args: CHECK }),
      );
      return answer;
    }));
    deepEqual(answers[0], answers[1]);
    deepEqual(answers[0].results[0].actions, { view: "EFFECT_DENY" });
  });
});

foreignTest(
  "etcd, described by schema files, is listed, searched and called by an agent",
  async () => {
    await using etcd = await startEtcd();
    const args = ["--url", etcd.grpcUrl, "--proto", "rpc.proto", "-I", ETCD_PROTOS];
    await inBothModes(args, async (adapted, mode) => {
      const put = await use(adapted, {
        mode,
        name: "etcdserverpb_KV_Put",
        query: "put key",
        args: { key: btoa("ship"), value: btoa("Pequod") },
      });
      match(dataOf(put).header.revision, /^\d+$/);
      const read = await use(adapted, {
        mode,
        name: "etcdserverpb_KV_Range",
        query: "range of keys",
        args: { key: btoa("ship") },
      });
      deepEqual([dataOf(read).count, dataOf(read).kvs[0].value], ["1", btoa("Pequod")]);
      match(adapted.server.stderr(), /left out: 3 streaming$/m);
    }, [ETCD_PROTOS, await Deno.realPath(ETCD_PROTOS)]);
  },
);

/** A document with as many operations as GitHub's, and of such kinds. */
function likeGitHub() {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const string = { type: "string" };
  const parameters = [
    { name: "owner", in: "path", required: true, schema: string },
    { name: "per_page", in: "query", schema: { type: "integer", default: 30 } },
    { name: "sort", in: "query", schema: { type: "string", enum: ["created", "updated"] } },
  ];
  const ok = {
    200: { description: "ok", content: { "application/json": { schema: ref("Issue") } } },
  };
  const body = { oneOf: [ref("Issue"), { type: "array", items: string }, string] };
  const operations = Array.from({ length: 1223 }, (_, index) => {
    const name = index === 0 ? "issues/create" : `area${index % 40}/verb-${index}-of-things`;
    const operation = {
      operationId: name,
      tags: [name.split("/")[0]],
      summary: index === 0 ? "Create an issue" : `Do verb ${index}`,
      description: "What it does, and for whom. ".repeat(5),
      parameters,
      responses: ok,
    };
    const requestBody = {
      content: { "application/json": { schema: index === 0 ? ref("Issue") : body } },
    };
    return [
      `/o/{owner}/${index}`,
      index % 3 === 0 ? { post: { ...operation, requestBody } } : { get: operation },
    ] as const;
  });
  const properties = {
    title: { type: ["string", "null"] },
    parent: ref("Issue"),
    labels: { type: "array", items: { anyOf: [string, ref("Issue"), { type: "null" }] } },
  };
  const schemas = { Issue: { type: "object", required: ["title"], properties } };
  return openapi(Object.fromEntries(operations), { components: { schemas } });
}

foreignTest(
  "a document of 1,223 operations is listed, searched and called by an agent",
  async () => {
    await using site = serve({
      "/openapi.json": json(likeGitHub()),
      "/o/anna/0": json({ title: "first" }),
    });
    await inBothModes(["--url", site.url], async (adapted, mode) => {
      const made = await use(adapted, {
        mode,
        name: "issues_issues_create",
        query: "create an issue",
        args: { owner: "anna", title: "first", parent: { title: null } },
      });
      deepEqual(dataOf(made), { title: "first" });
    });
    const bodies = site.received.filter(({ path }) => path === "/o/anna/0").map(({ body }) => body);
    deepEqual(new Set(bodies), new Set(['{"title":"first","parent":{"title":null}}']));
  },
);
