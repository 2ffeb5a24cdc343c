import { deepStrictEqual, ok } from "node:assert/strict";
import { startHttp, stdioCommand } from "../fakes/bowire_process.ts";
import { Home } from "../fakes/home.ts";
import { startEverything } from "../peers/mcp_peers.ts";
import { HAS_PEERS } from "../peers/peers.ts";
import { startSupergateway } from "../peers/supergateway.ts";
import { startFixture } from "./fixture/server.ts";
import { REVISIONS, type Score, scoreServer } from "./score.ts";

const WANTED = { "2025-11-25": 30, "2026-07-28": 37 } as const;

/** The checks that one set-up passes and another does not. */
function lost(before: Score, after: Score): string[] {
  return [...before.passing].filter((check) => !after.passing.has(check)).toSorted();
}

for (const revision of REVISIONS) {
  Deno.test({
    name: `our transport passes all that ${revision} wants, and nothing is lost by --attach`,
    ignore: !HAS_PEERS,
    async fn() {
      await using home = await Home.make();
      await using fixture = startFixture();
      const direct = await scoreServer(fixture.url, revision, home.file("direct"));
      deepStrictEqual([direct.lacking, direct.passed], [[], WANTED[revision]]);

      await using forwarder = await startHttp(home, ["--attach", fixture.url]);
      const relayed = await scoreServer(forwarder.url, revision, home.file("relayed"));
      deepStrictEqual([relayed.lacking, relayed.passed], [[], WANTED[revision]]);
      deepStrictEqual(lost(direct, relayed), []);
    },
  });

  Deno.test({
    name: `nothing of ${revision} is lost by --attach with a token, nor is it let out`,
    ignore: !HAS_PEERS,
    async fn() {
      await using home = await Home.make();
      const token = "of-the-parent";
      await using fixture = startFixture({ token });
      const file = await home.put("token", token);
      const args = ["--attach", fixture.url, "--attach-token-file", file];
      await using forwarder = await startHttp(home, args);
      const relayed = await scoreServer(forwarder.url, revision, home.file("relayed"));
      deepStrictEqual([relayed.lacking, relayed.passed], [[], WANTED[revision]]);
      ok(!(forwarder.stdout() + forwarder.stderr()).includes(token));
    },
  });

  Deno.test({
    name: `nothing of ${revision} is lost by --attach in front of server-everything`,
    ignore: !HAS_PEERS,
    async fn() {
      await using home = await Home.make();
      await using parent = await startEverything();
      const direct = await scoreServer(parent.mcpUrl, revision, home.file("direct"));
      ok(direct.passing.size > 0);
      await using forwarder = await startHttp(home, ["--attach", parent.mcpUrl]);
      const relayed = await scoreServer(forwarder.url, revision, home.file("relayed"));
      deepStrictEqual(lost(direct, relayed), []);
      ok(relayed.passed >= direct.passed);
    },
  });

  Deno.test({
    name: `nothing of ${revision} is lost by --attach over stdio`,
    ignore: !HAS_PEERS,
    async fn() {
      await using home = await Home.make();
      await using fixture = startFixture();
      const command = stdioCommand(home, ["mcp", "serve", "--attach", fixture.url]);
      await using gateway = await startSupergateway(command);
      const relayed = await scoreServer(gateway.mcpUrl, revision, home.file("relayed"));
      // The gateway lets in every Host, whatever stands behind it.
      deepStrictEqual(relayed.lacking, ["dns-rebinding-protection"]);
    },
  });
}
