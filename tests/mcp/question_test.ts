import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import type { ClientCapabilities, ElicitResult } from "@modelcontextprotocol/client";
import { ask, echo, tinyCatalogue, whoami } from "../fakes/tiny_catalogue.ts";
import { type ConnectedOverHttp, connectHttp, ERAS, type Speech } from "./connect.ts";

interface Asked extends ConnectedOverHttp {
  /** The forms that the person was shown. */
  readonly forms: unknown[];
}

async function connect(
  mode: Speech["mode"],
  capabilities: ClientCapabilities,
  answer: ElicitResult = { action: "cancel" },
): Promise<Asked> {
  const forms: unknown[] = [];
  const connected = await connectHttp(tinyCatalogue({ ask, echo, whoami }), {
    mode,
    capabilities,
    prepare(client) {
      if (capabilities.elicitation === undefined) return;
      client.setRequestHandler("elicitation/create", (request) => {
        forms.push(request.params);
        return answer;
      });
    },
  });
  return { ...connected, forms };
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
