import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { startHttp } from "../fakes/bowire_process.ts";
import { type ClientKind, clientTest, connectClient } from "../fakes/clients.ts";
import { within } from "../fakes/deadline.ts";
import { Home } from "../fakes/home.ts";
import { STREAMING, STREAMING_URL, streamOf } from "./streaming_main.ts";
import type { TestClient, ToldProgress } from "../fakes/test_client.ts";

const ARGS = ["--allow-url", STREAMING_URL];
const KINDS = ["sdk 1", "sdk 2 legacy", "sdk 2 pinned"] satisfies ClientKind[];
const WAYS = ["stdio", "HTTP"] as const;

/** How many streams are open at the target. */
async function openStreams(client: TestClient): Promise<number> {
  const { structuredContent } = await client.callTool("bowire.invoke", streamOf("streams"));
  return JSON.parse(structuredContent.response).open;
}

/** Waits until no stream is open any more. */
async function closeOfAll(client: TestClient): Promise<void> {
  const closed = async () => {
    while (await openStreams(client) > 0);
  };
  await within(closed(), "the stream at the target to end");
}

for (const [kind, over] of KINDS.flatMap((kind) => WAYS.map((over) => [kind, over] as const))) {
  clientTest(
    kind,
    `over ${over} hears of each frame, and ends the stream by aborting`,
    async () => {
      await using home = await Home.make();
      await using server = over === "HTTP" ? await startHttp(home, ARGS, STREAMING) : undefined;
      await using client = await connectClient(
        kind,
        server === undefined
          ? { kind: "stdio", home, args: ARGS, start: STREAMING }
          : { kind: "http", url: server.url },
      );
      const told: ToldProgress[] = [];
      const all = Promise.withResolvers<void>();
      const abort = new AbortController();
      const called = client.callTool("bowire.subscribe", streamOf("quiet", "3"), {
        signal: abort.signal,
        onProgress: ({ progress, message }) => {
          if (told.push({ progress, message }) === 3) all.resolve();
        },
      }).then(() => "answered", () => "aborted");
      await within(all.promise, "three frames");
      deepStrictEqual(told, [
        { progress: 1, message: "frame 1: 0" },
        { progress: 2, message: "frame 2: 1" },
        { progress: 3, message: "frame 3: 2" },
      ]);
      strictEqual(await openStreams(client), 1);
      abort.abort();
      strictEqual(await called, "aborted");
      await closeOfAll(client);
      const counted = await client.callTool("bowire.subscribe", {
        ...streamOf("count"),
        maxFrames: 2,
      });
      deepStrictEqual(counted.structuredContent.frames, ["0", "1"]);
      await closeOfAll(client);
    },
  );
}
