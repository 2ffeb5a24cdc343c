import { deepStrictEqual, ok } from "node:assert/strict";
import { startHttp } from "../fakes/bowire_process.ts";
import { Home } from "../fakes/home.ts";
import { judge } from "../peers/conformance.ts";
import { HAS_PEERS } from "../peers/peers.ts";

interface Scenario {
  readonly name: string;
  /** Checks that cannot pass here. Each that passes after all fails the test, and is taken out. */
  readonly failing?: readonly string[];
}

/** The scenarios that ask for nothing but a server with some tool. */
const SCENARIOS: Readonly<Record<string, readonly Scenario[]>> = {
  "2025-11-25": [
    { name: "server-initialize" },
    { name: "server-session-lifecycle" },
    { name: "ping" },
    { name: "tools-list" },
    { name: "server-sse-multiple-streams" },
    { name: "dns-rebinding-protection" },
  ],
  "2026-07-28": [
    {
      name: "server-stateless",
      failing: [
        // Both want the suite's own tool `test_missing_capability`.
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        // Wants the suite's own tool `test_streaming_elicitation`.
        "sep-2575-http-server-no-independent-requests-on-stream",
        // Wants the suite's own tool `test_logging_tool`.
        "sep-2575-server-no-log-without-loglevel",
      ],
    },
    { name: "tools-list" },
    { name: "server-sse-multiple-streams" },
    { name: "dns-rebinding-protection" },
    { name: "http-header-validation" },
    { name: "input-required-result-unsupported-methods" },
    {
      name: "caching",
      failing: [
        // The server offers tools, no prompts and no resources.
        "sep-2549-prompts-list-caching-hints",
        "sep-2549-resources-list-caching-hints",
        "sep-2549-resources-templates-list-caching-hints",
      ],
    },
  ],
};

for (const [revision, scenarios] of Object.entries(SCENARIOS)) {
  for (const { name, failing = [] } of scenarios) {
    Deno.test({
      name: `mcp serve --bind http conforms to ${revision}: ${name}`,
      ignore: !HAS_PEERS,
      async fn() {
        await using home = await Home.make();
        await using server = await startHttp(home);
        const verdicts = await judge(server.url, { name, revision }, home.file("results"));
        ok(verdicts.passed.length > 0, verdicts.output);
        deepStrictEqual(verdicts.failed, failing.toSorted(), verdicts.output);
      },
    });
  }
}
