import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { rejectionOf } from "../fakes/rooms.ts";
import { NOWHERE, openFixture } from "./fixture.ts";
import { FORGED } from "./plugins.ts";

Deno.test("Sandbox fails the calls of a worker that broke, and starts another", async () => {
  await using fixture = openFixture();
  const waiting = rejectionOf(fixture.ask("deaf"));
  const breaking = rejectionOf(fixture.ask("throw", "CANARY"));
  for (const refusal of [await waiting, await breaking]) {
    strictEqual(refusal.code, "plugin_failed");
    strictEqual(refusal.retryable, true);
    match(refusal.message, /^call to "http:\/\/127\.0\.0\.1:9\/" was lost: /);
    ok(!refusal.message.includes("CANARY"));
  }
  strictEqual(await fixture.ask("echo", "again"), "again");
  strictEqual(fixture.sandbox.workers, 1);
});

Deno.test("Sandbox survives a rejection that a plugin left unhandled", async () => {
  await using fixture = openFixture();
  await fixture.ask("reject", "CANARY");
  strictEqual(await fixture.ask("echo", "again"), "again");
});

for (const name of FORGED) {
  Deno.test(`Sandbox ends a worker that sends ${name}, and the process lives`, async () => {
    const lookup = () => new Promise<never>(() => {}); // what is asked for stays open
    await using fixture = openFixture([NOWHERE], { lookup });
    strictEqual((await rejectionOf(fixture.ask("forge", name))).code, "plugin_failed");
    strictEqual(await fixture.ask("echo", "again"), "again");
  });
}

Deno.test("Sandbox survives a plugin that throws what has no words", async () => {
  await using fixture = openFixture();
  await rejects(fixture.ask("odd"), { message: "a plugin broke" });
  strictEqual(await fixture.ask("echo", "again"), "again");
  strictEqual(fixture.sandbox.workers, 1);
});

for (const method of ["exit", "processExit", "close"]) {
  Deno.test(`Sandbox does not let a plugin end the worker by ${method}`, async () => {
    await using fixture = openFixture();
    await rejects(fixture.ask(method), { message: "a plugin broke" });
    strictEqual(await fixture.ask("echo", "again"), "again");
  });
}

Deno.test("Sandbox ends a worker that takes too much memory, before the process dies of it", async () => {
  await using fixture = openFixture([NOWHERE], { limits: { memoryBytes: 200 * 1024 ** 2 } });
  const refusal = await rejectionOf(fixture.ask("bloat"));
  strictEqual(refusal.code, "plugin_failed");
  strictEqual(await fixture.ask("echo", "again"), "again");
});

Deno.test("Sandbox gives new calls to another worker while one is busy, which keeps its call", async () => {
  await using fixture = openFixture([NOWHERE], { limits: { silentMs: 300 } });
  await fixture.ask("echo");
  let isBusy = true;
  const busy = fixture.ask("busy", "5000").finally(() => isBusy = false);
  let answer: string | null = null;
  // The first ones wait behind the busy call, in vain.
  while (isBusy && answer === null) {
    answer = await fixture.ask("echo", "meanwhile", { timeoutMs: 200 }).catch(() => null);
  }
  deepStrictEqual([answer, isBusy, fixture.sandbox.workers], ["meanwhile", true, 2]);
  strictEqual(await busy, "undefined");
});

Deno.test("Sandbox gives up a worker that never answers again", async () => {
  await using fixture = openFixture([NOWHERE], { limits: { silentMs: 100, deadMs: 600 } });
  await fixture.ask("echo");
  strictEqual((await rejectionOf(fixture.ask("busy", "5000"))).code, "plugin_failed");
  strictEqual(await fixture.ask("echo", "again"), "again");
});

Deno.test("Sandbox says why its worker cannot be started", async () => {
  const module = new URL("./missing.ts", import.meta.url);
  await using fixture = openFixture([NOWHERE], { module });
  const refusal = await rejectionOf(fixture.ask("echo"));
  strictEqual(refusal.code, "plugin_failed");
});
