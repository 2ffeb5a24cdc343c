import { deepStrictEqual, doesNotMatch, match, ok, rejects, strictEqual } from "node:assert/strict";
import { programEnvironment, resolveHome, ServerStore } from "../../lib/store/mod.ts";
import { serverNamed } from "../../lib/cli/reach/server.ts";
import { makeFolder, rejectionOf } from "../fakes/rooms.ts";

/** A store over a file with this content; text as it is, anything else as JSON. */
async function storeOf(content: unknown) {
  const folder = await makeFolder();
  const store = new ServerStore(folder.path);
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await Deno.writeTextFile(store.path, text);
  return { store, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const FILES = { command: "npx", args: ["-y", "files"], env: { ROOT: "/tmp" }, cwd: "/srv" };
const WEB = { url: "https://mcp.example/mcp", headers: { Authorization: "Bearer x" } };

for (const member of ["mcpServers", "servers"]) {
  Deno.test(`ServerStore.find reads programs and URLs below "${member}"`, async () => {
    await using file = await storeOf({
      [member]: { files: FILES, web: WEB, bare: { command: "x" } },
    });
    deepStrictEqual(await file.store.find("files"), FILES);
    deepStrictEqual(await file.store.find("web"), WEB);
    deepStrictEqual(await file.store.find("bare"), { command: "x", args: [], env: {} });
  });
}

Deno.test("ServerStore.find passes over members that other clients have", async () => {
  const entry = { ...FILES, type: "stdio", disabled: false, alwaysAllow: ["x"], timeout: 60 };
  await using file = await storeOf({ mcpServers: { files: entry }, inputs: [], $schema: "x" });
  deepStrictEqual(await file.store.find("files"), FILES);
  await using web = await storeOf({ servers: { web: { type: "http", url: WEB.url } } });
  deepStrictEqual(await web.store.find("web"), { url: WEB.url, headers: {} });
});

Deno.test("ServerStore.find tells the names that there are", async () => {
  await using file = await storeOf({ mcpServers: { files: FILES, web: WEB } });
  for (const name of ["Files", "constructor", "__proto__", ""]) {
    const error = await rejectionOf(file.store.find(name));
    strictEqual(error.code, "not_found");
    strictEqual(error.hint, "known are: files, web");
    ok(error.message.startsWith(`there is no server "${name}" in `));
  }
});

for (const content of [{}, { mcpServers: {} }, { servers: {} }]) {
  Deno.test(`ServerStore.find shows how to write a file like ${JSON.stringify(content)}`, async () => {
    await using file = await storeOf(content);
    match((await rejectionOf(file.store.find("x"))).hint ?? "", /\{"mcpServers": \{"name":/);
  });
}

Deno.test("ServerStore.find shows how to write a file that is not there", async () => {
  await using folder = await makeFolder();
  const error = await rejectionOf(new ServerStore(folder.path).find("x"));
  deepStrictEqual([error.code, /\{"mcpServers": /.test(error.hint ?? "")], ["not_found", true]);
});

const BROKEN: readonly (readonly [content: unknown, reason: RegExp])[] = [
  ['{"CANARY', /it is not JSON/],
  ["[]", /"mcpServers" is not an object/],
  [{ mcpServers: [] }, /"mcpServers" is not an object/],
  [{ servers: "x" }, /"mcpServers" is not an object/],
  [{ mcpServers: { x: null } }, /"x" is not an object/],
  [{ mcpServers: { x: {} } }, /"x" has neither "command" nor "url"/],
  [{ mcpServers: { x: { command: "" } } }, /neither "command" nor "url"/],
  [{ mcpServers: { x: { command: ["npx"] } } }, /neither "command" nor "url"/],
  [{ mcpServers: { x: { command: "a", args: "b" } } }, /"args" that are not a list of strings/],
  [{ mcpServers: { x: { command: "a", args: [1] } } }, /"args" that are not a list of strings/],
  [{ mcpServers: { x: { command: "a", env: { A: 1 } } } }, /an "env" that is not an object/],
  [{ mcpServers: { x: { url: "http://x", headers: { A: 1 } } } }, /"headers" that are not/],
];
for (const [content, reason] of BROKEN) {
  Deno.test(`ServerStore.find refuses ${JSON.stringify(content)}`, async () => {
    await using file = await storeOf(content);
    const error = await rejectionOf(file.store.find("x"));
    strictEqual(error.code, "broken_file");
    match(error.message, reason);
    doesNotMatch(error.message, /CANARY/);
  });
}

Deno.test("programEnvironment gives what programs need, and what is named above it", () => {
  const given = programEnvironment({ PATH: "/own", TOKEN: "t" });
  deepStrictEqual([given.PATH, given.TOKEN], ["/own", "t"]);
  strictEqual(programEnvironment({}).PATH, Deno.env.get("PATH"));
  const known = "APPDATA COMSPEC HOME HOMEDRIVE HOMEPATH LANG LOCALAPPDATA LOGNAME PATH PATHEXT " +
    "PROCESSOR_ARCHITECTURE PROGRAMFILES SHELL SYSTEMDRIVE SYSTEMROOT TEMP TERM TMPDIR USER " +
    "USERNAME USERPROFILE TOKEN";
  deepStrictEqual(Object.keys(given).filter((name) => !known.split(" ").includes(name)), []);
});

/** The server of a name in a file that `BOWIRE_DATA_DIR` leads to. */
async function named(name: string, entry: object, extra?: Record<string, string>) {
  await using folder = await makeFolder();
  const text = JSON.stringify({ mcpServers: { [name]: entry } });
  await Deno.writeTextFile(`${folder.path}/mcp-servers.json`, text);
  const before = Deno.env.get("BOWIRE_DATA_DIR");
  Deno.env.set("BOWIRE_DATA_DIR", folder.path);
  try {
    strictEqual(resolveHome(), folder.path);
    return await serverNamed(name, extra);
  } finally {
    if (before === undefined) Deno.env.delete("BOWIRE_DATA_DIR");
    else Deno.env.set("BOWIRE_DATA_DIR", before);
  }
}

Deno.test("serverNamed makes an address of a program's name, variables of the call above", async () => {
  const { url, programs, headers } = await named("My.Files-2", FILES, { ROOT: "/x", B: "b" });
  deepStrictEqual([url, headers], ["stdio://my.files-2", {}]);
  const { command, args, env, cwd } = programs["my.files-2"] ?? {};
  deepStrictEqual([command, args, cwd], ["npx", ["-y", "files"], "/srv"]);
  deepStrictEqual([env?.ROOT, env?.B, env?.PATH], ["/x", "b", Deno.env.get("PATH")]);
});

Deno.test("serverNamed gives a URL with its headers, and starts nothing", async () => {
  deepStrictEqual(await named("web", WEB), { ...WEB, programs: {} });
});

for (const name of ["my files", "a/b", "-x", "x-", "ä", "a@b", "a:1", ".."]) {
  Deno.test(`serverNamed refuses the name "${name}", which is none for a URL`, async () => {
    await rejects(named(name, FILES), { code: "usage", hint: /letters, digits, dots/ });
  });
}
