import { deepStrictEqual, doesNotMatch, match, ok, rejects, strictEqual } from "node:assert/strict";
import { Caller } from "../../lib/call/mod.ts";
import { BowireError } from "../../lib/errors/mod.ts";
import { Allowlist } from "../../lib/gate/mod.ts";
import type { Attempt } from "../../lib/model/mod.ts";
import { type Diagnostic, type Discovered, type Plugin, Registry } from "../../lib/protocol/mod.ts";
import { protocolOf, serviceOf } from "../fakes/protocols.ts";
import { rejectionOf } from "../fakes/rooms.ts";

const URL = "http://127.0.0.1:9/api";

function callerOf(...plugins: Plugin[]): Caller {
  const allowlist = new Allowlist();
  allowlist.permit(URL, "flag");
  return new Caller(allowlist, new Registry(plugins));
}

function quiet(): { signal: AbortSignal } {
  return { signal: new AbortController().signal };
}

function finding(names: readonly string[], ...diagnostics: Diagnostic[]): Plugin {
  const found: Discovered = { services: names.map(serviceOf), diagnostics };
  return protocolOf("some", { discover: () => Promise.resolve(found) });
}

const FAULT: Diagnostic = { severity: "fault", message: "half is missing", details: ["x.proto"] };
const NOTE: Diagnostic = { severity: "note", message: "read a cached copy" };

type Expected = Pick<Attempt, "outcome" | "servicesFound" | "message" | "details">;

const JUDGED: readonly (readonly [Plugin, Expected])[] = [
  [finding(["A"]), { outcome: "ok", servicesFound: 1, message: "1 service", details: null }],
  [finding(["A", "B"]), { outcome: "ok", servicesFound: 2, message: "2 services", details: null }],
  [finding(["A"], NOTE), {
    outcome: "ok",
    servicesFound: 1,
    message: "1 service (read a cached copy)",
    details: null,
  }],
  [finding([]), {
    outcome: "empty",
    servicesFound: 0,
    message: "returned no services",
    details: null,
  }],
  [finding([], NOTE), {
    outcome: "empty",
    servicesFound: 0,
    message: "read a cached copy",
    details: null,
  }],
  [finding(["A"], NOTE, FAULT), {
    outcome: "partial",
    servicesFound: 1,
    message: "1 service, but half is missing",
    details: ["x.proto"],
  }],
  [finding([], FAULT, FAULT), {
    outcome: "error",
    servicesFound: 0,
    message: "half is missing; half is missing",
    details: ["x.proto", "x.proto"],
  }],
];

for (const [plugin, expected] of JUDGED) {
  Deno.test(`Caller.discover judges "${expected.message}" as ${expected.outcome}`, async () => {
    const { attempts: [attempt] } = await callerOf(plugin).discover(URL, quiet());
    const { durationMs, ...rest } = attempt ?? { durationMs: -1 };
    deepStrictEqual(rest, { pluginId: "some", plugin: "The some protocol", ...expected });
    ok(durationMs >= 0 && Number.isInteger(durationMs));
  });
}

Deno.test("Caller.discover shows why a protocol failed, and what to do", async () => {
  const error = new BowireError("bad_document", "cannot read it", { hint: "mend it" });
  const caller = callerOf(protocolOf("p", { discover: () => Promise.reject(error) }));
  const { attempts: [attempt] } = await caller.discover(URL, quiet());
  deepStrictEqual(
    [attempt?.outcome, attempt?.message, attempt?.details],
    ["error", "cannot read it", ["mend it"]],
  );
});

Deno.test("Caller.discover keeps a defect of a protocol to itself", async () => {
  const broken = protocolOf("p", {
    discover() {
      throw new TypeError("CANARY of undefined");
    },
  });
  const noCode: Plugin = { ...protocolOf("q"), load: () => Promise.reject(new Error("CANARY")) };
  const { attempts } = await callerOf(broken, noCode).discover(URL, quiet());
  deepStrictEqual(attempts.map(({ outcome }) => outcome), ["error", "error"]);
  doesNotMatch(JSON.stringify(attempts), /CANARY/);
});

Deno.test("Caller.discover lets no failure hide what another protocol found", async () => {
  const caller = callerOf(
    protocolOf("bad", { discover: () => Promise.reject(new Error("no")) }),
    finding(["A"]),
    protocolOf("none"),
  );
  const discovery = await caller.discover(`${URL}/x`, quiet());
  deepStrictEqual(discovery.attempts.map(({ outcome }) => outcome), ["error", "ok", "empty"]);
  deepStrictEqual(discovery.services, [
    { ...serviceOf("A"), source: "some", originUrl: `${URL}/x` },
  ]);
  strictEqual(discovery.url, `${URL}/x`);
});

Deno.test("Caller.discover asks side by side", async () => {
  const second = Promise.withResolvers<void>();
  const waiting = protocolOf("a", {
    async discover() {
      await second.promise;
      return { services: [], diagnostics: [] };
    },
  });
  const freeing = protocolOf("b", {
    discover() {
      second.resolve();
      return Promise.resolve({ services: [], diagnostics: [] });
    },
  });
  const { attempts } = await callerOf(waiting, freeing).discover(URL, quiet());
  deepStrictEqual(attempts.map(({ outcome }) => outcome), ["empty", "empty"]);
});

Deno.test("Caller.discover leaves a protocol behind that does not notice the time limit", async () => {
  const deaf = protocolOf("deaf", { discover: () => new Promise(() => {}) });
  const obedient = protocolOf("obedient", {
    discover: (_request, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  });
  const caller = callerOf(deaf, obedient, finding(["A"]));
  const { attempts, services } = await caller.discover(URL, { ...quiet(), timeoutMs: 50 });
  deepStrictEqual(
    attempts.map(({ outcome, message }) => [outcome, message]),
    [
      ["timeout", "gave no answer in time"],
      ["timeout", "gave no answer in time"],
      ["ok", "1 service"],
    ],
  );
  ok((attempts[0]?.durationMs ?? 0) >= 40);
  strictEqual(services.length, 1);
});

Deno.test("Caller.discover ends as cancelled when the caller gives up, before or during", async () => {
  const started = Promise.withResolvers<void>();
  const caller = callerOf(protocolOf("deaf", {
    discover() {
      started.resolve();
      return new Promise(() => {});
    },
  }));
  const controller = new AbortController();
  const discovering = rejectionOf(caller.discover(URL, { signal: controller.signal }));
  await started.promise;
  controller.abort();
  strictEqual((await discovering).code, "cancelled");
  await rejects(caller.discover(URL, { signal: AbortSignal.abort() }), { code: "cancelled" });
});

Deno.test("Caller.discover hands the request over, and its defaults", async () => {
  const requests: unknown[] = [];
  const caller = callerOf(protocolOf("p", {
    discover(request) {
      requests.push({ ...request, target: request.target.url });
      return Promise.resolve({ services: [], diagnostics: [] });
    },
  }));
  await caller.discover(URL, quiet());
  const flags = { showInternal: true, isBrief: true };
  await caller.discover(`p@${URL}`, { ...quiet(), metadata: { a: "b" }, ...flags });
  deepStrictEqual(requests, [
    { target: URL, metadata: {}, showInternal: false, isBrief: false },
    { target: URL, metadata: { a: "b" }, ...flags },
  ]);
});

Deno.test("Caller.discover tries only the protocol that is named or hinted", async () => {
  const caller = callerOf(
    protocolOf("a"),
    protocolOf("b"),
    protocolOf("c", { claims: () => "no" }),
  );
  const tried = async (url: string, protocol?: string) =>
    (await caller.discover(url, { ...quiet(), protocol })).attempts.map(({ pluginId }) => pluginId);
  deepStrictEqual(await tried(URL), ["a", "b"]);
  deepStrictEqual(await tried(`b@${URL}`), ["b"]);
  deepStrictEqual(await tried(URL, "c"), ["c"]);
  await rejects(tried(URL, "gopher"), { code: "unknown_protocol" });
  await rejects(tried(`gopher@${URL}`), { code: "unknown_protocol" });
});

Deno.test("Caller.discover says which protocols there are when none speaks the scheme", async () => {
  const caller = callerOf(protocolOf("a", { claims: () => "no" }));
  const refusal = await rejectionOf(caller.discover(URL, quiet()));
  strictEqual(refusal.code, "unknown_protocol");
  match(refusal.message, /no protocol on board speaks http:\/\/$/);
  match(refusal.hint ?? "", /known are: a$/);
});

Deno.test("Caller.discover asks no protocol about a URL that is not allowed", async () => {
  let isAsked = false;
  const caller = callerOf(protocolOf("p", {
    claims() {
      isAsked = true;
      return "certain";
    },
  }));
  await rejects(caller.discover("http://127.0.0.1:9/other", quiet()), { code: "url_not_allowed" });
  strictEqual(isAsked, false);
});
