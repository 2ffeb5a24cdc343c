import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { runBowire } from "../fakes/bowire_process.ts";
import { Home } from "../fakes/home.ts";

Deno.test("bowire allowlist permit remembers a URL once, and show lists it", async () => {
  await using home = await Home.make();
  const empty = await runBowire(home, ["allowlist", "show"]);
  deepStrictEqual([empty.code, empty.stdout], [
    0,
    "The allowlist is empty: agents reach nothing.\n",
  ]);
  const first = await runBowire(home, ["allowlist", "permit", "https://API.example.com/v1/"]);
  deepStrictEqual([first.code, first.stdout], [0, "permitted https://api.example.com/v1/\n"]);
  const again = await runBowire(home, ["allowlist", "permit", "https://api.example.com/v1/"]);
  strictEqual(again.stdout, "https://api.example.com/v1/ was permitted already\n");
  deepStrictEqual(JSON.parse(await home.read("typed-urls.json")), ["https://api.example.com/v1/"]);
  const shown = await runBowire(home, ["allowlist", "show"]);
  strictEqual(shown.stdout, "https://api.example.com/v1/  typed\n");
  const { urls } = JSON.parse((await runBowire(home, ["allowlist", "show", "--json"])).stdout);
  deepStrictEqual(urls, ["https://api.example.com/v1/"]);
});

Deno.test("bowire allowlist show says which files it could not use", async () => {
  await using home = await Home.make();
  await home.put("typed-urls.json", "{");
  const { code, stderr } = await runBowire(home, ["allowlist", "show"]);
  strictEqual(code, 0);
  match(stderr, /passed over ".*typed-urls\.json": cannot use .* it is not JSON/);
});

Deno.test("bowire allowlist permit refuses what is no URL, and writes nothing", async () => {
  await using home = await Home.make();
  const { code, stderr } = await runBowire(home, ["allowlist", "permit", "example.com"]);
  strictEqual(code, 1);
  match(stderr, /it has no scheme\n {2}write it out, as in "http:\/\/example\.com"/);
  deepStrictEqual([...Deno.readDirSync(home.path)], []);
});

Deno.test("bowire allowlist permit does not overwrite a broken file", async () => {
  await using home = await Home.make();
  await home.put("typed-urls.json", "{");
  const { stdout, stderr } = await runBowire(home, ["allowlist", "permit", "https://a.test"]);
  strictEqual(await home.read("typed-urls.json"), "{");
  match(stdout + stderr, /typed-urls\.json/);
});

Deno.test("bowire env list marks the active environment, env get shows one", async () => {
  await using home = await Home.make();
  const none = await runBowire(home, ["env", "list"]);
  match(none.stdout, /No environments are stored in .*environments\.json/);
  await home.put("environments.json", {
    environments: [{ id: "a", name: "Alpha" }, { id: "b", name: "Beta", vars: { key: "x" } }],
    activeEnvId: "b",
  });
  const { stdout } = await runBowire(home, ["env", "list"]);
  strictEqual(stdout, "   a  Alpha\n*  b  Beta\n");
  const one = await runBowire(home, ["env", "get", "Beta"]);
  strictEqual(JSON.parse(one.stdout).id, "b");
  const missing = await runBowire(home, ["env", "get", "c"]);
  strictEqual(missing.code, 1);
  match(missing.stderr, /there is no environment "c"[\s\S]*stored are: Alpha, Beta/);
});

Deno.test("bowire env list names a broken file and ends with 1", async () => {
  await using home = await Home.make();
  await home.put("environments.json", '{"environments": 7}');
  const { code, stderr } = await runBowire(home, ["env", "list"]);
  strictEqual(code, 1);
  match(stderr, /cannot use ".*environments\.json": "environments" is not a list/);
});
