import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { AllowedFiles } from "../../lib/store/mod.ts";
import { type Folder, makeFolder, rejectionOf } from "../fakes/rooms.ts";

/** A folder with `a.txt`, `sub/b.bin` and, beside the allowed folder `in`, `secret.txt`. */
async function makeTree(): Promise<Folder & { readonly inside: string; readonly secret: string }> {
  const folder = await makeFolder();
  const inside = `${folder.path}/in`;
  await Deno.mkdir(`${inside}/sub`, { recursive: true });
  await Deno.writeTextFile(`${inside}/a.txt`, "text");
  await Deno.writeFile(`${inside}/sub/b.bin`, new Uint8Array([0, 255]));
  // Its name begins like that of the allowed folder.
  await Deno.mkdir(`${folder.path}/in-side`);
  await Deno.writeTextFile(`${folder.path}/in-side/a.txt`, "CANARY");
  const secret = `${folder.path}/secret.txt`;
  await Deno.writeTextFile(secret, "CANARY");
  return { ...folder, inside, secret };
}

/** Why a path is refused. */
async function reasonFor(folders: readonly string[], path: string): Promise<string> {
  const { code, message } = await rejectionOf(new AllowedFiles(folders).read(path));
  strictEqual(code, "file_failed");
  doesNotMatch(message, /CANARY/);
  return message;
}

Deno.test("AllowedFiles.read gives a file's bytes and its name without the folder", async () => {
  await using tree = await makeTree();
  const files = new AllowedFiles([tree.inside]);
  for (
    const path of ["a.txt", "./a.txt", "sub/../a.txt", "sub//..//./a.txt", `${tree.inside}/a.txt`]
  ) {
    const { name, bytes } = await files.read(path);
    deepStrictEqual([name, new TextDecoder().decode(bytes)], ["a.txt", "text"], path);
  }
  const { name, bytes } = await files.read("sub/b.bin");
  deepStrictEqual([name, [...bytes]], ["b.bin", [0, 255]]);
});

const NOWHERE = [
  "",
  ".",
  "..",
  "/",
  "../secret.txt",
  "sub/../../secret.txt",
  "../in-side/a.txt",
  "/etc/passwd",
  "none.txt",
  "a.txt/",
  "a.txt/x",
  "a.txt\0.png",
  "..\\secret.txt",
  "%2e%2e/secret.txt",
  "~/secret.txt",
  "file:///etc/passwd",
  "x".repeat(5000),
];
for (const path of NOWHERE) {
  Deno.test(`AllowedFiles.read has no file ${JSON.stringify(path).slice(0, 40)}`, async () => {
    await using tree = await makeTree();
    match(await reasonFor([tree.inside], path), /^cannot read ".*": /);
  });
}

Deno.test("AllowedFiles.read has no absolute path outside of its folders", async () => {
  await using tree = await makeTree();
  for (const path of [tree.secret, `${tree.path}/in-side/a.txt`, `${tree.inside}/../secret.txt`]) {
    match(await reasonFor([tree.inside], path), /there is none of that name/);
  }
});

Deno.test("AllowedFiles.read names the folders, or the way to allow one", async () => {
  const { hint } = await rejectionOf(new AllowedFiles([]).read("a.txt"));
  match(hint ?? "", /--allow-files DIR/);
  const named = await rejectionOf(new AllowedFiles(["/nowhere/b"]).read("a.txt"));
  match(named.hint ?? "", /the folders are: \/nowhere\/b/);
});

const LINKS:
  readonly (readonly [what: string, target: (inside: string) => string, path: string])[] = [
    ["a file outside", (inside) => `${inside}/../secret.txt`, "link"],
    ["a file outside, relatively", () => "../secret.txt", "link"],
    ["a folder outside", (inside) => `${inside}/..`, "link/secret.txt"],
    ["a file within", (inside) => `${inside}/a.txt`, "link"],
    ["a folder within", (inside) => `${inside}/sub`, "link/b.bin"],
    ["itself", (inside) => `${inside}/link`, "link"],
    ["nothing", () => "gone", "link"],
    ["the root", () => "/", "link/etc/passwd"],
  ];
for (const [what, target, path] of LINKS) {
  Deno.test(`AllowedFiles.read follows no link to ${what}`, async () => {
    await using tree = await makeTree();
    await Deno.symlink(target(tree.inside), `${tree.inside}/link`);
    for (const asked of [path, `${tree.inside}/${path}`]) {
      match(await reasonFor([tree.inside], asked), /there is none of that name/);
    }
  });
}

Deno.test("AllowedFiles.read follows a link that the operator named as the folder", async () => {
  await using tree = await makeTree();
  const link = `${tree.path}/link`;
  await Deno.symlink(tree.inside, link);
  const files = new AllowedFiles([link]);
  strictEqual((await files.read("a.txt")).name, "a.txt");
  match(await reasonFor([link], "../secret.txt"), /none of that name/);
});

Deno.test("AllowedFiles.read reads no folder, pipe or device", async () => {
  await using tree = await makeTree();
  match(await reasonFor([tree.inside], "sub"), /it is not a regular file/);
  const { success } = await new Deno.Command("mkfifo", { args: [`${tree.inside}/pipe`] }).output();
  strictEqual(success, true);
  match(await reasonFor([tree.inside], "pipe"), /it is not a regular file/);
  for (const device of ["null", "zero", "stdin"]) {
    match(await reasonFor(["/dev"], device), /not a regular file|none of that name/);
  }
});

Deno.test("AllowedFiles.read takes a file of 64 MiB and not a byte more", async () => {
  await using tree = await makeTree();
  const bound = 64 * 1024 * 1024;
  for (const size of [bound, bound + 1, bound * 1000]) {
    using file = await Deno.create(`${tree.inside}/sparse-${size}`);
    await file.truncate(size);
  }
  const files = new AllowedFiles([tree.inside]);
  strictEqual((await files.read(`sparse-${bound}`)).bytes.byteLength, bound);
  for (const size of [bound + 1, bound * 1000]) {
    match(await reasonFor([tree.inside], `sparse-${size}`), /larger than 67108864 bytes/);
  }
});

Deno.test("AllowedFiles.read looks into each folder in turn", async () => {
  await using tree = await makeTree();
  await using other = await makeTree();
  await Deno.writeTextFile(`${other.inside}/a.txt`, "other");
  await Deno.writeTextFile(`${other.inside}/only.txt`, "only here");
  const files = new AllowedFiles(["/nowhere", tree.inside, other.inside]);
  const textOf = async (path: string) => new TextDecoder().decode((await files.read(path)).bytes);
  strictEqual(await textOf("a.txt"), "text");
  strictEqual(await textOf("only.txt"), "only here");
  strictEqual(await textOf(`${other.inside}/a.txt`), "other");
  const reversed = new AllowedFiles([other.inside, tree.inside]);
  strictEqual(new TextDecoder().decode((await reversed.read("a.txt")).bytes), "other");
});

Deno.test("AllowedFiles.read finds names of any writing system, and such as begin with dots", async () => {
  await using tree = await makeTree();
  const files = new AllowedFiles([tree.inside]);
  for (const name of ["ünïcode 日本.txt", "..hidden", "...", "-rf", "a b;c'\"$(x)", ".env"]) {
    await Deno.writeTextFile(`${tree.inside}/${name}`, name);
    strictEqual((await files.read(name)).name, name);
  }
});

Deno.test("AllowedFiles.read gives an empty file as no bytes", async () => {
  await using tree = await makeTree();
  await Deno.writeTextFile(`${tree.inside}/empty`, "");
  strictEqual((await new AllowedFiles([tree.inside]).read("empty")).bytes.byteLength, 0);
});
