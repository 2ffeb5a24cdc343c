import { deepStrictEqual, match, rejects, strictEqual, throws } from "node:assert/strict";
import { Allowlist } from "../../lib/gate/mod.ts";
import { type Claim, type Plugin, Registry, type Target } from "../../lib/protocol/mod.ts";
import { refusalOf } from "../fakes/rooms.ts";

interface FakePlugin extends Plugin {
  readonly loads: () => number;
}

function plugin(id: string, claims: (target: Target) => Claim, hints = [id]): FakePlugin {
  let loads = 0;
  const manifest = { id, name: id.toUpperCase(), description: `Speaks ${id}.`, hints, claims };
  return {
    manifest,
    loads: () => loads,
    load() {
      loads++;
      return Promise.resolve({
        manifest,
        discover: () => Promise.resolve({ services: [], diagnostics: [] }),
        invoke: () => Promise.reject(new Error("not called here")),
      });
    },
  };
}

function targetOf(url: string): Target {
  return new Allowlist({ allowArbitraryUrls: true }).admit(url);
}

const registry = new Registry([
  plugin("maybe", () => "possible"),
  plugin("never", () => "no", ["never", "nope"]),
  plugin("sure", ({ scheme }) => scheme === "http" ? "certain" : "no"),
  plugin("other", () => "possible"),
]);

Deno.test("Registry.claimants gives the surest first, else in the order of registration", () => {
  const ids = (url: string) => registry.claimants(targetOf(url)).map(({ id }) => id);
  deepStrictEqual(ids("http://h"), ["sure", "maybe", "other"]);
  deepStrictEqual(ids("ws://h"), ["maybe", "other"]);
});

Deno.test("Registry.claimants goes by the hint alone, even against the claim", () => {
  deepStrictEqual(registry.claimants(targetOf("NOPE@http://h")).map(({ id }) => id), ["never"]);
  throws(() => registry.claimants(targetOf("what@http://h")), { code: "unknown_protocol" });
});

Deno.test("Registry.ownerOf is the one that is sure, or the only one, or nobody", () => {
  const two = [plugin("one", () => "certain"), plugin("two", () => "certain")];
  const owner = (url: string, of = registry) => of.ownerOf(targetOf(url))?.id;
  strictEqual(owner("http://h"), "sure");
  strictEqual(owner("ws://h"), undefined);
  strictEqual(owner("nope@ws://h"), "never");
  strictEqual(owner("http://h", new Registry(two)), undefined);
  strictEqual(owner("http://h", new Registry([plugin("only", () => "possible")])), "only");
});

Deno.test("Registry.find knows ids and hints in any case, and lists the ids when it does not", () => {
  strictEqual(registry.find("Never").id, "never");
  strictEqual(registry.find("nope").id, "never");
  const refusal = refusalOf(() => registry.find("gopher"));
  strictEqual(refusal.code, "unknown_protocol");
  match(refusal.message, /"gopher"/);
  match(refusal.hint ?? "", /maybe, never, sure, other/);
});

Deno.test("Registry.load loads a protocol at its first use and only once", async () => {
  const lazy = plugin("lazy", () => "certain");
  const lazyRegistry = new Registry([lazy]);
  deepStrictEqual(lazyRegistry.manifests, [lazy.manifest]);
  strictEqual(lazy.loads(), 0);
  const [first, second] = await Promise.all([
    lazyRegistry.load(lazy.manifest),
    lazyRegistry.load(lazy.manifest),
  ]);
  strictEqual(first, second);
  strictEqual(lazy.loads(), 1);
});

Deno.test("Registry.load fails as the plugin does, and refuses a stranger", async () => {
  const broken: Plugin = {
    manifest: plugin("broken", () => "no").manifest,
    load: () => Promise.reject(new Error("no code")),
  };
  await rejects(new Registry([broken]).load(broken.manifest), /no code/);
  throws(() => registry.load(broken.manifest), RangeError);
});
