import { deepStrictEqual, doesNotMatch, match, ok, rejects, strictEqual } from "node:assert/strict";
import { JsonFile, TypedUrlStore } from "../../lib/store/mod.ts";
import { makeFolder, moduleUrl, rejectionOf, runModule } from "../fakes/rooms.ts";

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

Deno.test("JsonFile.read tells a missing document from a broken and a sound one", async () => {
  await using home = await makeFolder();
  const file = new JsonFile(home.path, "a.json");
  deepStrictEqual(await file.read(), { state: "missing" });
  deepStrictEqual(await new JsonFile(`${home.path}/none`, "a.json").read(), { state: "missing" });
  await Deno.writeTextFile(file.path, '{"a":[1]}');
  deepStrictEqual(await file.read(), { state: "ok", value: { a: [1] } });
  for (const text of ["", "{", "{'a':1}", "[1,]", "\ufeff\ufeff1"]) {
    await Deno.writeTextFile(file.path, text);
    const read = await file.read();
    strictEqual(read.state, "broken", text);
    match(read.state === "broken" ? read.reason : "", /^it is not JSON \(/);
  }
});

Deno.test("JsonFile.read quotes nothing of a broken document, wherever it is broken", async () => {
  await using home = await makeFolder();
  const file = new JsonFile(home.path, "a.json");
  const text = '{"password":"CANARY","x":["CANARY",true],"CANARY":1}';
  const broken = [`CANARY${text}`, `${text}CANARY`, "CANARY", '"CANARY\n"', `${text.repeat(9)}`];
  for (let at = 0; at < text.length; at++) {
    broken.push(text.slice(0, at), `${text.slice(0, at)}*${text.slice(at)}`);
  }
  let count = 0;
  for (const each of broken) {
    await Deno.writeTextFile(file.path, each);
    const read = await file.read();
    if (read.state !== "broken") continue; // the star is inside of a string
    doesNotMatch(read.reason, /CANARY/, each);
    count++;
  }
  ok(count > broken.length / 2);
});

Deno.test("JsonFile.read passes over a byte order mark", async () => {
  await using home = await makeFolder();
  const file = new JsonFile(home.path, "a.json");
  await Deno.writeTextFile(file.path, "\ufeff[1]");
  deepStrictEqual(await file.read(), { state: "ok", value: [1] });
});

Deno.test("JsonFile.read calls a document over 64 MiB broken without reading it", async () => {
  await using home = await makeFolder();
  const file = new JsonFile(home.path, "a.json");
  await Deno.writeTextFile(file.path, "1");
  await Deno.truncate(file.path, 64 * 1024 * 1024 + 1);
  const read = await file.read();
  match(read.state === "broken" ? read.reason : "", /^it is larger than 67108864 bytes$/);
});

Deno.test("C98 JsonFile reads nothing through a link that leads out of the folder", async () => {
  await using home = await makeFolder();
  await using elsewhere = await makeFolder();
  const outside = `${elsewhere.path}/secret.json`;
  await Deno.writeTextFile(outside, '["CANARY"]');
  const file = new JsonFile(home.path, "typed-urls.json");
  await Deno.symlink(outside, file.path);
  deepStrictEqual(await file.read(), {
    state: "broken",
    reason: "it is a link that leads out of its folder",
  });
  await rejects(file.update(() => ["mine"]), { code: "broken_file" });
  await rejects(new TypedUrlStore(home.path).read(), { code: "broken_file" });
  strictEqual(await Deno.readTextFile(outside), '["CANARY"]');
});

Deno.test("C98 JsonFile reads nothing through a name that leads out of the folder", async () => {
  await using home = await makeFolder();
  await Deno.mkdir(`${home.path}/in`);
  await Deno.writeTextFile(`${home.path}/secret.json`, "1");
  strictEqual((await new JsonFile(`${home.path}/in`, "../secret.json").read()).state, "broken");
});

Deno.test("JsonFile reads through a link inside the folder and a linked folder", async () => {
  await using home = await makeFolder();
  await Deno.mkdir(`${home.path}/real`);
  await Deno.writeTextFile(`${home.path}/real/b.json`, "1");
  await Deno.symlink("b.json", `${home.path}/real/a.json`);
  await Deno.symlink("real", `${home.path}/linked`);
  const read = await new JsonFile(`${home.path}/linked`, "a.json").read();
  deepStrictEqual(read, { state: "ok", value: 1 });
});

Deno.test("JsonFile.update makes the folder, writes whole and leaves only the lock", async () => {
  await using home = await makeFolder();
  const folder = `${home.path}/deep/home`;
  const file = new JsonFile(folder, "a.json");
  await file.update((present) => {
    strictEqual(present, undefined);
    return { a: 1 };
  });
  strictEqual(await Deno.readTextFile(file.path), '{"a":1}');
  deepStrictEqual(await namesIn(folder), ["a.json", "a.json.lock"]);
  if (Deno.build.os !== "windows") {
    const modes = [folder, file.path].map((path) => (Deno.statSync(path).mode ?? 0) & 0o777);
    deepStrictEqual(modes, [0o700, 0o600]);
  }
});

Deno.test("JsonFile.update writes nothing when the value stays the same", async () => {
  await using home = await makeFolder();
  const file = new JsonFile(home.path, "a.json");
  await Deno.writeTextFile(file.path, " [1] ");
  await file.update((present) => present);
  strictEqual(await Deno.readTextFile(file.path), " [1] ");
});

Deno.test("JsonFile.update leaves a broken document as it is", async () => {
  await using home = await makeFolder();
  const file = new JsonFile(home.path, "a.json");
  await Deno.writeTextFile(file.path, '{"half":');
  const refusal = await rejectionOf(file.update(() => ({})));
  strictEqual(refusal.code, "broken_file");
  match(refusal.message, /^cannot use ".*a\.json": it is not JSON/);
  match(refusal.hint ?? "", /nothing was changed/);
  strictEqual(await Deno.readTextFile(file.path), '{"half":');
});

Deno.test("JsonFile.update writes nothing when the change throws, and frees the lock", async () => {
  await using home = await makeFolder();
  const file = new JsonFile(home.path, "a.json");
  await Deno.writeTextFile(file.path, "1");
  await rejects(file.update(() => {
    throw new Error("no");
  }));
  await file.update((present) => [present]);
  strictEqual(await Deno.readTextFile(file.path), "[1]");
  deepStrictEqual(await namesIn(home.path), ["a.json", "a.json.lock"]);
});

Deno.test("JsonFile says what is in the way when it cannot write or read", async () => {
  await using home = await makeFolder();
  await Deno.writeTextFile(`${home.path}/file`, "");
  const below = new JsonFile(`${home.path}/file`, "a.json");
  const refusal = await rejectionOf(below.update(() => 1));
  strictEqual(refusal.code, "file_failed");
  match(refusal.message, /^cannot write ".*file.a\.json": \S/);
  await Deno.mkdir(`${home.path}/a.json`);
  const onFolder = await rejectionOf(new JsonFile(home.path, "a.json").read());
  strictEqual(onFolder.code, "file_failed");
  match(onFolder.message, /^cannot read ".*a\.json": .*directory/i);
});

const COUNTER = (home: string) => `
  import { JsonFile } from "${moduleUrl("lib/store/mod.ts")}";
  const file = new JsonFile(${JSON.stringify(home)}, "count.json");
  for (let round = 0; round < 50; round++) {
    await file.update((present) => ({ count: (present?.count ?? 0) + 1, filler: "x".repeat(50_000) }));
  }
`;

Deno.test("JsonFile.update loses nothing between four processes, and no reader sees a half", async () => {
  await using home = await makeFolder();
  const file = new JsonFile(home.path, "count.json");
  const flags = [`--allow-read=${home.path}`, `--allow-write=${home.path}`];
  const state = { isRunning: true };
  const writers = Promise.all(
    Array.from({ length: 4 }, () => runModule(COUNTER(home.path), ["--no-check", ...flags])),
  ).finally(() => state.isRunning = false);
  let reads = 0;
  const seen = new Set<string>();
  while (state.isRunning) {
    seen.add((await file.read()).state);
    reads++;
    await new Promise((resolve) => setTimeout(resolve, 0)); // a file that is not there takes no turn
  }
  deepStrictEqual((await writers).map(({ stderr }) => stderr), ["", "", "", ""]);
  const read = await file.read();
  ok(read.state === "ok" && read.value instanceof Object && "count" in read.value);
  strictEqual(read.value.count, 200);
  ok(reads > 10 && !seen.has("broken"), [...seen].join());
  deepStrictEqual(await namesIn(home.path), ["count.json", "count.json.lock"]);
});

Deno.test("JsonFile.read sees what was written a moment ago, and what was written long ago", async () => {
  await using home = await makeFolder();
  const file = new JsonFile(home.path, "a.json");
  for (const value of [1, 2, 3]) {
    await Deno.writeTextFile(file.path, `${value}`); // of one size, in the same millisecond
    deepStrictEqual(await file.read(), { state: "ok", value });
  }
  const long = new Date(Date.now() - 60_000);
  await Deno.utime(file.path, long, long);
  deepStrictEqual(await file.read(), await file.read());
  await Deno.writeTextFile(file.path, "4");
  deepStrictEqual(await file.read(), { state: "ok", value: 4 });
});

Deno.test("JsonFile.update takes turns within one process", async () => {
  await using home = await makeFolder();
  const file = new JsonFile(home.path, "a.json");
  const add = (present: unknown) => (typeof present === "number" ? present : 0) + 1;
  await Promise.all(Array.from({ length: 20 }, () => file.update(add)));
  deepStrictEqual(await file.read(), { state: "ok", value: 20 });
});

Deno.test("JsonFile.update goes on when a process was killed with the lock in its hand", async () => {
  await using home = await makeFolder();
  const holder = new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      `const file = await Deno.open(${
        JSON.stringify(`${home.path}/a.json.lock`)
      }, { create: true, write: true });
       await file.lock(true);
       console.log("held");
       await new Promise((resolve) => setTimeout(resolve, 60_000));`,
    ],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = holder.stdout.getReader();
  match(new TextDecoder().decode((await reader.read()).value), /held/);
  let isDone = false;
  const update = new JsonFile(home.path, "a.json").update(() => 1).then(() => isDone = true);
  const probe = await Deno.open(`${home.path}/a.json.lock`, { write: true });
  strictEqual(await probe.tryLock(true), false);
  probe.close();
  strictEqual(isDone, false);
  holder.kill("SIGKILL");
  await holder.status;
  await reader.cancel();
  await update;
  strictEqual(await Deno.readTextFile(`${home.path}/a.json`), "1");
});

const DENIED = (home: string, call: string) => `
  import { JsonFile } from "${moduleUrl("lib/store/mod.ts")}";
  const file = new JsonFile(${JSON.stringify(home)}, "a.json");
  try {
    await ${call};
  } catch (error) {
    console.log(JSON.stringify({ code: error.code, message: error.message, hint: error.hint }));
  }
`;

const MISSING_FLAGS = [
  { call: "file.read()", given: [], flag: "--allow-read" },
  { call: "file.update(() => 1)", given: ["read"], flag: "--allow-write" },
  { call: "file.update(() => 1)", given: ["write"], flag: "--allow-read" },
];

for (const { call, given, flag } of MISSING_FLAGS) {
  Deno.test(`JsonFile names ${flag} when ${call} lacks it`, async () => {
    await using home = await makeFolder();
    await Deno.writeTextFile(`${home.path}/a.json`, "0");
    const flags = given.map((kind) => `--allow-${kind}=${home.path}`);
    const { stdout, stderr } = await runModule(DENIED(home.path, call), ["--no-check", ...flags]);
    strictEqual(stderr, "");
    const { code, message, hint } = JSON.parse(stdout);
    strictEqual(code, "permission_denied");
    match(message, /^Deno does not let this process (read|write) ".*a\.json"$/);
    strictEqual(hint, `start it with ${flag}=${home.path}`);
    strictEqual(await Deno.readTextFile(`${home.path}/a.json`), "0");
  });
}
