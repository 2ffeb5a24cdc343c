import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import { createEndpoint, serveStreams, type ToolCall } from "../../lib/mcp/mod.ts";
import type { Progress } from "../../lib/model/mod.ts";
import { Conversation, linesOf, type Message } from "../fakes/conversation.ts";
import { startBowire } from "../fakes/bowire_process.ts";
import { Home } from "../fakes/home.ts";
import { INITIALIZE, MCP_HEADERS } from "../fakes/mcp_requests.ts";
import { STREAMING, STREAMING_URL, streamOf } from "./streaming_main.ts";
import { resultOf, tinyCatalogue } from "../fakes/tiny_catalogue.ts";

const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

/** The `_meta` of a request. */
function metaOf(revision: string, progressToken?: string | number): Record<string, unknown> {
  return {
    ...(progressToken === undefined ? {} : { progressToken }),
    ...(revision === "2025-11-25" ? {} : {
      [PROTOCOL_VERSION_META_KEY]: revision,
      [CLIENT_INFO_META_KEY]: { name: "raw client", version: "1" },
      [CLIENT_CAPABILITIES_META_KEY]: {},
    }),
  };
}

/** Calls a tool over HTTP that tells its progress; gives all messages of the answer, as they came. */
async function tellOverHttp(
  revision: string,
  steps: readonly Progress[],
  progressToken?: string | number,
): Promise<Message[]> {
  const endpoint = createEndpoint(tinyCatalogue({
    work({ report }) {
      for (const step of steps) report?.(step);
      return resultOf({ hadReport: report !== undefined });
    },
  }));
  const params = { name: "work", arguments: {}, _meta: metaOf(revision, progressToken) };
  const request = new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: {
      ...MCP_HEADERS,
      "mcp-protocol-version": revision,
      "mcp-method": "tools/call",
      "mcp-name": "work",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params }),
  });
  const response = await endpoint.fetch(request, { principal: "" });
  const text = await response.text();
  await endpoint.close();
  const events = text.startsWith("{") ? [text] : [...text.matchAll(/^data: (\{.*)$/gm)].map(
    ([, data]) => data ?? "",
  );
  return events.map((data) => JSON.parse(data));
}

Deno.test("MCP tells no progress after the result", async () => {
  const told: ToolCall["report"][] = [];
  const catalogue = tinyCatalogue({
    work({ report }) {
      told.push(report);
      return resultOf({});
    },
  });
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const serving = serveStreams(catalogue, { input: input.readable, output: output.writable });
  const writer = input.writable.getWriter();
  const lines = linesOf(output.readable);
  const request = async (id: number, method: string, params: object): Promise<Message> => {
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    await writer.write(new TextEncoder().encode(`${line}\n`));
    return JSON.parse((await lines.next()).value ?? "");
  };
  await request(1, "initialize", INITIALIZE.params);
  const call = { name: "work", arguments: {}, _meta: { progressToken: 1 } };
  strictEqual((await request(2, "tools/call", call)).id, 2);
  told[0]?.({ done: 1 });
  strictEqual((await request(3, "ping", {})).id, 3);
  strictEqual(typeof told[0], "function");
  await writer.close();
  await serving;
});

for (const revision of REVISIONS) {
  Deno.test(`MCP ${revision} tells progress with the client's token, larger each time, before the result`, async () => {
    const steps = [
      { done: 1, total: 3, message: "one\u001b[31m\u202e" },
      { done: 1 },
      { done: 0.5 },
      { done: NaN },
      { done: Infinity },
      { done: 2.5, message: "x".repeat(500) },
    ];
    const messages = await tellOverHttp(revision, steps, "my token");
    deepStrictEqual(messages.map(({ id, method }) => id ?? method), [
      "notifications/progress",
      "notifications/progress",
      7,
    ]);
    const [first, second] = messages.map(({ params }) => params);
    deepStrictEqual(first, {
      progressToken: "my token",
      progress: 1,
      total: 3,
      message: "one[31m",
    });
    deepStrictEqual(second, {
      progressToken: "my token",
      progress: 2.5,
      message: `${"x".repeat(219)}…`,
    });
  });

  Deno.test(`MCP ${revision} tells no progress to a client without a token`, async () => {
    const messages = await tellOverHttp(revision, [{ done: 1 }]);
    deepStrictEqual(messages.map(({ id }) => id), [7]);
    deepStrictEqual(messages[0]?.result?.structuredContent, { hadReport: false });
  });

  Deno.test(`MCP ${revision} takes 0 for a token`, async () => {
    const [told] = await tellOverHttp(revision, [{ done: 1 }], 0);
    deepStrictEqual(told?.params, { progressToken: 0, progress: 1 });
  });

  for (
    const [tool, args, expected] of [
      [
        "bowire.subscribe",
        { ...streamOf("count"), maxFrames: 3 },
        [0, 1, 2].map((number) => ({
          progress: number + 1,
          message: `frame ${number + 1}: ${number}`,
        })),
      ],
      [
        "bowire.invoke",
        streamOf("progress", '"half\\u0007way"'),
        [1, 2, 3].map((progress) => ({
          progress,
          total: 3,
          message: '"half\\u0007way"',
        })),
      ],
    ] as const
  ) {
    Deno.test(`${tool} tells its progress over stdio in ${revision}, then its result`, async () => {
      await using home = await Home.make();
      const serve = ["mcp", "serve", "--allow-url", STREAMING_URL];
      await using agent = new Conversation(startBowire(home, serve, STREAMING));
      if (revision === "2025-11-25") await agent.initialize();
      const params = { name: tool, arguments: args, _meta: metaOf(revision, 42) };
      const id = await agent.start("tools/call", params);
      for (const step of expected) {
        const { method, params } = await agent.next();
        deepStrictEqual([method, params], ["notifications/progress", {
          progressToken: 42,
          ...step,
        }]);
      }
      strictEqual((await agent.next()).id, id);
      // Without a token nothing but the result comes.
      const plain = await agent.start("tools/call", { ...params, _meta: metaOf(revision) });
      strictEqual((await agent.next()).id, plain);
    });
  }
}
