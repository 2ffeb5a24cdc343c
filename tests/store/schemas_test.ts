import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { type NewSchema, SchemaStore } from "../../lib/store/mod.ts";
import { makeFolder, moduleUrl, rejectionOf, runModule } from "../fakes/rooms.ts";

const URL_A = "http://localhost:50051/";

function schemaOf(text: string, more: Partial<NewSchema> = {}): NewSchema {
  return {
    url: URL_A,
    protocol: "desk",
    files: ["shop.desk"],
    roots: ["protos"],
    services: ["shop.Orders"],
    content: new TextEncoder().encode(text),
    ...more,
  };
}

/** A home folder, a store in it, and what its files say. */
async function openStore() {
  const folder = await makeFolder();
  return {
    ...folder,
    store: new SchemaStore(folder.path, () => Date.UTC(2026, 1, 3)),
    index: async () => JSON.parse(await Deno.readTextFile(`${folder.path}/schemas.json`)),
    async contents() {
      const files = await Array.fromAsync(Deno.readDir(`${folder.path}/schemas`));
      return files.map(({ name }) => name).sort();
    },
    contentPath: (id: string) => `${folder.path}/schemas/${id}.bin`,
  };
}

async function textOf(store: SchemaStore, id: string): Promise<string> {
  return new TextDecoder().decode(await store.load(id));
}

Deno.test("SchemaStore.add keeps a schema that a later store lists and loads", async () => {
  await using home = await openStore();
  const { entry, hasReplaced } = await home.store.add(schemaOf("content"));
  strictEqual(hasReplaced, false);
  match(entry.id, /^[0-9a-f]{64}$/);
  const later = new SchemaStore(home.path);
  deepStrictEqual(await later.list(), [entry]);
  strictEqual(await textOf(later, entry.id), "content");
  deepStrictEqual(await home.index(), {
    schemas: [{
      id: entry.id,
      url: URL_A,
      protocol: "desk",
      files: ["shop.desk"],
      roots: ["protos"],
      services: ["shop.Orders"],
      addedAt: "2026-02-03T00:00:00.000Z",
      bytes: 7,
    }],
  });
  deepStrictEqual(await home.contents(), [`${entry.id}.bin`]);
  if (Deno.build.os === "windows") return;
  const modeOf = (path: string) => (Deno.statSync(path).mode ?? 0) & 0o777;
  deepStrictEqual([modeOf(`${home.path}/schemas`), modeOf(home.contentPath(entry.id))], [
    0o700,
    0o600,
  ]);
});

Deno.test("SchemaStore.list is empty in a home folder without schemas", async () => {
  await using home = await openStore();
  deepStrictEqual(await home.store.list(), []);
  deepStrictEqual([...Deno.readDirSync(home.path)], []);
});

Deno.test("SchemaStore.add replaces the schema of the same files, URL and protocol only", async () => {
  await using home = await openStore();
  const first = await home.store.add(schemaOf("one", { files: ["a", "b"] }));
  const others = [
    await home.store.add(schemaOf("one", { files: ["a"], url: "http://localhost:50052/" })),
    await home.store.add(schemaOf("one", { files: ["b", "a"], protocol: "other" })),
    await home.store.add(schemaOf("other", { files: ["a"] })),
  ];
  deepStrictEqual(others.map(({ hasReplaced }) => hasReplaced), [false, false, false]);
  const second = await home.store.add(schemaOf("two", { files: ["b", "a"] }));
  strictEqual(second.hasReplaced, true);
  const known = [...others.map(({ entry }) => entry.id), second.entry.id];
  deepStrictEqual((await home.store.list()).map(({ id }) => id), known);
  deepStrictEqual(await home.contents(), known.map((id) => `${id}.bin`).sort());
  ok(!known.includes(first.entry.id));
});

Deno.test("SchemaStore.add of what is there already keeps its content", async () => {
  await using home = await openStore();
  const { entry } = await home.store.add(schemaOf("same"));
  const again = await home.store.add(schemaOf("same"));
  deepStrictEqual([again.entry.id, again.hasReplaced], [entry.id, true]);
  strictEqual(await textOf(home.store, entry.id), "same");
  strictEqual((await home.store.list()).length, 1);
});

Deno.test("SchemaStore keeps members of its files that it does not know", async () => {
  await using home = await openStore();
  const { entry } = await home.store.add(schemaOf("one"));
  const { schemas: [item] } = await home.index();
  const text = JSON.stringify({ version: 3, schemas: [{ ...item, note: "mine" }] });
  await Deno.writeTextFile(home.store.path, text);
  const { entry: second } = await home.store.add(schemaOf("two", { files: ["b"] }));
  const { version, schemas } = await home.index();
  deepStrictEqual([version, schemas[0].note, schemas[1].id], [3, "mine", second.id]);
  strictEqual(await textOf(home.store, entry.id), "one");
});

Deno.test("SchemaStore.remove forgets by the beginning of an id, by URL, or by both", async () => {
  await using home = await openStore();
  const a = (await home.store.add(schemaOf("a", { files: ["a"] }))).entry;
  const b = (await home.store.add(schemaOf("b", { files: ["b"] }))).entry;
  const far = (await home.store.add(schemaOf("a", { url: "http://far/" }))).entry;
  await rejects(home.store.remove({ id: far.id, url: URL_A }), { code: "not_found" });
  deepStrictEqual(await home.store.remove({ id: far.id.slice(0, 12) }), [far]);
  deepStrictEqual(await home.store.remove({ url: URL_A }), [a, b]);
  deepStrictEqual([await home.store.list(), await home.contents()], [[], []]);
});

Deno.test("SchemaStore.remove refuses the beginning of several ids and removes none", async () => {
  await using home = await openStore();
  const ids: string[] = [];
  for (let count = 0; count < 17; count++) { // two of seventeen begin with the same digit
    ids.push((await home.store.add(schemaOf(`${count}`, { files: [`${count}`] }))).entry.id);
  }
  const [shared = ""] = ids.map((id) => id.slice(0, 1))
    .filter((digit, index, digits) => digits.indexOf(digit) !== index);
  const refusal = await rejectionOf(home.store.remove({ id: shared }));
  strictEqual(refusal.code, "invalid_argument");
  match(refusal.message, new RegExp(`"${shared}" is the beginning of \\d+ ids`));
  strictEqual((await home.store.list()).length, 17);
});

Deno.test("SchemaStore.addForRun writes nothing, and loads as long as the store lives", async () => {
  await using home = await openStore();
  const entry = await home.store.addForRun(schemaOf("for now"));
  deepStrictEqual(home.store.forRun, [entry]);
  strictEqual(await textOf(home.store, entry.id), "for now");
  deepStrictEqual([...Deno.readDirSync(home.path)], []);
  await rejects(new SchemaStore(home.path).load(entry.id), { code: "file_failed" });
});

for (
  const [what, change, reason] of [
    ["changed", (path: string) => Deno.writeTextFile(path, "CHANGED"), /its file was changed/],
    ["shortened", (path: string) => Deno.truncate(path, 3), /its file was changed/],
    ["grown beyond all bounds", (path: string) => Deno.truncate(path, 2 ** 33), /was changed/],
    ["gone", (path: string) => Deno.remove(path), /its file is gone/],
    ["a folder", async (path: string) => {
      await Deno.remove(path);
      await Deno.mkdir(path);
    }, /its file was changed/],
    ["a link to the same", async (path: string) => {
      await Deno.rename(path, `${path}.real`);
      await Deno.symlink(`${path}.real`, path);
    }, /its file was changed/],
  ] as const
) {
  Deno.test(`C98 SchemaStore.load refuses a content that is ${what}`, async () => {
    await using home = await openStore();
    const { entry } = await home.store.add(schemaOf("content"));
    await change(home.contentPath(entry.id));
    const refusal = await rejectionOf(home.store.load(entry.id));
    strictEqual(refusal.code, "file_failed");
    match(refusal.message, reason);
    match(refusal.hint ?? "", /bowire\.schema\.add its files again/);
  });
}

const ODD_IDS = [
  "../x",
  "..%2fx",
  "",
  ".",
  "a/../../b",
  "x\0",
  "CON",
  "A".repeat(64),
  "0".repeat(300),
];
for (const id of ODD_IDS) {
  Deno.test(`C98 SchemaStore has no schema ${JSON.stringify(id).slice(0, 20)}`, async () => {
    await using home = await openStore();
    const { entry } = await home.store.add(schemaOf("content"));
    await Deno.writeTextFile(`${home.path}/x.bin`, "CANARY");
    const refusal = await rejectionOf(home.store.load(id));
    strictEqual(refusal.code, "file_failed");
    // Nor does an index that names it.
    const text = JSON.stringify({ schemas: [{ ...entry, id }] });
    await Deno.writeTextFile(home.store.path, text);
    const { store } = home;
    for (
      const attempt of [
        () => store.list(),
        () => store.load(id),
        () => store.add(schemaOf("new")),
        () => store.remove({ url: URL_A }),
      ]
    ) {
      const { code, message } = await rejectionOf(attempt());
      deepStrictEqual([code, /schemas\[0\] is no entry/.test(message)], ["broken_file", true]);
    }
    strictEqual(await Deno.readTextFile(home.store.path), text);
    strictEqual(await Deno.readTextFile(`${home.path}/x.bin`), "CANARY");
  });
}

for (const text of ["{", "[]", '{"schemas":{}}', '{"schemas":[1]}', '{"schemas":[{"id":"a"}]}']) {
  Deno.test(`SchemaStore reports the index ${text} as broken and leaves it alone`, async () => {
    await using home = await openStore();
    await Deno.writeTextFile(home.store.path, text);
    strictEqual((await rejectionOf(home.store.list())).code, "broken_file");
    strictEqual((await rejectionOf(home.store.add(schemaOf("a")))).code, "broken_file");
    strictEqual(await Deno.readTextFile(home.store.path), text);
  });
}

Deno.test("C98 SchemaStore neither reads, writes nor deletes through a linked folder", async () => {
  await using home = await openStore();
  await using elsewhere = await makeFolder();
  const { entry } = await home.store.add(schemaOf("content"));
  await Deno.rename(`${home.path}/schemas`, `${elsewhere.path}/schemas`);
  await Deno.symlink(`${elsewhere.path}/schemas`, `${home.path}/schemas`);
  const before = [...Deno.readDirSync(`${elsewhere.path}/schemas`)];
  for (const attempt of [() => home.store.load(entry.id), () => home.store.add(schemaOf("b"))]) {
    const { code, message } = await rejectionOf(attempt());
    deepStrictEqual([code, /is a link that leads elsewhere/.test(message)], ["broken_file", true]);
  }
  deepStrictEqual(await home.store.remove({ id: entry.id }), [entry]);
  deepStrictEqual([...Deno.readDirSync(`${elsewhere.path}/schemas`)], before);
  deepStrictEqual(await home.store.list(), []);
});

Deno.test("SchemaStore refuses a schema over 64 MiB, or with too many names, and writes nothing", async () => {
  await using home = await openStore();
  const content = new Uint8Array(64 * 1024 * 1024 + 1);
  const huge = schemaOf("", { content });
  for (const attempt of [() => home.store.add(huge), () => home.store.addForRun(huge)]) {
    const { code, message } = await rejectionOf(attempt());
    deepStrictEqual([code, /67108865 bytes, more than 67108864/.test(message)], [
      "too_large",
      true,
    ]);
  }
  const { code } = await rejectionOf(
    home.store.add(schemaOf("", { services: Array.from({ length: 2 ** 17 }, () => "service") })),
  );
  strictEqual(code, "too_large");
  deepStrictEqual([...Deno.readDirSync(home.path)], []);
});

Deno.test("SchemaStore loses nothing when processes add and remove at once", async () => {
  await using home = await openStore();
  const source = `
    import { SchemaStore } from ${JSON.stringify(moduleUrl("lib/store/mod.ts"))};
    const store = new SchemaStore(${JSON.stringify(home.path)});
    const own = OWN;
    const add = (name) => store.add({
      url: "http://a/", protocol: "desk", files: [name], roots: [], services: [],
      content: new TextEncoder().encode(name),
    });
    await add("shared");
    for (let turn = 0; turn < 5; turn++) {
      await add(own + turn);
      const { entry } = await add("shared");
      await store.remove({ id: entry.id }).catch(() => {});
      await add("shared");
    }
  `;
  const runs = ["one", "two", "three"].map((own) =>
    runModule(source.replace("OWN", JSON.stringify(own)), ["--allow-all"])
  );
  for (const { code, stderr } of await Promise.all(runs)) strictEqual(code, 0, stderr);
  const entries = await home.store.list();
  const names = ["one", "two", "three"].flatMap((own) => [0, 1, 2, 3, 4].map((turn) => own + turn));
  deepStrictEqual(entries.map(({ files }) => files[0]).sort(), [...names, "shared"].sort());
  for (const { id, files: [name] } of entries) strictEqual(await textOf(home.store, id), name);
  deepStrictEqual(await home.contents(), entries.map(({ id }) => `${id}.bin`).sort());
});

Deno.test("SchemaStore says which flag is missing when Deno forbids it to read", async () => {
  await using home = await openStore();
  const { entry } = await home.store.add(schemaOf("content"));
  const { stdout, stderr } = await runModule(
    `import { SchemaStore } from ${JSON.stringify(moduleUrl("lib/store/mod.ts"))};
    const store = new SchemaStore(${JSON.stringify(home.path)});
    console.log(await store.load(${
      JSON.stringify(entry.id)
    }).catch((e) => e.code + " " + e.hint));`,
    [`--allow-read=${home.path}`, `--deny-read=${home.path}/schemas`],
  );
  strictEqual(stdout, `permission_denied start it with --allow-read=${home.path}\n`, stderr);
});
