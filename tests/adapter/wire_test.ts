import { deepEqual, equal, match } from "node:assert/strict";
import { createEndpoint } from "../../lib/mcp/mod.ts";
import type { AdapterOptions } from "../../lib/adapter/mod.ts";
import { clientTest, connectClient } from "../fakes/clients.ts";
import { serveLocal } from "../fakes/rooms.ts";
import { HAS_PEERS, runInspector } from "../peers/peers.ts";
import { openAdapter } from "./fixture.ts";
import { openShop } from "./shop.ts";

/** An adapter over a shop, served to clients. */
async function serveShop(options: Partial<AdapterOptions> = {}) {
  await using stack = new AsyncDisposableStack();
  const shop = stack.use(openShop());
  const bench = stack.use(await openAdapter({ urls: [shop.url], ...options }));
  const endpoint = createEndpoint(bench.adapter);
  stack.defer(() => endpoint.close());
  const { url } = stack.use(
    serveLocal((request) => endpoint.fetch(request, { principal: "" })),
  );
  const kept = stack.move();
  return { url: `${url}/mcp`, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

for (const kind of ["sdk 1", "sdk 2 legacy", "sdk 2 auto", "sdk 2 pinned"] as const) {
  clientTest(kind, "lists and calls the methods of an API, good answers and bad", async () => {
    await using served = await serveShop({ outputSchemas: true });
    await using client = await connectClient(kind, { kind: "http", url: served.url });
    const tools = await client.listTools();
    deepEqual(tools.map(({ name }) => name).slice(0, 2), ["media_getPhoto", "pets_createPet"]);
    const made = await client.callTool("pets_createPet", { name: "Rex" });
    deepEqual(made.structuredContent, { id: 1, name: "Rex" });
    const unfit = await client.callTool("pets_getPet", { petId: "7" });
    match(unfit.content[0]?.text ?? "", /^\{"id":9007199254740993,"name":7\}$/);
    equal("name" in unfit.structuredContent, false);
    const gone = await client.callTool("pets_getPet", { petId: "gone" });
    equal(gone.isError, true);
    equal(gone.structuredContent.error.httpStatus, 404);
  });
}

for (const tools of ["all", "search"] as const) {
  Deno.test({
    name: `the inspector finds no error in the schemas of an adapter (${tools})`,
    ignore: !HAS_PEERS,
    async fn() {
      await using served = await serveShop({ outputSchemas: true, tools });
      const { code, stdout, stderr } = await runInspector(
        ["--cli", served.url, "--strict", "--format", "json", "--method", "tools/list"],
      );
      equal(code, 0, stderr);
      equal(JSON.parse(stdout).result.tools.length, tools === "all" ? 5 : 3);
    },
  });
}
