import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { SessionTable } from "../../lib/mcp/http/session_table.ts";
import { within } from "../fakes/deadline.ts";
import { Clock } from "../fakes/rooms.ts";

function table(options: { idleMs?: number; maxSessions?: number } = {}) {
  const clock = new Clock();
  const evicted: string[] = [];
  const onEvict = (session: string) => void evicted.push(session);
  const sessions = new SessionTable<string>({ onEvict, now: clock.now, ...options });
  return { clock, evicted, sessions };
}

Deno.test("SessionTable gives a session to its principal alone", () => {
  const { sessions } = table();
  sessions.add("1", "ann", "of Ann");
  deepStrictEqual(
    [sessions.use("1", "ann"), sessions.use("1", "ben"), sessions.use("1", "")],
    ["of Ann", undefined, undefined],
  );
  strictEqual(sessions.use("2", "ann"), undefined);
  sessions.clear();
});

Deno.test("SessionTable ends what was idle, and keeps what was used", () => {
  const { sessions, clock, evicted } = table({ idleMs: 100 });
  sessions.add("1", "ann", "first");
  sessions.add("2", "ann", "second");
  clock.ms += 60;
  strictEqual(sessions.use("1", "ann"), "first");
  clock.ms += 60;
  strictEqual(sessions.use("1", "ann"), "first");
  deepStrictEqual([evicted, sessions.sessions], [["second"], ["first"]]);
  sessions.clear();
});

Deno.test("SessionTable keeps a session whose id somebody else shows from going idle no longer", () => {
  const { sessions, clock, evicted } = table({ idleMs: 100 });
  sessions.add("1", "ann", "first");
  clock.ms += 60;
  sessions.use("1", "ben");
  clock.ms += 60;
  sessions.use("1", "ben");
  deepStrictEqual(evicted, ["first"]);
});

Deno.test("SessionTable ends idle sessions though nobody comes any more", async () => {
  const gone = Promise.withResolvers<string>();
  const sessions = new SessionTable<string>({ onEvict: gone.resolve, idleMs: 5 });
  sessions.add("1", "ann", "first");
  const alive = setInterval(() => {}, 1000); // the table's own timer keeps no process alive
  strictEqual(await within(gone.promise, "the session to end"), "first");
  clearInterval(alive);
  strictEqual(sessions.size, 0);
});

Deno.test("SessionTable lets the one that was unused longest give way", () => {
  const { sessions, evicted } = table({ maxSessions: 2 });
  for (const id of ["1", "2"]) sessions.add(id, "", id);
  sessions.use("1", "");
  sessions.add("3", "", "3");
  deepStrictEqual([evicted, sessions.sessions], [["2"], ["1", "3"]]);
  sessions.clear();
});

Deno.test("SessionTable gives all that it forgets, and ends none of them", () => {
  const { sessions, evicted } = table();
  sessions.add("1", "", "1");
  sessions.delete("1");
  sessions.add("2", "", "2");
  deepStrictEqual([sessions.clear(), sessions.size, evicted], [["2"], 0, []]);
});
