import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import {
  Client,
  type ClientCapabilities,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { createEndpoint } from "../../lib/mcp/mod.ts";
import { ask, echo, tinyCatalogue, whoami } from "../fakes/tiny_catalogue.ts";

/** The eras that a client can speak in, with the revision that comes of it. */
const ERAS = [
  { era: "2025 session", mode: "legacy", revision: "2025-11-25" },
  { era: "2026-07-28", mode: { pin: "2026-07-28" }, revision: "2026-07-28" },
] as const;

interface Connected extends AsyncDisposable {
  readonly client: Client;
  /** The forms that the person was shown. */
  readonly forms: unknown[];
  /** Session ids that requests carried. */
  readonly sessions: Set<string | null>;
}

async function connect(
  mode: "legacy" | { pin: string },
  capabilities: ClientCapabilities,
  answer: ElicitResult = { action: "cancel" },
): Promise<Connected> {
  const endpoint = createEndpoint(tinyCatalogue({ ask, echo, whoami }));
  const client = new Client({ name: "asker", version: "1" }, {
    capabilities,
    versionNegotiation: { mode },
  });
  const forms: unknown[] = [];
  const sessions = new Set<string | null>();
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler("elicitation/create", (request) => {
      forms.push(request.params);
      return answer;
    });
  }
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      sessions.add(request.headers.get("mcp-session-id"));
      return await endpoint.fetch(request, { principal: "P" });
    },
  });
  await client.connect(transport);
  return {
    client,
    forms,
    sessions,
    async [Symbol.asyncDispose]() {
      await client.close();
      await endpoint.close();
    },
  };
}

const FORM = { elicitation: { form: {} } };

for (const { era, mode, revision } of ERAS) {
  Deno.test(`a question reaches the person in a ${era}, and the answer the tool`, async () => {
    await using connected = await connect(mode, FORM, {
      action: "accept",
      content: { confirm: true },
    });
    const { client, forms } = connected;
    strictEqual(client.getNegotiatedProtocolVersion(), revision);
    const result = await client.callTool({ name: "ask", arguments: { a: 1 } });
    deepStrictEqual(result.structuredContent, { isYes: true, state: "state-1" });
    const [form] = forms as { message: string; requestedSchema: unknown }[];
    strictEqual(forms.length, 1);
    strictEqual(form?.message, "Shall it be?");
    deepStrictEqual(form.requestedSchema, {
      type: "object",
      properties: { confirm: { type: "boolean", title: "Let it be" } },
      required: ["confirm"],
    });
  });

  const NOES: readonly ElicitResult[] = [
    { action: "decline" },
    { action: "cancel" },
    { action: "accept", content: { confirm: false } },
    { action: "decline", content: { confirm: true } },
  ];
  for (const answer of NOES) {
    Deno.test(`${JSON.stringify(answer)} is a no in a ${era}`, async () => {
      await using connected = await connect(mode, FORM, answer);
      const result = await connected.client.callTool({ name: "ask" });
      deepStrictEqual(result.structuredContent, { isYes: false, state: "state-1" });
    });
  }

  const CAPABILITIES: readonly (readonly [ClientCapabilities, boolean])[] = [
    [{}, false],
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: { url: {}, form: {} } }, true],
  ];
  for (const [capabilities, mayAsk] of CAPABILITIES) {
    Deno.test(`mayAsk is ${mayAsk} for ${JSON.stringify(capabilities)} in a ${era}`, async () => {
      await using connected = await connect(mode, capabilities);
      const { structuredContent } = await connected.client.callTool({ name: "whoami" });
      strictEqual((structuredContent as { mayAsk: boolean }).mayAsk, mayAsk);
    });
  }

  Deno.test(`an unknown tool is an error of the protocol in a ${era}`, async () => {
    await using connected = await connect(mode, {});
    await rejects(connected.client.callTool({ name: "nothing" }), { code: -32602 });
  });

  Deno.test(`the tool learns of client and credentials in a ${era}`, async () => {
    await using connected = await connect(mode, {});
    const { structuredContent } = await connected.client.callTool({ name: "whoami" });
    const lines = (structuredContent as { principal: string }).principal.split("\n");
    deepStrictEqual([lines[0], ...lines.slice(2)], ["P", "asker", "1"]);
    const [session] = [...connected.sessions].filter((id) => id !== null);
    strictEqual(lines[1], mode === "legacy" ? session : "");
    ok(mode === "legacy" ? session !== undefined : session === undefined);
  });
}
