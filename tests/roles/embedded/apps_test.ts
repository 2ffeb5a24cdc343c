/** APIs of the embedding process as targets: `app://NAME`. */
import { deepStrictEqual, doesNotMatch, match, rejects, strictEqual } from "node:assert/strict";
import { Hono } from "hono";
import { type App, type Apps, BowireError, createBowire } from "../../../mod.ts";
import { createHarbour } from "../../../samples/rest_target/server.ts";
import { within } from "../../fakes/deadline.ts";
import { Home } from "../../fakes/home.ts";
import { moduleUrl, rejectionOf, runModule } from "../../fakes/rooms.ts";

const SHIP = { service: "Ships", method: "getShip", messages: ['{"shipId":9007199254740993}'] };

/** One method, `greet`, of the service `Greetings`. */
const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Greeter", version: "1" },
  servers: [{ url: "https://greeter.example/v1/" }],
  paths: {
    "/greet": {
      get: {
        operationId: "greet",
        tags: ["Greetings"],
        responses: { 200: { description: "a greeting" } },
      },
    },
  },
};
const DOCUMENT_YAML = `openapi: 3.1.0
info: { title: Greeter, version: "1" }
paths:
  /v1/greet:
    get: { operationId: greet, tags: [Greetings], responses: { 200: { description: hi } } }
`;
const GREET = { url: "app://greeter", service: "Greetings", method: "greet", messages: [] };

function greeter(): Hono {
  const app = new Hono();
  app.get("/v1/greet", (context) => context.json({ greeting: `from ${context.req.url}` }));
  app.get("/docs/api.yaml", (context) => context.text(DOCUMENT_YAML));
  return app;
}

async function withApps<T>(
  apps: Apps,
  use: (bowire: Awaited<ReturnType<typeof createBowire>>) => Promise<T>,
): Promise<T> {
  await using home = await Home.make();
  await using bowire = await createBowire({ home: home.path, apps });
  return await use(bowire);
}

/** An answer of an app to a plain GET. */
function get(fetch: App["fetch"], { path = "/", timeoutMs = 10_000 } = {}) {
  return withApps(
    { it: { fetch } },
    (bowire) =>
      bowire.invoke({
        url: `app://it${path}`,
        service: "",
        method: "GET",
        messages: [],
        timeoutMs,
      }),
  );
}

Deno.test("an app is discovered and called in a process without net permission", async () => {
  await using home = await Home.make();
  const { code, stdout, stderr } = await runModule(
    `
    import { createBowire } from "${moduleUrl("mod.ts")}";
    import { createHarbour } from "${moduleUrl("samples/rest_target/server.ts")}";
    const apps = { harbour: { fetch: createHarbour() } };
    const bowire = await createBowire({ home: ${JSON.stringify(home.path)}, apps });
    const { services } = await bowire.discover("app://harbour");
    const { invocation } = await bowire.invoke({ url: "app://harbour", ...${
      JSON.stringify(SHIP)
    } });
    console.log(services.map(({ name }) => name).join(), invocation.response.slice(0, 24));
    await bowire.close();
    `,
    ["--allow-read", `--allow-write=${home.path}`, "--allow-env"],
  );
  deepStrictEqual([code, stderr], [0, ""]);
  strictEqual(stdout, 'Ships,Berths,Bookings,Harbour {"id":9007199254740993,"\n');
});

for (
  const [form, openapi] of [
    ["an object", DOCUMENT],
    ["JSON text", JSON.stringify(DOCUMENT)],
    ["YAML text", DOCUMENT_YAML],
    ["a path", "/docs/api.yaml"],
  ] as const
) {
  Deno.test(`an app's document is given as ${form}, whatever host it names`, () =>
    withApps({ greeter: { fetch: greeter().fetch, openapi } }, async (bowire) => {
      const { invocation } = await bowire.invoke(GREET);
      strictEqual(invocation.response, '{"greeting":"from http://greeter/v1/greet"}');
    }));
}

Deno.test("an app is a target for agents, and its methods are tools", () =>
  withApps({ harbour: { fetch: createHarbour() } }, async (bowire) => {
    const own = await callTool(bowire.mcp, "bowire.discover", { url: "app://harbour" });
    match(own, /getShip/);
    await bowire.withMcpAdapter("app://harbour");
    const adapted = await callTool(
      async (request) => await bowire.fetch(request) ?? Response.error(),
      "Ships_getShip",
      { shipId: 7 },
      "/bowire/mcp/adapter",
    );
    match(adapted, /ship 7 is not known/);
  }));

async function callTool(
  serve: (request: Request) => Promise<Response>,
  name: string,
  args: unknown,
  path = "/bowire/mcp",
): Promise<string> {
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  };
  const response = await serve(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: {
        host: "localhost",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(message),
    }),
  );
  return await response.text();
}

Deno.test("an endless event stream of an app is read to the limit, and let go of", async () => {
  const gone = Promise.withResolvers<unknown>();
  const chunk = new TextEncoder().encode("data: tick\n\n".repeat(5000)); // the same memory each time
  const body = () => new ReadableStream({ pull: (to) => to.enqueue(chunk), cancel: gone.resolve });
  const headers = { "content-type": "text/event-stream" };
  const { invocation } = await get(() => new Response(body(), { headers }));
  match(invocation.response ?? "", /^(data: tick\n\n){5001}/);
  await within(gone.promise, "the app to hear of it");
});

Deno.test("an app that throws answers 500, and what it threw is not told", async () => {
  const { invocation } = await get(() => {
    throw new Error("password hunter2 was refused");
  });
  strictEqual(invocation.metadata["http_status"], "500");
  doesNotMatch(JSON.stringify(invocation), /hunter2/);
});

Deno.test("an app that gives no response answers 500", async () => {
  const { invocation } = await get(() => Response.error());
  strictEqual(invocation.metadata["http_status"], "500");
});

Deno.test("an app that never answers ends with the call's time, and hears of it", async () => {
  const aborted = Promise.withResolvers<void>();
  const refusal = await rejectionOf(get((request) => {
    request.signal.addEventListener("abort", () => aborted.resolve());
    return new Promise(() => {});
  }, { timeoutMs: 50 }));
  strictEqual(refusal.code, "timeout");
  match(refusal.message, /no answer from "app:\/\/it\/" within 50 ms/);
  await within(aborted.promise, "the app to hear of it");
});

Deno.test("a body that never ends is not waited for longer than the call", async () => {
  const gone = Promise.withResolvers<unknown>();
  const body = () => new ReadableStream({ cancel: gone.resolve });
  const refusal = await rejectionOf(get(() => new Response(body()), { timeoutMs: 50 }));
  strictEqual(refusal.code, "timeout");
  await within(gone.promise, "the app to hear of it");
});

Deno.test("a body beyond the limit is refused", async () => {
  const refusal = await rejectionOf(get(() => new Response(new Uint8Array(17 * 1024 * 1024))));
  strictEqual(refusal.code, "too_large");
});

Deno.test("an app may redirect to itself by the URL that it was called by", async () => {
  const { invocation } = await get((request) => {
    const { pathname } = new URL(request.url);
    return pathname === "/"
      ? Response.redirect(new URL("/there?x=1#y", request.url))
      : new Response(`${request.url} of ${request.headers.get("host")}`);
  });
  strictEqual(invocation.response, "http://it/there?x=1 of it");
});

Deno.test("an app leads nowhere but to apps, not even to what is allowed", async () => {
  await using home = await Home.make();
  await using bowire = await createBowire({
    home: home.path,
    allowedServerUrls: ["http://127.0.0.1:9"],
    apps: { it: { fetch: () => Response.redirect("http://127.0.0.1:9/secret") } },
  });
  const call = bowire.invoke({ url: "app://it", service: "", method: "GET", messages: [] });
  const refusal = await rejectionOf(call);
  match(refusal.message, /"http:\/\/127.0.0.1:9\/secret" from an app: only apps are reached/);
});

Deno.test("an app is not dialled by protocols with sockets of their own", () =>
  withApps({ it: { fetch: () => new Response() } }, async (bowire) => {
    const { services, attempts } = await bowire.discover("grpc@app://it");
    strictEqual(services.length, 0);
    match(JSON.stringify(attempts), /no socket leads there/);
  }));

Deno.test("an app that was not named is not on the allowlist", () =>
  withApps({ it: { fetch: () => new Response() } }, async (bowire) => {
    await rejects(bowire.discover("app://other"), isError("url_not_allowed"));
  }));

Deno.test("where everything is allowed, an unknown app is told with those that are known", async () => {
  await using home = await Home.make();
  const apps = { it: { fetch: () => new Response() } };
  await using bowire = await createBowire({ home: home.path, allowArbitraryUrls: true, apps });
  const call = bowire.invoke({ url: "app://other", service: "", method: "GET", messages: [] });
  const { code, message, hint } = await rejectionOf(call);
  deepStrictEqual([code, message, hint], [
    "not_found",
    'cannot reach "app://other/": there is no app of that name',
    "known are: app://it",
  ]);
});

for (
  const [what, apps, wanted] of [
    ["a name that is no host", { "My API": { fetch: () => new Response() } }, /name "My API"/],
    ["a document that is neither path nor document", {
      it: { fetch: () => new Response(), openapi: "openapi.json" },
    }, /"openapi.json" is neither a path nor a document/],
  ] as const
) {
  Deno.test(`createBowire refuses an app with ${what}`, async () => {
    const refusal = await rejectionOf(withApps(apps, () => Promise.resolve()));
    strictEqual(refusal.code, "usage");
    match(refusal.message, wanted);
  });
}

Deno.test("an MCP server of this process is a target like any other", async () => {
  await using home = await Home.make();
  await using inner = await createBowire({ home: home.path, hostNames: ["inner"] });
  const fetch = async (request: Request) =>
    await inner.fetch(request) ?? new Response(null, { status: 404 });
  await withApps({ inner: { fetch } }, async (bowire) => {
    const { services } = await bowire.discover("app://inner/bowire/mcp");
    match(JSON.stringify(services), /bowire\.discover/);
  });
});

function isError(code: string): (thrown: unknown) => boolean {
  return (thrown) => thrown instanceof BowireError && thrown.code === code;
}
