import { rejects, strictEqual } from "node:assert/strict";
import { Caller } from "../../lib/call/mod.ts";
import { Registry } from "../../lib/protocol/mod.ts";
import { makeFolder, serveLocal } from "../fakes/rooms.ts";
import { ATTEMPTS, type Ground } from "./attempts.ts";
import { openFixture } from "./fixture.ts";
import { plugins } from "./plugins.ts";

/** Only the guarded context stands in the way of these, wherever the plugin runs. */
const GUARDED = ["the context, to a URL off the list", "the context, by a redirect"];
/** What these reach outside the worker depends on the machine, and on how the tests are run. */
const OF_THE_MACHINE = [
  "a DNS query",
  "a native library",
  "a socket of the main thread, by its number",
  "a stream of the main thread, by its number",
  "an import over the network",
  "standard input",
];

/** A listener that counts who came, and gives everybody the same answer. */
function listen(): Disposable & { readonly port: number; readonly connections: () => number } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let connections = 0;
  const serving = (async () => {
    for await (const connection of listener) {
      connections++;
      answer(connection).catch(() => {}); // whoever came has gone again
    }
  })();
  serving.catch(() => {});
  return {
    port: listener.addr.port,
    connections: () => connections,
    [Symbol.dispose]: () => listener.close(),
  };
}

const ANSWER = "HTTP/1.1 200 OK\r\ncontent-type: text/javascript\r\ncontent-length: 0\r\n\r\n";

async function answer(connection: Deno.TcpConn): Promise<void> {
  using _ = connection;
  await connection.read(new Uint8Array(4096));
  await connection.write(new TextEncoder().encode(ANSWER));
}

/** Everything that the attempts need. */
async function openGround() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await makeFolder());
  const file = `${folder.path}/secret.json`;
  await Deno.writeTextFile(file, '"secret"');
  // A terminal among the descriptors of the process.
  if (Deno.build.os === "linux") stack.use(await Deno.open("/dev/ptmx", { write: true }));
  const forbidden = stack.use(listen());
  const server = stack.use(serveLocal((request) => {
    const location = new URL(request.url).searchParams.get("url");
    return location === null
      ? new Response("allowed")
      : new Response(null, { status: 302, headers: { location } });
  }));
  const ground: Ground = { allowed: server.url, port: forbidden.port, file };
  const moved = stack.move();
  return { ground, forbidden, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

function attempt(caller: Caller, method: string, ground: Ground): Promise<unknown> {
  return caller.invoke({
    url: ground.allowed,
    service: "",
    method,
    messages: [JSON.stringify(ground)],
    protocol: "hostile",
  }, AbortSignal.timeout(20_000));
}

for (const method of Object.keys(ATTEMPTS)) {
  Deno.test(`A plugin in the sandbox reaches nothing by ${method}`, async () => {
    await using opened = await openGround();
    const { ground, forbidden } = opened;
    await using fixture = openFixture([ground.allowed]);
    await rejects(attempt(fixture.caller, method, ground));
    strictEqual(forbidden.connections(), 0);
    // The worker lives on and still reaches what is on the list.
    strictEqual(await fixture.ask("fetch", ground.allowed, { url: ground.allowed }), "allowed");
  });
}

for (const method of Object.keys(ATTEMPTS).filter((name) => !OF_THE_MACHINE.includes(name))) {
  const isGuarded = GUARDED.includes(method);
  Deno.test(`A plugin without the sandbox is ${isGuarded ? "stopped" : "free"} by ${method}`, async () => {
    await using opened = await openGround();
    const { ground, forbidden } = opened;
    await using fixture = openFixture([ground.allowed]);
    const caller = new Caller(fixture.allowlist, new Registry(plugins));
    const outcome = await attempt(caller, method, ground).then(() => true, () => false);
    strictEqual(outcome || forbidden.connections() > 0, !isGuarded);
  });
}
