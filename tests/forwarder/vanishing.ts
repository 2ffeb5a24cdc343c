// deno-lint-ignore-file no-console -- its output is what is judged
/**
 * Clients that open a session and a stream, and are gone: what they leave behind in this process.
 *
 * Prints the open files and the memory in use, in bytes, after each round.
 * Run: `deno run --v8-flags=--expose-gc … tests/forwarder/vanishing.ts server|forwarder`
 *
 * @module
 */
import { HttpRelay } from "../../lib/forwarder/http/relay.ts";
import { Parent } from "../../lib/forwarder/parent.ts";
import { createServerFactory } from "../../lib/mcp/connect.ts";
import { type Endpoint, serveOverHttp } from "../../lib/mcp/http.ts";
import { INITIALIZE, MCP_HEADERS } from "../fakes/mcp_requests.ts";
import { echo, tinyCatalogue } from "../fakes/tiny_catalogue.ts";

const ROUNDS = 4;
const CLIENTS = 500;
/** How many are there at once. */
const AT_ONCE = 50;
const IDLE_MS = 100;

/** Counts sessions that have ended. */
class Counter {
  #count = 0;
  #wanted = 0;
  #reached = Promise.withResolvers<void>();

  add(): void {
    if (++this.#count === this.#wanted) this.#reached.resolve();
  }

  async until(wanted: number): Promise<void> {
    this.#wanted = wanted;
    this.#reached = Promise.withResolvers<void>();
    if (this.#count < wanted) await this.#reached.promise;
  }
}

const ended = new Counter();

/** A server whose sessions end soon. */
function openServer(): Endpoint {
  const factory = createServerFactory(tinyCatalogue({ echo }));
  const counted: typeof factory = (context) => {
    const server = factory(context);
    const { onclose } = server;
    server.onclose = () => {
      onclose?.();
      ended.add();
    };
    return server;
  };
  const served = { factory: counted, statelessFactory: factory, watch: () => () => {} };
  return serveOverHttp(served, { sessionIdleMs: IDLE_MS });
}

/** Serves an endpoint on a free port. */
function listen(endpoint: Endpoint): string {
  const { addr } = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => endpoint.fetch(request, { principal: "" }),
  );
  return `http://127.0.0.1:${addr.port}/mcp`;
}

/** One client: it opens a session and a stream, and is gone. */
async function vanish(url: string): Promise<void> {
  const client = Deno.createHttpClient({});
  const body = JSON.stringify(INITIALIZE);
  const opened = await fetch(url, { client, method: "POST", headers: MCP_HEADERS, body });
  await opened.text();
  const id = opened.headers.get("mcp-session-id") ?? "";
  const headers = { accept: "text/event-stream", "mcp-session-id": id };
  const stream = await fetch(url, { client, headers });
  client.close();
  await stream.body?.cancel();
}

function openFiles(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}

const [role] = Deno.args;
const parent = openServer();
const endpoint = role === "forwarder"
  ? new HttpRelay(new Parent(new URL(listen(parent)), undefined), { idleMs: IDLE_MS / 2 })
  : parent;
const url = listen(endpoint);
await vanish(url);
await ended.until(1);
const rounds: { openFiles: number; heapBytes: number }[] = [];
for (let round = 0; round < ROUNDS; round++) {
  for (let client = 0; client < CLIENTS; client += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => vanish(url)));
  }
  await ended.until(1 + (round + 1) * CLIENTS);
  (globalThis as unknown as { gc(): void }).gc(); // there by the flag
  rounds.push({ openFiles: openFiles(), heapBytes: Deno.memoryUsage().heapUsed });
}
console.log(JSON.stringify(rounds));
Deno.exit();
