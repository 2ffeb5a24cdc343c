import { deepStrictEqual, match, rejects, strictEqual, throws } from "node:assert/strict";
import { join } from "node:path";
import { EnvironmentStore, resolveHome, TypedUrlStore } from "../../lib/store/mod.ts";
import { makeFolder } from "../fakes/rooms.ts";

Deno.test("TypedUrlStore.read gives none when there is no file", async () => {
  await using home = await makeFolder();
  deepStrictEqual(await new TypedUrlStore(home.path).read(), []);
});

Deno.test("TypedUrlStore.add appends in order and knows a URL in any case", async () => {
  await using home = await makeFolder();
  const store = new TypedUrlStore(home.path);
  const added = [];
  for (const url of ["http://B", "http://a", "HTTP://b", "http://A", "http://a/"]) {
    added.push(await store.add(url));
  }
  deepStrictEqual(added, [true, true, false, false, true]);
  strictEqual(await Deno.readTextFile(store.path), '["http://B","http://a","http://a/"]');
});

Deno.test("TypedUrlStore keeps what is not a string on disk, and does not show it", async () => {
  await using home = await makeFolder();
  const store = new TypedUrlStore(home.path);
  await Deno.writeTextFile(store.path, '\ufeff[1,"http://a",null]');
  deepStrictEqual(await store.read(), ["http://a"]);
  await store.add("http://b");
  strictEqual(await Deno.readTextFile(store.path), '[1,"http://a",null,"http://b"]');
});

Deno.test("TypedUrlStore calls a document that is no list broken, and leaves it", async () => {
  await using home = await makeFolder();
  const store = new TypedUrlStore(home.path);
  await Deno.writeTextFile(store.path, '{"urls":[]}');
  const broken = { code: "broken_file", message: /typed-urls\.json": it is not a list$/ };
  await rejects(store.read(), broken);
  await rejects(store.add("http://a"), broken);
  strictEqual(await Deno.readTextFile(store.path), '{"urls":[]}');
});

async function environmentsOf(home: string, text: string): Promise<EnvironmentStore> {
  const store = new EnvironmentStore(home);
  await Deno.writeTextFile(store.path, text);
  return store;
}

Deno.test("EnvironmentStore.read gives undefined when there is no file", async () => {
  await using home = await makeFolder();
  const store = new EnvironmentStore(home.path);
  strictEqual(await store.read(), undefined);
  deepStrictEqual(await store.serverUrls(), []);
});

Deno.test("EnvironmentStore.read fills in missing members and keeps unknown ones", async () => {
  await using home = await makeFolder();
  const store = await environmentsOf(home.path, '{"environments":[{"id":"e","more":[1]}],"x":1}');
  deepStrictEqual(await store.read(), {
    globals: {},
    environments: [{ id: "e", more: [1] }],
    activeEnvId: "",
    x: 1,
  });
});

Deno.test("EnvironmentStore.read takes the bare list of the oldest versions", async () => {
  await using home = await makeFolder();
  const store = await environmentsOf(home.path, '\ufeff[{"id":"e","name":"Dev","vars":{"a":"b"}}]');
  deepStrictEqual(await store.read(), {
    globals: {},
    environments: [{ id: "e", name: "Dev", vars: { a: "b" } }],
    activeEnvId: "",
  });
});

const BROKEN: readonly (readonly [text: string, reason: RegExp])[] = [
  ["{", /it is not JSON/],
  ['"text"', /neither an object nor a list/],
  ["null", /neither an object nor a list/],
  ['{"globals":{"a":1}}', /"globals" is not an object of strings/],
  ['{"globals":[]}', /"globals" is not an object of strings/],
  ['{"activeEnvId":1}', /"activeEnvId" is not a string/],
  ['{"environments":{}}', /"environments" is not a list/],
  ["[1]", /environments\[0\] is not an object/],
  ['[{"id":"a"},{"name":"b"}]', /environments\[1\] has no "id"/],
  ['[{"id":"a","name":1}]', /the name of environments\[0\] is not a string/],
  ['[{"id":"a","vars":{"n":1}}]', /the vars of environments\[0\] are not an object of strings/],
];

for (const [text, reason] of BROKEN) {
  Deno.test(`EnvironmentStore.read calls ${text} broken and says why`, async () => {
    await using home = await makeFolder();
    const store = await environmentsOf(home.path, text);
    await rejects(store.read(), { code: "broken_file", message: reason });
    strictEqual(await Deno.readTextFile(store.path), text);
  });
}

Deno.test("EnvironmentStore.serverUrls finds them at any depth and in any case", async () => {
  await using home = await makeFolder();
  const store = await environmentsOf(
    home.path,
    JSON.stringify({
      serverUrl: "http://1",
      globals: { SERVERURL: "http://2" },
      environments: [
        { id: "e", serverurl: "http://3", vars: { ServerUrl: "http://4" } },
        { deep: [[{ serverUrl: "http://5" }]], serverUrl: "" },
        { serverUrl: { serverUrl: "http://6" }, serverUrls: "http://no", url: "http://no" },
        { serverUrl: 7 },
      ],
    }),
  );
  deepStrictEqual(await store.serverUrls(), [1, 2, 3, 4, 5, 6].map((each) => `http://${each}`));
});

Deno.test("EnvironmentStore.serverUrls reads the bare list, and refuses a broken file", async () => {
  await using home = await makeFolder();
  const store = await environmentsOf(home.path, '[{"serverUrl":"http://1"}]');
  deepStrictEqual(await store.serverUrls(), ["http://1"]);
  await Deno.writeTextFile(store.path, "[");
  await rejects(store.serverUrls(), { code: "broken_file" });
});

function homeOf(variables: Record<string, string>): string {
  return resolveHome((name) => variables[name]);
}

Deno.test("resolveHome takes BOWIRE_DATA_DIR, then HOME, then USERPROFILE", () => {
  const all = { BOWIRE_DATA_DIR: "/data", HOME: "/home/u", USERPROFILE: "/users/u" };
  strictEqual(homeOf(all), "/data");
  strictEqual(homeOf({ ...all, BOWIRE_DATA_DIR: "" }), join("/home/u", ".bowire"));
  strictEqual(homeOf({ HOME: "", USERPROFILE: "/users/u" }), join("/users/u", ".bowire"));
});

Deno.test("resolveHome says what to set when nothing names a profile", () => {
  throws(() => homeOf({}), (error: Error & { code?: string; hint?: string }) => {
    strictEqual(error.code, "usage");
    match(error.hint ?? "", /BOWIRE_DATA_DIR/);
    return true;
  });
});
