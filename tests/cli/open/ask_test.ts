import { deepStrictEqual, match, ok } from "node:assert/strict";
import { HAS_PTY, runOnTerminal } from "../../fakes/bowire_process.ts";
import { Home } from "../../fakes/home.ts";
import { type Json, openEvents, serveMcp, toolNamed } from "../../plugins/mcp/scripted.ts";

/** Calls a tool that asks, from a terminal at which something is typed. */
async function answer(method: string, params: Json, typed: string) {
  await using home = await Home.make();
  const told = Promise.withResolvers<Json>();
  await using server = serveMcp({
    tools: [toolNamed("ask")],
    on: {
      "tools/call"(_params, { message: { id } }) {
        const events = openEvents();
        events.send({ jsonrpc: "2.0", id: "q", method, params });
        told.promise.then(() => {
          events.send({ jsonrpc: "2.0", id, result: { content: [] } });
          events.end();
        });
        return events.response;
      },
    },
    onReply: (reply) => told.resolve(reply),
  });
  const shown = await runOnTerminal(home, ["call", "Tools/ask", "--url", server.url], { typed });
  const [sent] = server.arrived.filter(({ message }) => message.id === "q");
  const { result, error } = JSON.parse(sent?.text ?? "{}");
  return { shown, result, error, text: sent?.text ?? "" };
}

const FORM = {
  type: "object",
  properties: {
    name: { type: "string", title: "Your name", description: "as on the crew list" },
    depth: { type: "integer" },
    share: { type: "number", default: 0.5 },
    sure: { type: "boolean" },
    colour: {
      type: "string",
      oneOf: [{ const: "r", title: "Red" }, { const: "g", title: "Green" }],
    },
    days: { type: "array", items: { type: "string", enum: ["mon", "tue"] } },
    note: { type: "string" },
  },
  required: ["name", "depth", "sure"],
};

function terminalTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore: !HAS_PTY, fn });
}

terminalTest(
  "a form of a server is filled at the terminal, and asked again where it does not fit",
  async () => {
    const typed = ["y", "Ek", "deep", "9007199254740993", "", "yes", "x", "g", "mon, tue", "", ""];
    const { shown, result, text } = await answer(
      "elicitation/create",
      { message: "Who \u001b[31mdives?", requestedSchema: FORM },
      typed.join("\n"),
    );
    match(shown, /The server asks:.*Who \[31mdives\?/);
    match(shown, /Your name: as on the crew list \[string; required\]/);
    match(shown, /share \[number; Enter for 0\.5\]/);
    match(shown, /colour \[r \(Red\), g \(Green\)\]/);
    match(shown, /days \[mon, tue; several with commas\]/);
    deepStrictEqual(shown.match(/That does not fit/g)?.length, 2);
    deepStrictEqual(result.action, "accept");
    ok(text.includes('"depth":9007199254740993'), text);
    const { depth: _, ...content } = result.content;
    deepStrictEqual(content, {
      share: 0.5,
      name: "Ek",
      sure: true,
      colour: "g",
      days: ["mon", "tue"],
    });
  },
);

terminalTest("a form is declined by anything but a yes", async () => {
  const { result } = await answer(
    "elicitation/create",
    { message: "Who?", requestedSchema: FORM },
    "no\n",
  );
  deepStrictEqual(result, { action: "decline" });
});

terminalTest("a page is shown and not opened, and done when the person says so", async () => {
  const params = { mode: "url", message: "Sign in", url: "https://a.example/in?x=1" };
  const { shown, result } = await answer("elicitation/create", params, "y\n");
  match(shown, /https:\/\/a\.example\/in\?x=1/);
  deepStrictEqual(result, { action: "accept" });
});

terminalTest("a conversation is answered by a line, and declined by none", async () => {
  const params = {
    systemPrompt: "Be brief.",
    messages: [{ role: "user", content: { type: "text", text: "Capital of Norway?" } }],
    maxTokens: 10,
  };
  const { shown, result } = await answer("sampling/createMessage", params, "Oslo\n");
  match(shown, /system: Be brief\.\r?\n.*user: Capital of Norway\?/);
  deepStrictEqual(result.content, { type: "text", text: "Oslo" });
  const { error } = await answer("sampling/createMessage", params, "\n");
  match(error.message, /rejected/);
});
