import { deepEqual, ok } from "node:assert/strict";
import { openShop } from "../../adapter/shop.ts";
import { judge } from "../../peers/conformance.ts";
import { HAS_PEERS } from "../../peers/peers.ts";
import { openAdapted } from "./fixture.ts";

/** The scenarios that ask for nothing but a server with some tool, resource and prompt. */
const SCENARIOS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "2025-11-25": {
    "server-initialize": [],
    "server-session-lifecycle": [],
    "ping": [],
    "tools-list": [],
    "resources-list": [],
    "prompts-list": [],
    "server-sse-multiple-streams": [],
    "dns-rebinding-protection": [],
  },
  "2026-07-28": {
    // Checks that cannot pass here. Each that passes after all fails the test, and is taken out.
    "server-stateless": [
      // All want tools of the suite's own.
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-missing-capability-http-400",
      "sep-2575-server-no-log-without-loglevel",
      "sep-2575-server-rejects-undeclared-capability",
    ],
    "tools-list": [],
    "resources-list": [],
    "prompts-list": [],
    "sep-2164-resource-not-found": [],
    "server-sse-multiple-streams": [],
    "dns-rebinding-protection": [],
    "http-header-validation": [],
    "input-required-result-unsupported-methods": [],
    "caching": [],
  },
};

Deno.test({
  name: "an adapter conforms to 2025-11-25 and 2026-07-28",
  ignore: !HAS_PEERS,
  async fn() {
    await using shop = openShop();
    await using adapted = await openAdapted(["--url", shop.url]);
    const { home, server } = adapted;
    const all = Object.entries(SCENARIOS).flatMap(([revision, scenarios]) =>
      Object.entries(scenarios).map(([name, failing]) => ({ revision, name, failing }))
    );
    const check = async ({ revision, name, failing }: (typeof all)[number]) => {
      const folder = home.file(`${revision} ${name}`);
      const { passed, failed, output } = await judge(server.url, { name, revision }, folder);
      ok(passed.length > 0, output);
      deepEqual(failed, failing, `${revision} ${name}: ${output}`);
    };
    // Most of its time it waits.
    const [slow, quick] = [true, false].map((isSlow) =>
      all.filter(({ name }) => (name === "server-stateless") === isSlow)
    );
    const waiting = Promise.all(slow?.map(check) ?? []);
    for (const scenario of quick ?? []) await check(scenario);
    await waiting;
  },
});
