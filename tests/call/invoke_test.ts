import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { Caller, type CallEvent, type InvokeRequest } from "../../lib/call/mod.ts";
import { BowireError } from "../../lib/errors/mod.ts";
import { Allowlist } from "../../lib/gate/mod.ts";
import { type Call, type Plugin, Registry } from "../../lib/protocol/mod.ts";
import { type Behaviour, invocationOf, protocolOf, serviceOf } from "../fakes/protocols.ts";
import { rejectionOf, serveLocal } from "../fakes/rooms.ts";

const URL = "http://127.0.0.1:9/api";
const REQUEST: InvokeRequest = { url: URL, service: "Pets", method: "list", messages: ["{}"] };

function callerOf(...plugins: Plugin[]): Caller {
  const allowlist = new Allowlist();
  allowlist.permit(URL, "flag");
  return new Caller(allowlist, new Registry(plugins));
}

/** A protocol that finds some services and answers with its own id. */
function speaking(id: string, services: readonly string[], more: Behaviour = {}) {
  const seen = { discoveries: 0, calls: [] as Call[] };
  const plugin = protocolOf(id, {
    discover() {
      seen.discoveries++;
      return Promise.resolve({ services: services.map(serviceOf), diagnostics: [] });
    },
    invoke(call) {
      seen.calls.push(call);
      return Promise.resolve(invocationOf(id));
    },
    ...more,
  });
  return { plugin, seen };
}

function idle(): AbortSignal {
  return new AbortController().signal;
}

Deno.test("Caller.invoke goes to the one protocol that claims the URL, without asking more", async () => {
  const { plugin, seen } = speaking("only", []);
  const no = speaking("no", ["Pets"], { claims: () => "no" });
  const invoked = await callerOf(no.plugin, plugin).invoke(REQUEST, idle());
  deepStrictEqual(invoked, { protocol: "only", invocation: invocationOf("only") });
  strictEqual(seen.discoveries, 0);
});

Deno.test("Caller.invoke goes by the argument, then by the hint", async () => {
  const [a, b] = [speaking("a", []), speaking("b", [])];
  const caller = callerOf(a.plugin, b.plugin);
  const of = async (request: Partial<InvokeRequest>) =>
    (await caller.invoke({ ...REQUEST, ...request }, idle())).protocol;
  strictEqual(await of({ protocol: "b" }), "b");
  strictEqual(await of({ url: `b@${URL}` }), "b");
  strictEqual(await of({ url: `b@${URL}`, protocol: "a" }), "a");
  deepStrictEqual([a.seen.discoveries, b.seen.discoveries], [0, 0]);
  await rejects(of({ protocol: "gopher" }), { code: "unknown_protocol" });
  await rejects(of({ url: `gopher@${URL}` }), { code: "unknown_protocol" });
});

Deno.test("Caller.invoke finds out which protocol serves the service, and remembers it", async () => {
  const [a, b] = [speaking("a", ["Users"]), speaking("b", ["Pets"])];
  const caller = callerOf(a.plugin, b.plugin);
  strictEqual((await caller.invoke(REQUEST, idle())).protocol, "b");
  strictEqual((await caller.invoke(REQUEST, idle())).protocol, "b");
  strictEqual((await caller.invoke({ ...REQUEST, service: "Users" }, idle())).protocol, "a");
  deepStrictEqual([a.seen.discoveries, b.seen.discoveries], [1, 1]);
});

Deno.test("Caller.invoke uses what an earlier discovery found, at that URL only", async () => {
  const [a, b] = [speaking("a", []), speaking("b", ["Pets"])];
  const caller = callerOf(a.plugin, b.plugin);
  await caller.discover(URL, { signal: idle() });
  strictEqual((await caller.invoke(REQUEST, idle())).protocol, "b");
  strictEqual(b.seen.discoveries, 1);
  await caller.invoke({ ...REQUEST, url: `${URL}/v2` }, idle());
  strictEqual(b.seen.discoveries, 2);
});

Deno.test("Caller.invoke says that nothing serves the service", async () => {
  const [a, b] = [speaking("a", []), speaking("b", ["Users"])];
  const refusal = await rejectionOf(callerOf(a.plugin, b.plugin).invoke(REQUEST, idle()));
  strictEqual(refusal.code, "unknown_service");
  match(
    refusal.message,
    /^cannot call "Pets\/list": .* at "http:\/\/127\.0\.0\.1:9\/api" \(The a protocol: /,
  );
  deepStrictEqual([a.seen.calls, b.seen.calls], [[], []]);
});

Deno.test("Caller.invoke refuses a URL that is not allowed before anything else", async () => {
  const { plugin, seen } = speaking("p", []);
  const request = { ...REQUEST, url: "http://127.0.0.1:10/" };
  await rejects(callerOf(plugin).invoke(request, idle()), { code: "url_not_allowed" });
  deepStrictEqual(seen, { discoveries: 0, calls: [] });
});

Deno.test("Caller.invoke hands the call over as it is, metadata empty when there is none", async () => {
  const { plugin, seen } = speaking("p", []);
  const caller = callerOf(plugin);
  await caller.invoke({ ...REQUEST, url: `p@${URL}/x`, messages: ["1e400"] }, idle());
  await caller.invoke({ ...REQUEST, metadata: { a: "b" } }, idle());
  const [first, second] = seen.calls;
  deepStrictEqual(
    { ...first, target: first?.target.url },
    {
      target: `${URL}/x`,
      service: "Pets",
      method: "list",
      messages: ["1e400"],
      metadata: {},
      ownMetadata: {},
      validate: true,
      keepsOpen: false,
    },
  );
  deepStrictEqual(second?.metadata, { a: "b" });
});

Deno.test("Caller.invoke narrates a call that is done", async () => {
  const caller = callerOf(speaking("p", []).plugin);
  const events: CallEvent[] = [];
  const stop = caller.observe((event) => events.push(event));
  await caller.invoke(REQUEST, idle());
  deepStrictEqual(events.map(({ kind, protocol }) => [kind, protocol]), [
    ["resolved", "p"],
    ["done", "p"],
  ]);
  const [resolved, done] = events;
  strictEqual(resolved?.call, done?.call);
  deepStrictEqual(done?.kind === "done" && done.invocation, invocationOf("p"));
  stop();
  await caller.invoke(REQUEST, idle());
  strictEqual(events.length, 2);
});

Deno.test("Caller.invoke tells resolved before the protocol is called, to every listener", async () => {
  const order: string[] = [];
  const caller = callerOf(protocolOf("p", {
    invoke() {
      order.push("invoke");
      return Promise.resolve(invocationOf(""));
    },
  }));
  caller.observe(({ kind }) => order.push(`1 ${kind}`));
  caller.observe(({ kind }) => order.push(`2 ${kind}`));
  await caller.invoke(REQUEST, idle());
  deepStrictEqual(order, ["1 resolved", "2 resolved", "invoke", "1 done", "2 done"]);
});

Deno.test("Caller.invoke narrates a call that failed, and throws the same error", async () => {
  const error = new BowireError("unknown_method", "cannot call it");
  const caller = callerOf(protocolOf("p", { invoke: () => Promise.reject(error) }));
  const events: CallEvent[] = [];
  caller.observe((event) => events.push(event));
  strictEqual(await rejectionOf(caller.invoke(REQUEST, idle())), error);
  deepStrictEqual(events.map(({ kind }) => kind), ["resolved", "failed"]);
  strictEqual(events[1]?.kind === "failed" && events[1].error, error);
});

Deno.test("Caller.invoke narrates nothing when no protocol could be chosen", async () => {
  const caller = callerOf(speaking("a", []).plugin, speaking("b", []).plugin);
  let count = 0;
  caller.observe(() => count++);
  await rejects(caller.invoke(REQUEST, idle()), { code: "unknown_service" });
  strictEqual(count, 0);
});

Deno.test("Caller.invoke gives the protocol a guarded way out, with the call's time limit", async () => {
  const ending = Promise.withResolvers<Response>();
  await using server = serveLocal(() => ending.promise);
  const allowlist = new Allowlist();
  allowlist.permit(server.url, "flag");
  const fetching = protocolOf("p", {
    async invoke({ target, method }, context) {
      const next = method === "elsewhere" ? context.admit("http://127.0.0.1:9/", "it") : target;
      const { status } = await context.fetch(next);
      return invocationOf(String(status));
    },
  });
  const caller = new Caller(allowlist, new Registry([fetching]));
  const request = { ...REQUEST, url: server.url, timeoutMs: 50 };
  await rejects(caller.invoke(request, idle()), { code: "timeout" });
  await rejects(caller.invoke({ ...request, method: "elsewhere" }, idle()), {
    code: "url_not_allowed",
  });
  const controller = new AbortController();
  const invoking = rejectionOf(caller.invoke({ ...request, timeoutMs: 9000 }, controller.signal));
  controller.abort();
  strictEqual((await invoking).code, "cancelled");
  ending.resolve(new Response());
});

Deno.test("Caller.invoke spends no more than its time on finding the service", async () => {
  const deaf = () => protocolOf(crypto.randomUUID(), { discover: () => new Promise(() => {}) });
  const start = performance.now();
  await rejects(callerOf(deaf(), deaf()).invoke({ ...REQUEST, timeoutMs: 50 }, idle()));
  ok(performance.now() - start < 5000);
});

Deno.test("Caller.invoke takes a time limit that is longer than any timer", async () => {
  const { plugin } = speaking("p", []);
  const request = { ...REQUEST, timeoutMs: 2 ** 31 };
  strictEqual((await callerOf(plugin).invoke(request, idle())).protocol, "p");
  const slow = protocolOf("slow", {
    invoke: (_call, { signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        setTimeout(() => resolve(invocationOf("")), 30);
      }),
  });
  strictEqual((await callerOf(slow).invoke(request, idle())).protocol, "slow");
});
