/** A parent that is killed and started again, again and again, while children ask. */
import { match, ok, strictEqual } from "node:assert/strict";
import { type HttpBowire, startHttp } from "../fakes/bowire_process.ts";
import { type Message, startStdio } from "../fakes/conversation.ts";
import { Home } from "../fakes/home.ts";
import { INITIALIZE, post } from "../fakes/mcp_requests.ts";
import { freePort } from "../peers/start_peer.ts";

const RESTARTS = 50;
/** How many requests a child over stdio has in flight. */
const IN_FLIGHT = 4;
/** How many results children have before the parent is killed again. */
const RESULTS_BETWEEN = 20;
/** How often is asked for them at most. */
const MAX_ASKED = 10_000;
const LIST = { jsonrpc: "2.0", id: 7, method: "tools/list" };

/** What children were answered. */
class Tally {
  readonly #parent: string;
  results = 0;
  errors = 0;

  constructor(parent: string) {
    this.#parent = parent;
  }

  /** Every answer is a result, or an error that names the parent. */
  note(message: Message): void {
    if (message.result !== undefined) this.results++;
    else {
      match(message.error?.message ?? JSON.stringify(message), new RegExp(this.#parent));
      this.errors++;
    }
  }
}

/** Asks until it is told to stop; every request is waited for. */
async function askOverStdio(
  child: ReturnType<typeof startStdio>,
  tally: Tally,
  stopped: AbortSignal,
): Promise<void> {
  while (!stopped.aborted) {
    const ids = await Promise.all(
      Array.from({ length: IN_FLIGHT }, () => child.start("tools/list")),
    );
    for (const id of ids) tally.note(await child.answerTo(id));
  }
}

async function askOverHttp(
  url: string,
  headers: Record<string, string>,
  { tally, stopped }: { tally: Tally; stopped: AbortSignal },
): Promise<void> {
  while (!stopped.aborted) {
    const { message, status, text } = await post(url, LIST, { headers });
    ok(message !== undefined, `HTTP ${status}: ${text}`);
    strictEqual(message.id, LIST.id);
    tally.note(message);
  }
}

Deno.test(`C67 a parent is killed ${RESTARTS} times, and every request of its children is answered`, async () => {
  await using home = await Home.make();
  const port = freePort();
  const address = `127.0.0.1:${port}`;
  const start = (): Promise<HttpBowire> =>
    startHttp(home, ["--port", `${port}`, "--sandbox", "none"], { hasPort: true });
  let parent = await start();
  await using overHttp = await startHttp(home, ["--attach", address]);
  await using overStdio = startStdio(home, ["--attach", address]);
  const opened = await post(overHttp.url, INITIALIZE);
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  await overStdio.initialize();
  const tally = new Tally(address);
  const ending = new AbortController();
  const load = { tally, stopped: ending.signal };
  const asking = Promise.all([
    askOverStdio(overStdio, tally, ending.signal),
    askOverHttp(overHttp.url, session, load),
    askOverHttp(overHttp.url, {}, load),
  ]);
  try {
    for (let restart = 0; restart < RESTARTS; restart++) {
      parent.child.kill("SIGKILL");
      await parent.ended;
      parent = await start();
      // Killed again when all work anew, in the midst of their requests.
      const wanted = tally.results + RESULTS_BETWEEN;
      for (let asked = 0; asked < MAX_ASKED && tally.results < wanted; asked++) {
        await post(overHttp.url, LIST);
      }
      ok(tally.results >= wanted, `after restart ${restart} the parent is not reached again`);
    }
  } finally {
    ending.abort();
    await asking.finally(() => parent.stop("SIGKILL"));
  }
  ok(
    tally.results > RESTARTS && tally.errors > 0,
    `${tally.results} results, ${tally.errors} errors`,
  );
});
