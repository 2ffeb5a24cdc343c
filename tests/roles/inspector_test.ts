import { match, strictEqual } from "node:assert/strict";
import { tools } from "../../lib/server/mod.ts";
import { denoArguments, environmentOf, startHttp } from "../fakes/bowire_process.ts";
import { Home } from "../fakes/home.ts";
import { HAS_PEERS, type PeerRun, runInspector } from "../peers/peers.ts";

const LIST = ["--strict", "--format", "json", "--method", "tools/list"];

function assertListed({ code, stdout, stderr }: PeerRun): void {
  strictEqual(code, 0, stderr);
  strictEqual(JSON.parse(stdout).result.tools.length, tools.length);
}

for (const era of ["legacy", "auto", "modern"]) {
  Deno.test({
    name: `the inspector lists the tools over stdio (${era}) and finds no error in their schemas`,
    ignore: !HAS_PEERS,
    async fn() {
      await using home = await Home.make();
      const variables = Object.entries(environmentOf(home));
      assertListed(
        await runInspector([
          "--cli",
          ...variables.flatMap(([name, value]) => ["-e", `${name}=${value}`]),
          ...["--protocol-era", era, ...LIST, "--"],
          ...[Deno.execPath(), ...denoArguments(home, ["mcp", "serve"])],
        ]),
      );
    },
  });
}

Deno.test({
  name: "the inspector lists and calls tools over HTTP with a token",
  ignore: !HAS_PEERS,
  async fn() {
    await using home = await Home.make();
    await using server = await startHttp(home, ["--token", "open-sesame"]);
    const way = ["--cli", server.url, "--header", "Authorization: Bearer open-sesame"];
    assertListed(await runInspector([...way, ...LIST]));
    const call = ["--method", "tools/call", "--tool-name", "bowire.allowlist.show"];
    const { code, stdout, stderr } = await runInspector([...way, "--format", "json", ...call]);
    strictEqual(code, 0, stderr);
    match(stdout, /"requireConfirmationForMutations":\s*true/);
  },
});
