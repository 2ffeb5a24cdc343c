import { deepEqual, equal, match } from "node:assert/strict";
import { PATHS } from "../../adapter/shop.ts";
import { Home } from "../../fakes/home.ts";
import { json, openapi, serve, type Site } from "../../plugins/rest/fixture.ts";
import { Agent, errorOf, goodText, openAdapted, rediscover } from "./fixture.ts";

/** A shop whose document can be changed. */
function openChangingShop() {
  let paths: Readonly<Record<string, unknown>> = PATHS;
  const site = serve({
    "/openapi.json": (request) => json(openapi(paths))(request),
  }, json({ id: 1 }));
  return {
    ...site,
    change: (more: Readonly<Record<string, unknown>>) => paths = { ...PATHS, ...more },
  };
}

const VISITS = {
  "/visits": { get: { operationId: "listVisits", tags: ["visits"], responses: {} } },
};
const HOOKS = { "/pets": { ...PATHS["/pets"], put: { operationId: "putPets", tags: ["pets"] } } };

/** Asks for all that a client of 2026-07-28 can hear; an older one hears it unasked. */
async function listen({ client }: Agent): Promise<void> {
  if (client.getNegotiatedProtocolVersion() !== "2026-07-28") return;
  await client.listen({ toolsListChanged: true, resourcesListChanged: true });
}

const ERAS = ["legacy", "modern"] as const;

Deno.test("a POST has the API looked at again, and clients hear of what changed", async () => {
  await using shop = openChangingShop();
  await using adapted = await openAdapted(["--url", shop.url]);
  const { server } = adapted;
  await using stack = new AsyncDisposableStack();
  const agents = await Promise.all(ERAS.map(async (era) => {
    const agent = stack.use(await Agent.overHttp(server.url, { era }));
    await listen(agent);
    return agent;
  }));
  const { changed, missed, tools, digest, ...figures } = await rediscover(server);
  deepEqual([changed, missed, tools, figures.mode], [false, [], 5, "all"]);
  equal(figures.tokens, Math.ceil(figures.bytes / 4));
  shop.change(VISITS);
  const second = await rediscover(server);
  deepEqual([second.changed, second.tools, second.digest === digest], [true, 6, false]);
  for (const agent of agents) {
    // Nothing was told when nothing had changed.
    deepEqual(await agent.untilTold(2), ["tools", "resources"]);
    goodText(await agent.call("visits_listVisits"));
    equal(shop.received.at(-1)?.path, "/visits");
  }
  shop.change({});
  await rediscover(server);
  for (const agent of agents) {
    await agent.untilTold(4);
    equal((await agent.tools()).has("visits_listVisits"), false);
  }
  match(server.stderr(), /tools changed; new: "?visits_listVisits.*\n.*gone: "?visits_listVisits/);
});

Deno.test("clients are told of the lists that changed, and not of others", async () => {
  await using shop = openChangingShop();
  await using adapted = await openAdapted(["--url", shop.url]);
  await listen(adapted.agent);
  shop.change({ "/pets": { ...PATHS["/pets"], get: { ...PATHS["/pets"].get, summary: "Anew." } } });
  equal((await rediscover(adapted.server)).changed, true);
  deepEqual(await adapted.agent.untilTold(1), ["tools"]);
  shop.change(HOOKS);
  equal((await rediscover(adapted.server)).tools, 6);
  deepEqual(await adapted.agent.untilTold(3), ["tools", "tools", "resources"]);
});

Deno.test("--rediscover looks again on its own, and clients over stdio hear of it", async () => {
  await Promise.all(ERAS.map(async (era) => {
    await using home = await Home.make();
    await using shop = openChangingShop();
    const args = ["--url", shop.url, "--rediscover", "1"];
    await using agent = await Agent.overStdio(home, args, { era });
    await listen(agent);
    equal((await agent.tools()).size, 5);
    shop.change(VISITS);
    deepEqual(await agent.untilTold(2), ["tools", "resources"]);
    equal((await agent.tools()).size, 6);
  }));
});

Deno.test("a search stays the same list whatever it searches", async () => {
  await using shop = openChangingShop();
  await using adapted = await openAdapted(["--url", shop.url, "--tools", "search"]);
  const { agent, server } = adapted;
  await listen(agent);
  shop.change(VISITS);
  const { changed, methods, tools } = await rediscover(server);
  deepEqual([changed, methods, tools], [true, 6, 3]);
  deepEqual(await agent.untilTold(1), ["resources"]);
  goodText(await agent.call("call_method", { name: "visits_listVisits" }));
});

/** Serves at a port of one's own choice, to come back where something was. */
function serveAt(port: number): AsyncDisposable {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, onListen() {} },
    (request) =>
      new URL(request.url).pathname === "/openapi.json"
        ? Response.json(openapi(PATHS))
        : Response.json([]),
  );
  return { [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("an API that is down keeps its tools, and its calls may be tried again", async () => {
  const site: Site = serve({ "/openapi.json": json(openapi(PATHS)) }, json([]));
  const { port } = new URL(site.url);
  await using adapted = await openAdapted(["--url", site.url]);
  const { agent, server } = adapted;
  goodText(await agent.call("pets_listPets"));
  await site[Symbol.asyncDispose]();
  const { code, retryable, message } = errorOf(await agent.call("pets_listPets"));
  deepEqual([code, retryable], ["unreachable", true]);
  match(message, /cannot reach "http:\/\/127\.0\.0\.1:\d+\/pets"/);
  const { changed, missed } = await rediscover(server);
  deepEqual([changed, missed.length, missed[0].url], [false, 1, site.url]);
  match(missed[0].reason, /found no API at .*Connection refused/i);
  match(server.stderr(), /stays as it was: /);
  equal((await agent.tools()).size, 5);
  await using _back = serveAt(Number(port));
  goodText(await agent.call("pets_listPets"));
  equal((await rediscover(server)).changed, false);
});

Deno.test("of several APIs the one that is down keeps its tools, the others are looked at", async () => {
  await using shop = openChangingShop();
  const site: Site = serve({
    "/openapi.json": json(openapi({ "/x": { get: { operationId: "x", tags: ["x"] } } })),
  });
  await using adapted = await openAdapted(["--url", shop.url, "--url", site.url]);
  equal((await adapted.agent.tools()).size, 6);
  await site[Symbol.asyncDispose]();
  shop.change(VISITS);
  const { changed, tools, missed } = await rediscover(adapted.server);
  deepEqual([changed, tools, missed.map(Object.keys)], [true, 7, [["url", "reason"]]]);
  equal((await adapted.agent.tools()).has("x_x"), true);
});
