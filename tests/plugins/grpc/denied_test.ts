import { deepStrictEqual, match } from "node:assert/strict";
import { startStdio } from "../../fakes/conversation.ts";
import { Home } from "../../fakes/home.ts";
import { startNodeHarbour } from "../../peers/node_grpc.ts";
import { testInBothModes } from "./fixture.ts";

testInBothModes("a host that Deno denies answers permission_denied", async (mode) => {
  await using home = await Home.make();
  await using open = await startNodeHarbour();
  await using closed = await startNodeHarbour();
  const urls = [open.url, closed.url];
  const args = [...urls.flatMap((url) => ["--allow-url", url]), "--sandbox", mode];
  const net = [new URL(open.url).host];
  await using agent = startStdio(home, args, { net });
  await agent.initialize();
  const { host, hostname, port } = new URL(closed.url);
  const call = { service: "harbour.v1.Harbour", method: "ListShips", protocol: "grpc" };
  const url = `grpc@${closed.url}`;
  for (
    const [tool, more] of [
      ["bowire.invoke", call],
      ["bowire.subscribe", { ...call, method: "WatchBerths" }],
      ["bowire.discover", {}],
    ] as const
  ) {
    const { isError, structuredContent } = await agent.call(tool, { url, ...more });
    const { code, hint, details } = structuredContent.error;
    deepStrictEqual([isError, code, details], [true, "permission_denied", {
      host: hostname,
      port: Number(port),
    }]);
    match(hint, new RegExp(`--allow-net=${host}`));
  }
  const fine = await agent.call("bowire.invoke", { url: `grpc@${open.url}`, ...call });
  deepStrictEqual([fine.isError, fine.structuredContent.status], [false, "OK"]);
});
