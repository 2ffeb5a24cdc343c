import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { type AccessEntry, createDoor, formatAccess } from "../../lib/http/mod.ts";
import { within } from "../fakes/deadline.ts";

const ENTRY: AccessEntry = {
  time: new Date(Date.UTC(2026, 9, 10, 13, 55, 36)),
  remoteAddress: "127.0.0.1",
  method: "POST",
  path: "/mcp",
  status: 200,
  bytes: 2326,
  durationMs: 12.34,
  isWhole: true,
  mcp: ["tools/call", "bowire.discover"],
};

/** A door that notes, and what a request to it came to. */
async function ask(
  body: BodyInit | null,
  read: (response: Response) => Promise<unknown>,
  init: RequestInit = {},
): Promise<AccessEntry> {
  const told = Promise.withResolvers<AccessEntry>();
  const door = createDoor({ onAccess: told.resolve });
  const request = new Request("http://localhost/mcp?key=canary", init);
  const remoteAddr = { transport: "tcp", hostname: "127.0.0.1", port: 1 } as const;
  const response = await door(request, { remoteAddr }, () => new Response(body));
  await read(response);
  return await within(told.promise, "the entry");
}

Deno.test("formatAccess writes the Common Log Format, and what that lacks behind it", () => {
  strictEqual(
    formatAccess(ENTRY, "common"),
    '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "POST /mcp HTTP" 200 2326 12.3 ms tools/call ' +
      "bowire.discover",
  );
  match(
    formatAccess({ ...ENTRY, remoteAddress: "", isWhole: false }, "common"),
    /^- - .*\(left\)$/,
  );
});

Deno.test("formatAccess writes JSON that has it all", () => {
  const { time, ...others } = JSON.parse(formatAccess(ENTRY, "json"));
  const { time: _, ...known } = ENTRY;
  deepStrictEqual([time, others], ["2026-10-10T13:55:36.000Z", { ...known, durationMs: 12.3 }]);
});

Deno.test("formatAccess lets nothing end the line or move a cursor", () => {
  const mcp = ["tools/call\n", "\u001b[2J\u{1f600}\ud800"];
  for (const format of ["common", "json"] as const) {
    match(formatAccess({ ...ENTRY, mcp }, format), /^[\x20-\x7e]+$/);
  }
});

Deno.test("createDoor tells of a request when its answer is read, without the query", async () => {
  const headers = { "mcp-method": "tools/call", "mcp-name": "x" };
  const entry = await ask("12345", (response) => response.text(), { headers });
  deepStrictEqual(
    [entry.path, entry.bytes, entry.status, entry.isWhole, entry.remoteAddress, entry.mcp],
    ["/mcp", 5, 200, true, "127.0.0.1", ["tools/call", "x"]],
  );
});

Deno.test("createDoor tells of an answer without a body at once", async () => {
  const entry = await ask(null, () => Promise.resolve());
  deepStrictEqual([entry.bytes, entry.isWhole], [0, true]);
});

Deno.test("createDoor tells of one who left, and lets go of the answer", async () => {
  const gone = Promise.withResolvers<unknown>();
  const endless = new ReadableStream({
    pull: (to) => to.enqueue(new Uint8Array(7)),
    cancel: gone.resolve,
  });
  const entry = await ask(endless, async ({ body }) => {
    for await (const _ of body ?? []) break;
  });
  strictEqual(entry.isWhole, false);
  await within(gone.promise, "the answer to be let go");
});

Deno.test("createDoor tells of an answer that failed", async () => {
  const broken = new ReadableStream({ pull: (to) => to.error(new Error("broken")) });
  const entry = await ask(broken, (response) => response.text().catch(() => {}));
  deepStrictEqual([entry.bytes, entry.isWhole], [0, false]);
});
