import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Host, type HostOptions } from "../../lib/host/mod.ts";
import {
  discoverTool,
  invokeTool,
  runTool,
  schemaAdd,
  schemaList,
  schemaRemove,
  type Tool,
} from "../../lib/server/mod.ts";
import { Home } from "../fakes/home.ts";
import { plugins } from "./desk.ts";

const ALLOWED = "http://127.0.0.1:9/";
const WORKER = new URL("./worker.ts", import.meta.url);

/** A host with a folder of schema files, in this thread. */
async function openDesk(options: HostOptions = {}) {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await Home.make());
  await Deno.mkdir(home.file("workspaces/files/sub"), { recursive: true });
  await home.put("workspaces/files/shop.desk", "service shop.Orders\nimport sub/more.desk\n");
  await home.put("workspaces/files/sub/more.desk", "service shop.More\n");
  await home.put("workspaces/files/a.both", "service Both\n");
  await home.put("workspaces/files/a.txt", "service Text\n");
  await home.put("secret.desk", "service Secret\n");
  const host = stack.use(
    await Host.open({
      requireConfirmationForMutations: false,
      allowedServerUrls: [ALLOWED],
      sandbox: "none",
      ...options,
    }, { home: home.path, plugins, worker: WORKER, now: () => 0 }),
  );
  const owned = stack.move();
  /** Runs a tool; gives its data, or its error. */
  // deno-lint-ignore no-explicit-any -- each test knows what it asked for
  const run = async (tool: Tool, args: Record<string, unknown>): Promise<any> => {
    const outcome = await runTool(host, tool, {
      name: tool.description.name,
      arguments: args,
      signal: new AbortController().signal,
      principal: "a test",
      mayAsk: false,
    });
    ok(outcome.kind === "result");
    return outcome.data;
  };
  return { home, host, run, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

for (const sandbox of ["none", "worker"] as const) {
  Deno.test(`bowire.schema.add describes a URL and all below, sandbox ${sandbox}`, async () => {
    await using desk = await openDesk({ sandbox });
    const before = await desk.run(discoverTool, { url: ALLOWED });
    strictEqual(before.error.code, "not_discovered");
    match(before.error.hint, /bowire\.schema\.add/);
    const added = await desk.run(schemaAdd, {
      url: `desk@${ALLOWED}v1?key=CANARY`,
      files: ["shop.desk"],
      importPaths: ["none", "."],
    });
    match(added.id, /^[0-9a-f]{64}$/);
    deepStrictEqual(added, {
      id: added.id,
      url: `${ALLOWED}v1`,
      protocol: "desk",
      serviceCount: 2,
      services: ["shop.Orders", "shop.More"],
      remarks: [],
      replaced: false,
    });
    for (const path of ["v1", "v1/", "v1/x?y#z"]) {
      const found = await desk.run(discoverTool, { url: ALLOWED + path, protocol: "desk" });
      deepStrictEqual(
        found.services.map(({ service }: { service: string }) => service),
        ["shop.Orders", "shop.More"],
        path,
      );
      const call = { url: ALLOWED + path, service: "shop.Orders", method: "sit" };
      const { response } = await desk.run(invokeTool, { ...call, protocol: "desk" });
      deepStrictEqual(JSON.parse(response).services, ["shop.Orders", "shop.More"]);
    }
    for (const path of ["", "v", "v12", "v2/v1"]) {
      const { error } = await desk.run(discoverTool, { url: ALLOWED + path, protocol: "desk" });
      strictEqual(error.code, "not_discovered", path);
    }
  });
}

Deno.test("bowire.schema.add replaces what was kept of the same files, and counts from newest", async () => {
  await using desk = await openDesk();
  const add = (...files: string[]) => desk.run(schemaAdd, { url: ALLOWED, files });
  await add("shop.desk");
  await add("sub/more.desk");
  await desk.home.put("workspaces/files/shop.desk", "service shop.New\n");
  strictEqual((await add("shop.desk")).replaced, true);
  const { services } = await desk.run(discoverTool, { url: ALLOWED });
  deepStrictEqual(services.map(({ service }: { service: string }) => service), [
    "shop.New",
    "shop.More",
  ]);
});

Deno.test("bowire.schema.add finds the protocol by hint, name, endings and folders", async () => {
  await using desk = await openDesk();
  const protocolOf = async (url: string, files: string[], protocol?: string) => {
    const { protocol: used, error } = await desk.run(schemaAdd, {
      url,
      files,
      ...(protocol === undefined ? {} : { protocol }),
    });
    return used ?? error;
  };
  strictEqual(await protocolOf(ALLOWED, ["sub/more.desk"]), "desk");
  strictEqual(await protocolOf(ALLOWED, ["sub"]), "desk");
  strictEqual(await protocolOf(`lamp@${ALLOWED}`, ["a.both"]), "desk");
  strictEqual(await protocolOf(ALLOWED, ["a.txt"], "desk"), "desk");
  const several = await protocolOf(ALLOWED, ["a.both"]);
  match(several.message, /cannot add the schema "a\.both": several protocols read such files/);
  match(several.hint, /desk reads \.desk \.deskset \.both; shelf reads \.shelf \.both/);
  const none = await protocolOf(ALLOWED, ["a.txt", "shop.desk"]);
  match(none.message, /cannot add the schema "a\.txt", "shop\.desk": no protocol reads such files/);
  strictEqual((await protocolOf(ALLOWED, ["x"], "pigeon")).code, "unknown_protocol");
  match((await protocolOf(ALLOWED, ["shop.desk"], "plain")).message, /reads no schema files/);
});

Deno.test("bowire.schema.add tells what is missing, and keeps nothing that cannot be read", async () => {
  await using desk = await openDesk();
  const { services, remarks } = await desk.run(schemaAdd, { url: ALLOWED, files: ["shop.desk"] });
  deepStrictEqual([services, remarks], [["shop.Orders"], ['"sub/more.desk" was not found']]);
  await desk.run(schemaRemove, { url: ALLOWED });
  await desk.home.put("workspaces/files/bad.desk", "nonsense here\n");
  const { error } = await desk.run(schemaAdd, { url: ALLOWED, files: ["bad.desk"] });
  strictEqual(error.code, "bad_document");
  deepStrictEqual((await desk.run(schemaList, {})).schemas, []);
});

for (
  const path of ["../../secret.desk", "/etc/passwd", "%2e%2e/x.desk", "x\0.desk", "..", "nowhere"]
) {
  Deno.test(`C98 bowire.schema.add does not read ${JSON.stringify(path)}`, async () => {
    await using desk = await openDesk();
    for (const protocol of [{}, { protocol: "desk" }]) {
      const { error } = await desk.run(schemaAdd, { url: ALLOWED, files: [path], ...protocol });
      ok(["file_failed", "invalid_argument"].includes(error.code), error.message);
    }
    const roots = { files: ["shop.desk"], importPaths: [path] };
    const { services } = await desk.run(schemaAdd, { url: ALLOWED, ...roots });
    deepStrictEqual(services, ["shop.Orders"]);
  });
}

Deno.test("bowire.schema.add asks with the files and the URL, and refuses before it asks", async () => {
  await using desk = await openDesk({ requireConfirmationForMutations: true });
  const args = { url: `desk@${ALLOWED}v1`, files: ["shop.desk", "sub"] };
  const { pending, plan, confirmationToken } = await desk.run(schemaAdd, args);
  strictEqual(pending, true);
  match(
    plan,
    /"shop\.desk", "sub" and keep .* of http:\/\/127\.0\.0\.1:9\/v1 and everything below/,
  );
  deepStrictEqual((await desk.run(schemaList, {})).schemas, []);
  const done = await desk.run(schemaAdd, { ...args, confirmationToken });
  strictEqual(done.url, `${ALLOWED}v1`);
  for (
    const [change, code] of [
      [{ url: "http://elsewhere/" }, "url_not_allowed"],
      [{ files: [] }, "invalid_argument"],
      [{ protocol: "pigeon" }, "unknown_protocol"],
    ] as const
  ) {
    strictEqual((await desk.run(schemaAdd, { ...args, ...change })).error.code, code);
  }
});

Deno.test("bowire.schema.list shows all, or those that describe a URL", async () => {
  await using desk = await openDesk();
  const { id } = await desk.run(schemaAdd, { url: `${ALLOWED}v1`, files: ["sub"] });
  const { path, schemas } = await desk.run(schemaList, {});
  strictEqual(path, desk.home.file("schemas.json"));
  deepStrictEqual(schemas, [{
    id,
    url: `${ALLOWED}v1`,
    protocol: "desk",
    files: ["sub"],
    serviceCount: 1,
    services: ["shop.More"],
    addedAt: "1970-01-01T00:00:00.000Z",
    bytes: 13,
  }]);
  const countFor = async (url: string) => (await desk.run(schemaList, { url })).schemas.length;
  strictEqual(await countFor(`desk@${ALLOWED}v1/x`), 1);
  strictEqual(await countFor(ALLOWED), 0);
});

Deno.test("bowire.schema.remove forgets by id or URL, and asks first", async () => {
  await using desk = await openDesk({ requireConfirmationForMutations: true });
  const add = async () => {
    const args = { url: ALLOWED, files: ["sub"] };
    const { confirmationToken } = await desk.run(schemaAdd, args);
    return await desk.run(schemaAdd, { ...args, confirmationToken });
  };
  const { id } = await add();
  const byId = await desk.run(schemaRemove, { id: id.slice(0, 8) });
  match(byId.plan, /^Forget the schema "[0-9a-f]{8}" \(listed in /);
  const { confirmationToken } = byId;
  const { removed } = await desk.run(schemaRemove, { id: id.slice(0, 8), confirmationToken });
  deepStrictEqual(removed, [{ id, url: ALLOWED, protocol: "desk" }]);
  const byUrl = await desk.run(schemaRemove, { url: `desk@${ALLOWED}?x` });
  match(byUrl.plan, /^Forget all schemas of http:\/\/127\.0\.0\.1:9\/ \(/);
  const gone = await desk.run(schemaRemove, {
    url: `desk@${ALLOWED}?x`,
    confirmationToken: byUrl.confirmationToken,
  });
  strictEqual(gone.error.code, "not_found");
  strictEqual((await desk.run(schemaRemove, {})).error.code, "invalid_argument");
});

Deno.test("a broken schemas.json stops no call that needs no schema", async () => {
  await using desk = await openDesk();
  await desk.home.put("schemas.json", "{");
  const call = { url: ALLOWED, service: "", method: "x", protocol: "desk" };
  strictEqual((await desk.run(invokeTool, call)).status, "OK");
  strictEqual((await desk.run(schemaList, {})).error.code, "broken_file");
  strictEqual(await desk.home.read("schemas.json"), "{");
});

Deno.test("bowire.discover adds definitions when it is asked for them", async () => {
  await using desk = await openDesk();
  await desk.run(schemaAdd, { url: ALLOWED, files: ["sub"] });
  const methodsFor = async (more: object) =>
    (await desk.run(discoverTool, { url: ALLOWED, ...more })).services[0].methods;
  const [plain] = await methodsFor({ service: "shop.More", method: "sit" });
  deepStrictEqual([plain.definition, plain.sample], [undefined, { on: true }]);
  const [one] = await methodsFor({ method: "sit", definition: true });
  const definition = { language: "desk", text: "service shop.More\n  common\n" };
  deepStrictEqual(one.definition, definition);
  const all = await methodsFor({ service: "shop.More", definition: true });
  deepStrictEqual(all.map((method: { definition: unknown }) => method.definition), [
    definition,
    definition,
  ]);
});
