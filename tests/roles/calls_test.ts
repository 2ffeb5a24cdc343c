import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startRestTarget } from "../../samples/rest_target/server.ts";
import { startHttp } from "../fakes/bowire_process.ts";
import { type ClientKind, clientTest, connectClient } from "../fakes/clients.ts";
import { type Conversation, resultOf, startStdio } from "../fakes/conversation.ts";
import { within } from "../fakes/deadline.ts";
import { Home } from "../fakes/home.ts";
import { type RecordingTarget, startRecordingTarget } from "../fakes/target.ts";

/** An agent that may reach a target. */
async function startAgent(home: Home, { url }: { url: string }): Promise<Conversation> {
  const agent = startStdio(home, ["--allow-url", url]);
  await agent.initialize();
  return agent;
}

/** Calls a URL as it is. */
function callUrl(agent: Conversation, url: string, args: Record<string, unknown> = {}) {
  return agent.call("bowire.invoke", { url, service: "", method: "GET", ...args });
}

for (
  const [status, isRetryable] of [[400, false], [404, false], [409, false], [429, true], [
    500,
    false,
  ], [503, true]] as const
) {
  Deno.test(
    `C57 bowire.invoke tells of a ${status} as an error that ${isRetryable ? "may pass" : "stays"}`,
    async () => {
      await using home = await Home.make();
      await using target = startRecordingTarget();
      await using agent = await startAgent(home, target);
      const { isError, structuredContent } = await callUrl(agent, `${target.url}/status/${status}`);
      strictEqual(isError, true);
      strictEqual(structuredContent.metadata.http_status, `${status}`);
      strictEqual(structuredContent.error.code, "call_failed");
      strictEqual(structuredContent.error.retryable, structuredContent.retryable);
      strictEqual(structuredContent.retryable, isRetryable);
      ok(structuredContent.status !== "OK");
      strictEqual(structuredContent.response, `{"status":${status}}`);
    },
  );
}

Deno.test("bowire.invoke tells of a target that is not there, and that it may come", async () => {
  await using home = await Home.make();
  let url = "";
  {
    await using gone = startRecordingTarget();
    url = gone.url;
  }
  await using agent = await startAgent(home, { url });
  const { isError, structuredContent } = await callUrl(agent, url);
  strictEqual(isError, true);
  deepStrictEqual(
    [structuredContent.error.code, structuredContent.error.retryable],
    ["unreachable", true],
  );
});

Deno.test("bowire.invoke gives up after timeoutMs and lets the target go", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using agent = await startAgent(home, target);
  const { isError, structuredContent } = await callUrl(agent, `${target.url}/hang`, {
    timeoutMs: 200,
  });
  strictEqual(isError, true);
  deepStrictEqual(
    [structuredContent.error.code, structuredContent.error.retryable],
    ["timeout", true],
  );
  await target.abandoned;
});

Deno.test("notifications/cancelled ends the request at the target", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using agent = await startAgent(home, target);
  const requestId = await agent.start("tools/call", {
    name: "bowire.invoke",
    arguments: { url: `${target.url}/hang`, service: "", method: "GET" },
  });
  await within(target.hanging, "the call to arrive");
  await agent.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  await target.abandoned;
  deepStrictEqual((await agent.request("ping")).result, {});
  // A cancelled request is not answered (MCP, cancellation).
  ok(agent.lines.every((line) => JSON.parse(line).id !== requestId));
});

for (const kind of ["sdk 1", "sdk 2 legacy", "sdk 2 pinned"] satisfies ClientKind[]) {
  for (const over of ["stdio", "HTTP"]) {
    clientTest(kind, `over ${over} ends the request at the target by aborting`, async () => {
      await using home = await Home.make();
      await using target = startRecordingTarget();
      const args = ["--allow-url", target.url];
      await using server = over === "HTTP" ? await startHttp(home, args) : undefined;
      await using client = await connectClient(
        kind,
        server === undefined ? { kind: "stdio", home, args } : { kind: "http", url: server.url },
      );
      const abort = new AbortController();
      const called = client.callTool("bowire.invoke", {
        url: `${target.url}/hang`,
        service: "",
        method: "GET",
      }, { signal: abort.signal }).then(() => "answered", () => "aborted");
      await within(target.hanging, "the call to arrive");
      abort.abort();
      strictEqual(await called, "aborted");
      await target.abandoned;
    });
  }
}

const BIG = "9007199254740993";

Deno.test("bowire.invoke sends a big integer of an object exactly, and returns it exactly", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using agent = await startAgent(home, target);
  await agent.send(
    '{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":"bowire.invoke","arguments":' +
      `{"url":"${target.url}/echo","service":"","method":"POST","body":{"id":${BIG},"list":[-${BIG},1.10,1e400]}}}}`,
  );
  const { structuredContent } = resultOf(await agent.answerTo("big"));
  match(
    target.arrived[0]?.body ?? "",
    /\{"id":9007199254740993,"list":\[-9007199254740993,1\.10?,1e400\]\}/,
  );
  strictEqual(structuredContent.response, target.arrived[0]?.body);
});

Deno.test("bowire.invoke sends a body that is text as it is", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using agent = await startAgent(home, target);
  const body = `{ "id" : ${BIG} }`;
  const { structuredContent } = await callUrl(agent, `${target.url}/echo`, {
    method: "POST",
    body,
  });
  match(target.arrived[0]?.body ?? "", new RegExp(`"id" ?: ?${BIG}`));
  strictEqual(structuredContent.response, target.arrived[0]?.body);
});

Deno.test("bowire.invoke refuses a body that is text but not JSON", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using agent = await startAgent(home, target);
  const { structuredContent } = await callUrl(agent, `${target.url}/echo`, {
    method: "POST",
    body: "plain",
  });
  strictEqual(structuredContent.error.code, "invalid_argument");
  strictEqual(target.arrived.length, 0);
});

Deno.test("bowire.invoke fills a path with a big id and reads big ids back, by a document", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using agent = await startAgent(home, target);
  await agent.send(
    '{"jsonrpc":"2.0","id":"ship","method":"tools/call","params":{"name":"bowire.invoke","arguments":' +
      `{"url":"${target.url}","service":"Ships","method":"getShip","body":{"shipId":${BIG}}}}}`,
  );
  const { isError, structuredContent } = resultOf(await agent.answerTo("ship"));
  strictEqual(isError, false);
  match(structuredContent.response, /"id":9007199254740993,"name":"Aurora"/);
});

Deno.test("bowire.invoke cuts a long response and says so", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using agent = await startAgent(home, target);
  const body = JSON.stringify("x".repeat(1000));
  const { structuredContent } = await callUrl(agent, `${target.url}/echo`, {
    method: "POST",
    body,
    maxResponseChars: 10,
  });
  deepStrictEqual([structuredContent.response, structuredContent.truncated], ['"xxxxxxxxx', true]);
});

Deno.test("bowire.discover narrows to a service and a method, and names what is unknown", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using agent = await startAgent(home, target);
  const { url } = target;
  const one = await agent.call("bowire.discover", { url, service: "Ships", method: "getShip" });
  const [service] = one.structuredContent.services;
  deepStrictEqual([service.methods.length, service.methodCount], [1, 1]);
  strictEqual(service.methods[0].input.fields[0].name, "shipId");
  const noService = await agent.call("bowire.discover", { url, service: "Planes" });
  strictEqual(noService.structuredContent.error.code, "unknown_service");
  match(noService.structuredContent.error.hint, /Ships/);
  const noMethod = await agent.call("bowire.discover", { url, service: "Ships", method: "sink" });
  strictEqual(noMethod.structuredContent.error.code, "unknown_method");
});

Deno.test("bowire.discover tells how each protocol fared where there is nothing", async () => {
  await using home = await Home.make();
  await using target: RecordingTarget = startRecordingTarget();
  await using agent = await startAgent(home, target);
  const { isError, structuredContent } = await agent.call("bowire.discover", { url: target.url });
  strictEqual(isError, true);
  strictEqual(structuredContent.error.code, "not_discovered");
  strictEqual(structuredContent.error.details.attempts[0].pluginId, "rest");
});

Deno.test("bowire.discover gives a method's schema and arguments that bowire.invoke takes", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using agent = await startAgent(home, target);
  const { url } = target;
  const method = { url, service: "Ships", method: "registerShip" };
  const found = await agent.call("bowire.discover", method);
  const { sample, inputSchema, outputSchema } = found.structuredContent.services[0].methods[0];
  ok(inputSchema.required.length > 0);
  ok(inputSchema.required.every((name: string) => name in sample));
  ok(outputSchema.$defs.Ship !== undefined);
  const done = await agent.call("bowire.invoke", { ...method, body: sample });
  strictEqual(done.structuredContent.metadata.http_status, "201");
});

Deno.test("bowire.discover leaves out schemas that do not fit, and says so", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using agent = await startAgent(home, target);
  const method = { url: target.url, service: "Bookings", method: "bookBerth", maxChars: 2200 };
  const { structuredContent } = await agent.call("bowire.discover", method);
  const [shown] = structuredContent.services[0].methods;
  ok(shown.sample !== undefined && shown.outputSchema === undefined);
  strictEqual(structuredContent.truncated, true);
  match(structuredContent.note, /raise maxChars/);
});

Deno.test("bowire.invoke names every violation and sends nothing, unless told not to look", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using agent = await startAgent(home, target);
  const body = { shipId: "x", berth: "N1", from: "tomorrow", to: "2030-06-03" };
  const call = { url: target.url, service: "Bookings", method: "bookBerth", body };
  const { isError, structuredContent: { error } } = await agent.call("bowire.invoke", call);
  strictEqual(isError, true);
  deepStrictEqual(error.details.violations, [
    { path: "shipId", message: "is not an integer but a string" },
    { path: "from", message: "is not a date" },
  ]);
  match(error.hint, /validate: false/);
  const sent = await agent.call("bowire.invoke", { ...call, validate: false });
  strictEqual(sent.structuredContent.error.code, "call_failed");
});
