import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { makeDeskHome, runDesk } from "../schemas/cli.ts";
import { pasted, shellWords, touchedBeyond } from "./pasted_process.ts";

const URL_A = "http://127.0.0.1:9";

Deno.test("bowire schema add, list and remove keep the schema of a URL", async () => {
  await using home = await makeDeskHome();
  const added = await runDesk(home, [
    "schema",
    "add",
    "protos/shop.desk",
    "--url",
    URL_A,
    "-I",
    "protos",
  ]);
  deepStrictEqual([added.code, added.stderr], [0, ""]);
  const [, id = ""] =
    /^added ([0-9a-f]{12}) \(desk\) for http:\/\/127\.0\.0\.1:9\/\n {2}Orders\n {2}More\n$/
      .exec(added.stdout) ?? [];
  const listed = await runDesk(home, ["schema", "list"]);
  match(listed.stdout, new RegExp(`^${id}  ${URL_A}/  desk  2 services  .*protos/shop.desk\n$`));
  const call = await runDesk(home, ["call", "Orders/sit", "--url", `${URL_A}/x`, "--compact"]);
  deepStrictEqual(JSON.parse(call.stdout).services, ["Orders", "More"]);
  const again = await runDesk(home, ["schema", "add", "protos/shop.desk", "--url", URL_A]);
  match(again.stdout, /^replaced [\s\S]* {2}More\n$/); // found beside what was typed
  const removed = await runDesk(home, ["schema", "remove", "--url", URL_A]);
  match(removed.stdout, /^removed [0-9a-f]{12} \(desk\) for http:\/\/127\.0\.0\.1:9\/\n$/);
  match((await runDesk(home, ["schema", "list"])).stdout, /^No schemas are kept in /);
});

Deno.test("bowire schema add reads a folder, from which its files look for each other", async () => {
  await using home = await makeDeskHome();
  const args = ["schema", "add", "protos", "--url", URL_A, "--json"];
  const { services, remarks } = JSON.parse((await runDesk(home, args)).stdout);
  deepStrictEqual([services, remarks], [["Orders", "More", "More"], []]);
});

Deno.test("bowire schema add tells what is missing in the files", async () => {
  await using home = await makeDeskHome();
  const { code, stderr } = await runDesk(home, ["schema", "add", "lost.desk", "--url", URL_A]);
  deepStrictEqual([code, stderr], [0, '"nowhere.desk" was not found\n']);
});

Deno.test("bowire schema remove takes the beginning of an id", async () => {
  await using home = await makeDeskHome();
  await runDesk(home, ["schema", "add", "protos/sub/more.desk", "--url", URL_A]);
  const [id = ""] = (await runDesk(home, ["schema", "list", "--url", URL_A])).stdout.split(" ");
  strictEqual((await runDesk(home, ["schema", "remove", id])).code, 0);
  const { code, stderr } = await runDesk(home, ["schema", "remove", id]);
  strictEqual(code, 1);
  match(stderr, /there is none of id "[0-9a-f]{12}"\n.*bowire\.schema\.list/);
});

Deno.test("bowire schema takes a URL without a scheme as https, with --plaintext as http", async () => {
  await using home = await makeDeskHome();
  const add = ["schema", "add", "protos/sub/more.desk", "--url", "desk@localhost:9/v1"];
  match((await runDesk(home, add)).stdout, / for https:\/\/localhost:9\/v1\n/);
  match((await runDesk(home, [...add, "-plaintext"])).stdout, / for http:\/\/localhost:9\/v1\n/);
  const list = ["schema", "list", "--url", "localhost:9/v1/x", "--plaintext"];
  strictEqual((await runDesk(home, list)).stdout.match(/^/gm)?.length, 2);
});

for (
  const [args, message] of [
    [["add", "--url", URL_A], /missing required argument 'file'/],
    [["add", "protos/shop.desk"], /required option '--url <url>' not specified/],
    [["add", "none.desk", "--url", URL_A], /cannot read the schema "none\.desk": there is no such/],
    [["add", "protos/shop.desk", "-I", "none", "--url", URL_A], /cannot read the schema "none"/],
    [["add", "environments.json", "--url", URL_A], /no protocol reads such files\n.*desk reads/],
    [["add", "protos/shop.desk", "--url", "://x"], /cannot use the URL/],
    [["remove"], /neither id nor url is given/],
  ] as const
) {
  Deno.test(`bowire schema ${args.join(" ")} is refused`, async () => {
    await using home = await makeDeskHome();
    await home.put("environments.json", []);
    const { code, stdout, stderr } = await runDesk(home, ["schema", ...args]);
    deepStrictEqual([code, stdout], [1, ""]);
    match(stderr, message);
    ok(!/\.ts:\d/.test(stderr), stderr);
  });
}

for (
  const [command, output] of [
    [
      ["schema", "add", "protos/shop.desk", "-I", "protos", "--url", URL_A],
      /^added [\s\S]*More\n$/,
    ],
    [["schema", "add", "protos", "--url", URL_A], /^added [\s\S]*More\n$/],
    [["list", "--proto", "shop.desk", "-I", "protos", "--url", URL_A], /^Orders\nMore\n$/],
  ] as const
) {
  Deno.test(`bowire permissions ${command.join(" ")}: its flags are all it takes`, async () => {
    await using home = await makeDeskHome();
    const printed = await runDesk(home, ["permissions", ...command]);
    strictEqual(printed.code, 0, printed.stderr);
    const flags = shellWords(printed.stdout);
    const isKept = command[0] === "schema";
    strictEqual(flags.some((flag) => flag.startsWith("--allow-write=")), isKept);
    strictEqual(flags.some((flag) => flag.startsWith("--allow-net=")), !isKept);
    const { code, stdout, stderr } = await runDesk(home, command, pasted(home, flags));
    deepStrictEqual([code, stderr], [0, ""]);
    match(stdout, output);
    deepStrictEqual(await touchedBeyond(home, flags), []);
  });
}
