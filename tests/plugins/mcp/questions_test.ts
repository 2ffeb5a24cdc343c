import { deepStrictEqual, doesNotMatch, match, rejects, strictEqual } from "node:assert/strict";
import type { TargetAnswer, TargetQuestion } from "../../../lib/model/mod.ts";
import { openFixture, testBoth } from "./fixture.ts";
import {
  type Answer,
  type Json,
  MODERN,
  openEvents,
  type Script,
  type ScriptedServer,
  serveMcp,
  toolNamed,
} from "./scripted.ts";

const FORM = {
  type: "object",
  properties: {
    name: { type: "string", default: "Bo" },
    depth: { type: "integer" },
    sure: { type: "boolean", default: false },
  },
  required: ["depth"],
};

/** A server of 2025 that asks once, and answers with what it was told. */
function serveQuestion(method: string, params: Json, by: "answer" | "listening" = "answer") {
  const told = Promise.withResolvers<Json>();
  const listening = openEvents();
  const script: Script = {
    tools: [toolNamed("ask")],
    on: {
      "tools/call"(_params, { message: { id } }) {
        const events = openEvents();
        const question = { jsonrpc: "2.0", id: "q", method, params };
        (by === "answer" ? events : listening).send(question);
        told.promise.then((structuredContent) => {
          events.send({ jsonrpc: "2.0", id, result: { structuredContent } });
          events.end();
        });
        return events.response;
      },
    },
    onReply: (reply) => told.resolve(reply),
  };
  return serveMcp(by === "answer" ? script : { ...script, listen: () => listening.response });
}

/** Calls the tool with a person there. */
async function call(mode: "none" | "worker", server: ScriptedServer, given?: TargetAnswer) {
  await using fixture = await openFixture(mode, server.url);
  const questions: TargetQuestion[] = [];
  const onQuestion = (question: TargetQuestion) => {
    questions.push(question);
    return Promise.resolve(given ?? { action: "cancel" as const });
  };
  const more = given === undefined ? {} : { onQuestion };
  const invocation = await fixture.invoke("Tools", "ask", {}, more);
  const { structuredContent } = JSON.parse(invocation.response ?? "{}");
  return { questions, reply: structuredContent, invocation };
}

const ELICITATION = { message: "How deep\u001b[31m?", requestedSchema: FORM };

for (const by of ["answer", "listening"] as const) {
  const where = by === "answer" ? "the stream of the answer" : "the stream that belongs to no call";
  testBoth(`a form that is asked for in ${where} is filled, defaults included`, async (mode) => {
    await using server = serveQuestion("elicitation/create", ELICITATION, by);
    const content = '{"depth":9007199254740993,"sure":true}';
    const { questions, reply } = await call(mode, server, { action: "accept", content });
    deepStrictEqual(questions, [{
      kind: "form",
      message: "How deep[31m?",
      schema: JSON.stringify(FORM),
    }]);
    strictEqual(reply.result.action, "accept");
    const [sent] = server.arrived.filter(({ message }) => message.id === "q");
    match(sent?.text ?? "", /"content":\{"name":"Bo","sure":true,"depth":9007199254740993\}/);
  });
}

for (const action of ["decline", "cancel"] as const) {
  testBoth(`a form that a person leaves with "${action}" has no content`, async (mode) => {
    await using server = serveQuestion("elicitation/create", ELICITATION);
    const { reply, invocation } = await call(mode, server, { action });
    deepStrictEqual(reply.result, { action });
    strictEqual(invocation.metadata.mcp_note, undefined);
  });
}

testBoth("a question is declined where nobody is there, and noted", async (mode) => {
  await using server = serveQuestion("elicitation/create", ELICITATION);
  const { reply, invocation } = await call(mode, server);
  deepStrictEqual(reply.result, { action: "decline" });
  strictEqual(
    invocation.metadata.mcp_note,
    'the server asked "How deep[31m?", and nobody was there to answer',
  );
});

testBoth("a person is sent to web pages", async (mode) => {
  const url = "https://example.com/pay?id=1";
  await using server = serveQuestion("elicitation/create", {
    mode: "url",
    message: "Pay",
    url,
    elicitationId: "e",
  });
  const { questions, reply } = await call(mode, server, { action: "accept" });
  deepStrictEqual(questions, [{ kind: "visit", message: "Pay", url }]);
  deepStrictEqual(reply.result, { action: "accept" });
});

for (
  const url of ["file:///etc/passwd", "javascript:alert(1)", "x", "", "$(id)", "data:text/html,x"]
) {
  testBoth(`a person is never sent to ${JSON.stringify(url)}`, async (mode) => {
    await using server = serveQuestion("elicitation/create", { mode: "url", message: "Go", url });
    const { questions, reply, invocation } = await call(mode, server, { action: "accept" });
    deepStrictEqual(questions, []);
    deepStrictEqual(reply.result, { action: "decline" });
    match(
      invocation.metadata.mcp_note ?? "",
      /declined to visit what is no http or https URL: "Go"/,
    );
  });
}

const SAMPLING = {
  systemPrompt: "Be brief.",
  messages: [
    { role: "user", content: { type: "text", text: "Ahoy?" } },
    { role: "assistant", content: [{ type: "text", text: "Ay." }, { type: "image", data: "" }] },
  ],
  maxTokens: 10,
};

testBoth("a person replies in place of a model", async (mode) => {
  await using server = serveQuestion("sampling/createMessage", SAMPLING);
  const given = { action: "accept", content: '"Ay ay"' } as const;
  const { questions, reply } = await call(mode, server, given);
  deepStrictEqual(questions, [{
    kind: "reply",
    message: "system: Be brief.\nuser: Ahoy?\nassistant: Ay.\nassistant: (image)",
  }]);
  deepStrictEqual(reply.result, {
    role: "assistant",
    content: { type: "text", text: "Ay ay" },
    model: "human",
    stopReason: "endTurn",
  });
});

testBoth("nobody replies in place of a model, and the server is told so", async (mode) => {
  await using server = serveQuestion("sampling/createMessage", SAMPLING);
  const { reply } = await call(mode, server);
  deepStrictEqual(reply.error.code, -1);
});

/** A server of 2026 that answers the first rounds with questions. */
function serveRounds(ask: (round: number, params: Json) => Json | undefined) {
  let round = 0;
  const answer: Answer = (params) => {
    const asked = ask(round++, params);
    return asked === undefined
      ? { structuredContent: { rounds: round } }
      : { resultType: "input_required", ...asked };
  };
  const answers = { "tools/call": answer, "prompts/get": answer };
  return serveMcp({
    revision: MODERN,
    tools: [toolNamed("ask")],
    prompts: [{ name: "ask" }],
    on: answers,
  });
}

const QUESTION = {
  first: { method: "elicitation/create", params: ELICITATION },
  second: { method: "sampling/createMessage", params: SAMPLING },
};

testBoth("a request is sent again with what was asked for, and with the state", async (mode) => {
  await using server = serveRounds((round) =>
    round === 0
      ? { inputRequests: QUESTION, requestState: "opaque=" }
      : round === 1
      ? { inputRequests: { third: QUESTION.first }, requestState: "other" }
      : undefined
  );
  const { invocation, questions } = await call(mode, server, { action: "accept", content: '"x"' });
  deepStrictEqual(questions.map(({ kind }) => kind), ["form", "reply", "form"]);
  deepStrictEqual(JSON.parse(invocation.response ?? ""), { structuredContent: { rounds: 3 } });
  const [one, two, three] = server.named("tools/call").map(({ message }) => message);
  deepStrictEqual(Object.keys(one?.params).sort(), ["_meta", "arguments", "name"]);
  deepStrictEqual(Object.keys(two?.params.inputResponses), ["first", "second"]);
  deepStrictEqual([two?.params.requestState, three?.params.requestState], ["opaque=", "other"]);
  deepStrictEqual(Object.keys(three?.params.inputResponses), ["third"]);
  strictEqual(new Set([one?.id, two?.id, three?.id]).size, 3);
  deepStrictEqual(two?.params.inputResponses.first, {
    action: "accept",
    content: { name: "Bo", sure: false },
  });
});

testBoth("a state alone is sent back, and none where there was none", async (mode) => {
  await using server = serveRounds((round) =>
    round === 0 ? { requestState: "s" } : round === 1 ? { inputRequests: {} } : undefined
  );
  const { invocation } = await call(mode, server);
  strictEqual(invocation.ok, true);
  const [, two, three] = server.named("tools/call").map(({ message }) => message.params);
  deepStrictEqual([two.requestState, "inputResponses" in two], ["s", false]);
  strictEqual("requestState" in three, false);
});

testBoth("rounds without an end are given up", async (mode) => {
  await using server = serveRounds(() => ({ requestState: "again" }));
  await rejects(call(mode, server), {
    code: "call_failed",
    message: /tools\/call was given up: the server asks without an end/,
  });
  strictEqual(server.named("tools/call").length, 16);
});

testBoth(
  "a prompt may ask as well, and what is refused is declined in its answers",
  async (mode) => {
    await using server = serveRounds((round) =>
      round === 0 ? { inputRequests: QUESTION, requestState: "s" } : undefined
    );
    await using fixture = await openFixture(mode, server.url);
    const { ok, metadata } = await fixture.invoke("Prompts", "ask");
    strictEqual(ok, true);
    const [, again] = server.named("prompts/get");
    deepStrictEqual(again?.message.params.inputResponses, { first: { action: "decline" } });
    match(
      metadata.mcp_note ?? "",
      /nobody was there to answer; the server asked "system: Be brief/,
    );
    // deno-lint-ignore no-control-regex -- it must not be there
    doesNotMatch(metadata.mcp_note ?? "", /\u001b/);
  },
);
