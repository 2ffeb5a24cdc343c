import { ok, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { ForwardingMcpTransport } from "../../lib/forwarder/mod.ts";
import { post, startChild } from "./child.ts";
import { id, members } from "./json_texts.ts";
import { event, events, json, startParent } from "./scripted_parent.ts";

/** A request, a notification on the way, and the answer. */
const traffic = fc.record({
  request: fc.tuple(id, members, members).map(([id, params, more]) => ({
    id,
    text: `{"jsonrpc":"2.0", "id" : ${id},"method":"x/any","params":{${params}}${comma(more)}}`,
  })),
  notice: fc.tuple(members, members).map(([params, more]) =>
    `{"method":"notifications/x","params":{${params}},"jsonrpc":"2.0"${comma(more)}}`
  ),
  result: fc.tuple(members, members),
  isStream: fc.boolean(),
});

function comma(members: string): string {
  return members === "" ? "" : `,${members}`;
}

/** Random traffic through both kinds of relay; what each gets is given as it came. */
async function relayAll(
  check: (seen: { sent: string; received: string; answered: string; how: string }) => void,
): Promise<void> {
  let script = () => json("{}");
  await using parent = startParent(() => script());
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await fc.assert(
    fc.asyncProperty(traffic, async ({ request, notice, result: [inner, more], isStream }) => {
      const answer = `{"result":{${inner}},"id":${request.id}${comma(more)},"jsonrpc":"2.0"}`;
      const stream = `: a comment\n\nid: 7\nx-field: y\n${event(notice)}${event(answer)}`;
      script = () => isStream ? events(stream) : json(answer);

      const byHttp = await (await forwarder.fetch(post(request.text))).text();
      check({
        sent: request.text,
        received: parent.sent.at(-1)?.text ?? "",
        answered: byHttp,
        how: isStream ? stream : answer,
      });

      await child.send(request.text);
      const lines = isStream ? [await child.next(), await child.next()] : [await child.next()];
      check({
        sent: request.text,
        received: parent.sent.at(-1)?.text ?? "",
        answered: lines.join("\n"),
        how: isStream ? `${notice}\n${answer}` : answer,
      });
    }),
    { numRuns: 300 },
  );
}

Deno.test("C63 random traffic passes both relays byte for byte, both ways", async () => {
  let seen = 0;
  await relayAll(({ sent, received, answered, how }) => {
    strictEqual(received, sent);
    strictEqual(answered, how);
    seen++;
  });
  ok(seen >= 600);
});

const DEEP = 100_000;
const HUGE: Readonly<Record<string, string>> = {
  "a string of 5 MB": JSON.stringify('ä\n"\\😀'.repeat(5 * 1024 * 1024 / 16)),
  "100,000 lists within each other": "[".repeat(DEEP) + "]".repeat(DEEP),
  "100,000 lists and an integer of 64 bits": `[${"[".repeat(DEEP)}${
    "]".repeat(DEEP)
  },9223372036854775807]`,
  "5 MB of small members": `{${
    Array.from({ length: 200_000 }, (_, index) => `"member ${index}":[${index},null]`).join(",")
  }}`,
};

for (const [what, text] of Object.entries(HUGE)) {
  for (const isStream of [false, true]) {
    Deno.test(`${what} passes ${isStream ? "as an event" : "as JSON"}, both ways`, async () => {
      const request =
        `{"jsonrpc":"2.0","id":9223372036854775807,"method":"x","params":{"x":${text}}}`;
      const answer = `{"jsonrpc":"2.0","id":9223372036854775807,"result":{"x":${text}}}`;
      await using parent = startParent(() => isStream ? events(event(answer)) : json(answer));
      await using forwarder = new ForwardingMcpTransport(parent.url);
      const byHttp = await (await forwarder.fetch(post(request))).text();
      ok(byHttp === (isStream ? event(answer) : answer));
      await using child = startChild(forwarder);
      await child.send(request);
      ok(await child.next() === answer);
      ok(parent.sent.every(({ text }) => text === request));
      strictEqual(parent.sent.length, 2);
    });
  }
}

Deno.test("lines within a message are none of the stream's", async () => {
  const answer = '{\n  "jsonrpc": "2.0",\r\n  "id": 1,\n  "result": { "text": "a\\nb" }\n}\n';
  await using parent = startParent(() => json(answer));
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await child.send('{"jsonrpc":"2.0","id":1,"method":"x"}');
  const line = await child.next();
  strictEqual(line.replaceAll(" ", ""), answer.replaceAll(/[\r\n ]/g, ""));
  strictEqual(JSON.parse(line).result.text, "a\nb");
  strictEqual(await (await forwarder.fetch(post('{"id":1,"method":"x"}'))).text(), answer);
});
