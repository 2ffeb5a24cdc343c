import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { ContentBlock, ToolCall } from "../../lib/mcp/mod.ts";
import { resultOf, tinyCatalogue } from "../fakes/tiny_catalogue.ts";
import { connectHttp, connectStreams, ERAS } from "./connect.ts";

const BLOCKS: readonly ContentBlock[] = [
  { type: "text", text: "a cat" },
  { type: "image", data: "iVBORw==", mimeType: "image/png" },
  { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
  { type: "resource", resource: { uri: "cat:1", text: "{}", mimeType: "application/json" } },
  { type: "resource", resource: { uri: "cat:2", blob: "AAE=" } },
  { type: "resource_link", uri: "cat:3", name: "cat", title: "A cat", size: 12 },
];

for (const { era, mode } of ERAS) {
  Deno.test(`content goes out block by block in a ${era}`, async () => {
    const catalogue = tinyCatalogue({
      both: () => ({ kind: "content", content: BLOCKS, structured: { n: 1 }, isError: false }),
      bare: () => ({ kind: "content", content: [], isError: true }),
    });
    await using connected = await connectHttp(catalogue, { mode });
    const both = await connected.client.callTool({ name: "both" });
    deepStrictEqual(
      [both.content, both.structuredContent, both.isError],
      [BLOCKS, { n: 1 }, false],
    );
    const bare = await connected.client.callTool({ name: "bare" });
    deepStrictEqual([bare.content, bare.isError], [[], true]);
    strictEqual("structuredContent" in bare, false);
  });

  Deno.test(`the metadata of a tool is listed as it is in a ${era}`, async () => {
    const catalogue = tinyCatalogue({ plain: () => resultOf({}) });
    const _meta = { "example.org/ui": { resource: "ui://cat" } };
    const listTools = () => catalogue.listTools().map((tool) => ({ ...tool, _meta }));
    await using connected = await connectHttp({ ...catalogue, listTools }, { mode });
    const { tools } = await connected.client.listTools();
    deepStrictEqual(tools.map((tool) => tool._meta), [_meta]);
  });

  Deno.test(`a call has the headers of its own request in a ${era}`, async () => {
    const calls: ToolCall[] = [];
    const catalogue = tinyCatalogue({
      note(call) {
        calls.push(call);
        return resultOf({});
      },
    });
    const headers = { "X-Tenant": "first" };
    await using connected = await connectHttp(catalogue, { mode, headers });
    await connected.client.callTool({ name: "note" });
    headers["X-Tenant"] = "second";
    await connected.client.callTool({ name: "note" });
    deepStrictEqual(calls.map((call) => call.headers?.["x-tenant"]), ["first", "second"]);
    await using piped = await connectStreams(catalogue, { mode });
    await piped.client.callTool({ name: "note" });
    strictEqual(calls.length, 3);
    strictEqual(calls.at(-1)?.headers, undefined);
  });
}
