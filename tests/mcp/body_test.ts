import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { type BodyLimits, createEndpoint } from "../../lib/mcp/mod.ts";
import { within } from "../fakes/deadline.ts";
import { MCP_HEADERS } from "../fakes/mcp_requests.ts";
import { echo, tinyCatalogue } from "../fakes/tiny_catalogue.ts";

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

/** What an endpoint answers to a body. */
async function answerTo(
  body: BodyInit,
  limits: BodyLimits = {},
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const endpoint = createEndpoint(tinyCatalogue({ echo }));
  const init = { method: "POST", headers: { ...MCP_HEADERS, ...headers }, body };
  const request = new Request("http://127.0.0.1/mcp", init);
  const response = await within(
    endpoint.fetch(request, { principal: "", ...limits }),
    "an answer",
  );
  const answer = { status: response.status, text: await response.text() };
  await endpoint.close();
  return answer;
}

/** A body that begins, and goes on as it is told. */
function begun(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
    pull,
  });
}

Deno.test("a body that does not come in time is refused with 408", async () => {
  const { status, text } = await answerTo(begun(() => {}), { bodyTimeoutMs: 5 });
  strictEqual(status, 408);
  match(text, /did not come in 5 ms/);
});

Deno.test("a body that breaks off is refused with 400", async () => {
  const body = begun((controller) => controller.error(new Error("canary")));
  const { status, text } = await answerTo(body);
  deepStrictEqual([status, JSON.parse(text).error.message], [
    400,
    "Invalid Request: the body broke off",
  ]);
});

for (
  const [what, body, headers] of [
    ["whose length is told", PING, { "content-length": String(PING.length) }],
    ["whose length is not told", new Blob([PING]).stream(), {}],
  ] as const
) {
  Deno.test(`a body ${what} is taken up to the limit`, async () => {
    const whole = await answerTo(body, { maxBodyBytes: PING.length }, headers);
    strictEqual(whole.status, 200);
    const larger = new Blob([PING, " "]).stream();
    const length = "content-length" in headers ? { "content-length": `${PING.length + 1}` } : {};
    const { status, text } = await answerTo(larger, { maxBodyBytes: PING.length }, length);
    strictEqual(status, 413);
    match(text, /larger than 40 bytes/);
  });
}
