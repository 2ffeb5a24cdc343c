import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { MAIN, putConfig, runBowire, startBowire } from "../fakes/bowire_process.ts";
import { Conversation } from "../fakes/conversation.ts";
import { Home } from "../fakes/home.ts";
import { serveLocal } from "../fakes/rooms.ts";
import { denoJsonOf, quoteFlag } from "../../lib/cli/permissions/flags.ts";
import type { Needs } from "../../lib/cli/permissions/needs.ts";
import { pasted, shellWords, touched, touchedBeyond } from "./pasted_process.ts";

const OPENAPI = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/pets": {
      get: { tags: ["Pets"], operationId: "listPets", responses: { 200: { description: "ok" } } },
      post: {
        tags: ["Pets"],
        operationId: "addPet",
        requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        responses: { 200: { description: "ok" } },
      },
    },
  },
};

function startShop() {
  return serveLocal((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/openapi.json") return Response.json(OPENAPI);
    return pathname === "/pets"
      ? Response.json([{ id: 7 }])
      : new Response("nothing here", { status: 404 });
  });
}

/** The flags as a shell takes them. */
async function printedFlags(home: Home, ...command: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runBowire(home, ["permissions", ...command]);
  strictEqual(code, 0, stderr);
  // It tells of the one address that opens its range to all names.
  strictEqual(/^Any name may lead into 169\.254/.test(stderr), command.join().includes("169.254"));
  match(stdout, /^[^\n]+\n$/);
  return shellWords(stdout);
}

/** The value of a printed flag. */
function valueOf(flags: readonly string[], flag: string): string | undefined {
  return flags.find((text) => text.startsWith(`${flag}=`))?.slice(flag.length + 1);
}

for (
  const [mode, command, output] of [
    ["auto", ["discover"], /Pets[\s\S]*listPets {2}GET \/pets/],
    ["worker", ["call", "Pets/listPets", "--compact"], /^\[\{"id":7\}\]\n$/],
    ["none", ["call", "Pets/addPet", "--compact", "-d", "@pet.json"], /^\[\{"id":7\}\]\n$/],
  ] as const
) {
  Deno.test(`bowire permissions ${command[0]} --sandbox ${mode}: its flags are all it takes`, async () => {
    await using home = await Home.make();
    await home.put("pet.json", { name: "Rex" });
    await using shop = startShop();
    const args = [...command, "--sandbox", mode, "--url", shop.url];
    const flags = await printedFlags(home, ...args);
    const { code, stdout, stderr } = await runBowire(home, args, pasted(home, flags));
    deepStrictEqual([code, stderr], [0, ""]);
    match(stdout, output);
    deepStrictEqual(await touchedBeyond(home, flags), []);
    ok((await touched(home, "net")).includes(`127.0.0.1:${shop.port}`));
    strictEqual(flags.includes("--unstable-worker-options"), mode !== "none");
  });
}

Deno.test("bowire permissions mcp serve: its flags are all that calls and a permission take", async () => {
  await using home = await Home.make();
  await using shop = startShop();
  const args = ["mcp", "serve", "--no-confirm", "--allow-url", shop.url];
  const flags = await printedFlags(home, ...args);
  {
    await using agent = new Conversation(startBowire(home, args, pasted(home, flags)));
    await agent.initialize("some new client");
    const discovery = await agent.call("bowire.discover", { url: shop.url });
    strictEqual(discovery.structuredContent.services[0].service, "Pets");
    const call = { url: shop.url, service: "Pets", method: "listPets" };
    const { structuredContent } = await agent.call("bowire.invoke", call);
    strictEqual(structuredContent.response, '[{"id":7}]');
    const permitted = await agent.call("bowire.allowlist.permit", { url: "http://other.test" });
    strictEqual(permitted.structuredContent.addedToFile, true);
  }
  deepStrictEqual(await touchedBeyond(home, flags), []);
  ok((await touched(home, "write")).includes(home.file("typed-urls.json.lock")));
});

Deno.test("bowire permissions mcp serve --bind http lists where it listens and what it reads", async () => {
  await using home = await Home.make();
  const token = await home.put("token", "secret");
  const args = ["mcp", "serve", "--bind", "http", "--port", "0", "--token-file", token];
  const flags = await printedFlags(home, ...args);
  strictEqual(valueOf(flags, "--allow-net"), "127.0.0.1:0");
  await using running = startBowire(home, args, pasted(home, flags));
  const reader = running.child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  match((await reader.read()).value ?? running.stderr(), /^MCP server listening at http/);
  reader.releaseLock();
  deepStrictEqual(await touchedBeyond(home, flags), []);
});

for (
  const [args, net, denied] of [
    [["--allow-url", "https://a.test/v1", "https://a.test/v2"], "a.test:443", "169.254.0.0/16"],
    [["--allow-url", "http://[2001:db8::1]:8080"], "[2001:db8::1]:8080", "169.254.0.0/16"],
    [["--allow-url", "http://169.254.169.254"], "169.254.169.254:80", undefined],
    [["--bind", "http", "--host", "::1", "--port", "5"], "[::1]:5", "169.254.0.0/16"],
    [
      ["--bind", "http", "--host", "::", "--port", "5", "--allow-insecure-bind"],
      "[::]:5",
      "169.254.0.0/16",
    ],
    [["--bind", "http", "--host", "0.0.0.0", "--allow-insecure-bind"], "0.0.0.0:5081", "[::]"],
    [[], undefined, undefined],
  ] as const
) {
  Deno.test(`bowire permissions mcp serve ${args.join(" ")} allows ${net}`, async () => {
    await using home = await Home.make();
    const flags = await printedFlags(home, "mcp", "serve", ...args);
    strictEqual(valueOf(flags, "--allow-net"), net);
    const deny = valueOf(flags, "--deny-net")?.split(",");
    strictEqual(deny === undefined, net === undefined);
    strictEqual(deny?.includes(denied ?? "169.254.0.0/16"), net && denied !== undefined);
    const hosts = net?.replace(/:\d+$/, "");
    ok(hosts === undefined || deny?.includes(hosts) === false);
    strictEqual(deny?.includes("0.0.0.0/8"), net && hosts !== "0.0.0.0");
  });
}

Deno.test("bowire permissions without a command means mcp serve, with the stored environments", async () => {
  await using home = await Home.make();
  await home.put("environments.json", [{ id: "a", serverUrl: "https://stored.test" }]);
  const flags = await printedFlags(home);
  deepStrictEqual(flags, await printedFlags(home, "mcp", "serve"));
  strictEqual(valueOf(flags, "--allow-net"), "stored.test:443");
  strictEqual(valueOf(flags, "--allow-write"), home.path);
  const without = await printedFlags(home, "mcp", "serve", "--no-env-allowlist");
  strictEqual(valueOf(without, "--allow-net"), undefined);
});

Deno.test("bowire permissions lists nothing that a command does not touch", async () => {
  await using home = await Home.make();
  await home.put("environments.json", [{ id: "a", serverUrl: "https://stored.test" }]);
  const reading = await printedFlags(home, "env", "list");
  const writing = await printedFlags(home, "allowlist", "permit", "http://a.test");
  const none = await printedFlags(home, "version");
  const base = ["--no-prompt", "--ignore-env", "--allow-env=BOWIRE_*,HOME,USERPROFILE"];
  const [read, write] = [`--allow-read=${home.path}`, `--allow-write=${home.path}`];
  const last = "--unstable-no-legacy-abort";
  deepStrictEqual(reading, [...base, read, last]);
  deepStrictEqual(writing, [...base, read, write, last]);
  deepStrictEqual(none, [...base, last]);
});

Deno.test("bowire permissions leaves out what Deno cannot be told, and says so", async () => {
  await using home = await Home.make();
  const urls = ["http://{{host}}/x", "http://a,b/", "mqtt://c", "foo://d", "http://e.test"];
  // With all permissions Deno holds no name against its rules.
  for (const flags of [["--allow-net=127.0.0.1:1"], ["--allow-net"]]) {
    const { code, stdout, stderr } = await runBowire(
      home,
      ["permissions", "mcp", "serve", "--allow-url", ...urls],
      { flags: ["--cached-only", "--no-prompt", "--allow-env", "--allow-read", ...flags] },
    );
    strictEqual(code, 0, stderr);
    match(stdout, / --allow-net=c:1883,e\.test:80 /);
    const leftOut = ['"http://{{host}}/x"', '"http://a,b/"', '"foo://d/"'];
    deepStrictEqual(stderr.match(/(?<=Left out )"[^"]+"/g), leftOut);
  }
});

Deno.test("bowire permissions mcp serve --allow-arbitrary-urls is unlimited but for what is denied", async () => {
  await using home = await Home.make();
  await using shop = startShop();
  const args = ["mcp", "serve", "--allow-arbitrary-urls"];
  const { stdout, stderr } = await runBowire(home, ["permissions", ...args]);
  match(stdout, / --allow-net --deny-net=169\.254\.0\.0\/16,/);
  match(stderr, /^Every host may be reached but those denied/);
  const flags = shellWords(stdout);
  await using agent = new Conversation(startBowire(home, args, pasted(home, flags)));
  await agent.initialize("some new client");
  const call = { url: shop.url, service: "Pets", method: "listPets" };
  strictEqual((await agent.call("bowire.invoke", call)).structuredContent.status, "OK");
});

Deno.test("bowire permissions quotes paths with spaces for a shell", async () => {
  await using home = await Home.make();
  await Deno.mkdir(home.file("my home"));
  await home.put("my home/environments.json", [{ id: "old", name: "Found" }]);
  const env = { BOWIRE_DATA_DIR: home.file("my home") };
  const { stdout, stderr } = await runBowire(home, ["permissions", "env", "list"], { env });
  match(stdout, / '--allow-read=\S+my home' /);
  match(stderr, /^Quotes are in it/);
  const { HOME = "", DENO_DIR = "" } = Deno.env.toObject();
  const { code, stdout: listed } = await new Deno.Command("sh", {
    args: ["-c", 'eval "\\"$0\\" run $1 \\"$2\\" env list"', Deno.execPath(), stdout.trim(), MAIN],
    env: { ...env, HOME, ...(DENO_DIR === "" ? {} : { DENO_DIR }) },
  }).output();
  strictEqual(code, 0);
  match(new TextDecoder().decode(listed), /old +Found/);
});

Deno.test("quoteFlag quotes what a shell would take apart, and wildcards only when it is typed", () => {
  for (
    const [flag, captured, typed] of [
      ["--allow-net=a.test:80,10.0.0.0/8", "--allow-net=a.test:80,10.0.0.0/8", undefined],
      ["--deny-net=[::]", "--deny-net=[::]", "'--deny-net=[::]'"],
      ["--allow-env=BOWIRE_*", "--allow-env=BOWIRE_*", "'--allow-env=BOWIRE_*'"],
      ["--allow-read=/my home", "'--allow-read=/my home'", undefined],
      ["--allow-read=/it's", "'--allow-read=/it'\\''s'", undefined],
      ["--allow-read=/$(id)", "'--allow-read=/$(id)'", undefined],
      ["--allow-read=/a\nb", "'--allow-read=/a\nb'", undefined],
    ] as const
  ) {
    strictEqual(quoteFlag(flag, false), captured);
    strictEqual(quoteFlag(flag, true), typed ?? captured);
  }
});

Deno.test("bowire permissions tells of a path that no flag can hold", async () => {
  await using home = await Home.make();
  const folder = home.file("a,b");
  await Deno.mkdir(folder);
  const env = { BOWIRE_DATA_DIR: folder };
  const { stdout, stderr } = await runBowire(home, ["permissions", "env", "list"], { env });
  ok(!stdout.includes("--allow-read"), stdout);
  match(stderr, /^Left out "\S+a,b": no flag can hold its comma/);
  const whole = await runBowire(home, ["permissions", "--format", "deno-json", "env", "list"], {
    env,
  });
  deepStrictEqual(JSON.parse(whole.stdout).permissions.bowire.read, [folder]);
});

Deno.test("bowire permissions names a linked home folder and where it leads", async () => {
  await using home = await Home.make();
  await Deno.mkdir(home.file("real"));
  await Deno.symlink(home.file("real"), home.file("link"));
  await home.put("real/environments.json", [{ id: "old", name: "Found" }]);
  const env = { BOWIRE_DATA_DIR: home.file("link") };
  const { stdout } = await runBowire(home, ["permissions", "env", "list"], { env });
  match(stdout, new RegExp(` --allow-read=${home.file("link")},${home.file("real")} `));
});

Deno.test("bowire permissions --json gives the flags and what they are made of", async () => {
  await using home = await Home.make();
  const { code, stdout, stderr } = await runBowire(home, [
    ...["permissions", "--json", "call", "Pets/addPet", "--url", "http://{{h}}:81", "--var"],
    ...["h=a.test", "-H", "Authorization: s3cret", "-d", "@missing.json", "--sandbox", "none"],
  ]);
  deepStrictEqual([code, stderr], [0, ""]);
  const { command, flags, permissions, unstable, notes } = JSON.parse(stdout);
  deepStrictEqual([command, unstable, notes], ["call", ["no-legacy-abort"], []]);
  deepStrictEqual(permissions, {
    net: ["a.test:81"],
    denyNet: ["169.254.0.0/16", "224.0.0.0/4", "0.0.0.0/8", "255.255.255.255", "[::]"],
    read: [home.path],
    write: [],
    env: ["BOWIRE_*", "HOME", "USERPROFILE"],
    run: [],
    sys: [],
  });
  ok(flags.includes("--allow-net=a.test:81"));
  ok(!stdout.includes("s3cret"));
});

Deno.test("bowire permissions --format deno-json works as a permission set of deno.json", async () => {
  await using home = await Home.make();
  await using shop = startShop();
  const args = ["discover", "--url", shop.url];
  const printed = await runBowire(home, ["permissions", "--format", "deno-json", ...args]);
  strictEqual(printed.code, 0);
  match(printed.stderr, /--no-prompt --ignore-env -P=bowire main\.ts discover/);
  const config = await putConfig(home, JSON.parse(printed.stdout));
  const flags = ["--no-prompt", "--ignore-env", "--config", config, "-P=bowire"];
  const found = await runBowire(home, [...args, "--sandbox", "worker"], pasted(home, flags));
  strictEqual(found.code, 0, found.stderr);
  match(found.stdout, /listPets {2}GET \/pets/);
  await using other = startShop();
  const refused = await runBowire(home, ["discover", "--url", other.url], pasted(home, flags));
  strictEqual(refused.code, 1);
  match(refused.stdout + refused.stderr, /Deno does not let this process reach/);
});

/** What --cached-only, without which tests would fetch packages, looks like to Deno. */
const CACHED_ONLY = "--allow-import";

Deno.test("bowire permissions --check finds nothing under the flags that were printed", async () => {
  await using home = await Home.make();
  const command = ["mcp", "serve", "--allow-url", "http://a.test"];
  const flags = await printedFlags(home, ...command);
  const check = await runBowire(home, ["permissions", "--check", ...command], pasted(home, flags));
  deepStrictEqual(check, {
    code: 0,
    stdout: `in excess  ${CACHED_ONLY}\nThis process may do "mcp serve", and more than that.\n`,
    stderr: "Deno counts --cached-only as --allow-import, which then does nothing.\n",
  });
});

Deno.test("bowire permissions --check tells what is lacking, and ends with 1", async () => {
  await using home = await Home.make();
  const flags = await printedFlags(home, "mcp", "serve", "--allow-url", "http://a.test");
  const command = ["mcp", "serve", "--allow-url", "http://a.test", "http://b.test"];
  const check = await runBowire(
    home,
    ["permissions", "--check", "--json", ...command],
    pasted(home, flags),
  );
  strictEqual(check.code, 1);
  deepStrictEqual(JSON.parse(check.stdout), {
    command: "mcp serve",
    lacks: ["--allow-net=b.test:80"],
    excess: [CACHED_ONLY],
    undenied: [],
    notes: [],
  });
  const text = await runBowire(home, ["permissions", "--check", ...command], pasted(home, flags));
  strictEqual(text.code, 1);
  match(text.stdout, /^lacks +--allow-net=b\.test:80\n(?:.*\n)?.*not.*"mcp serve"/);
});

Deno.test("bowire permissions --check tells where names may lead that should lead nowhere", async () => {
  await using home = await Home.make();
  const command = ["mcp", "serve", "--allow-url", "http://a.test"];
  const flags = (await printedFlags(home, ...command)).filter((flag) => !/^--deny-net/.test(flag));
  const check = await runBowire(home, ["permissions", "--check", ...command], pasted(home, flags));
  strictEqual(check.code, 0);
  match(
    check.stdout,
    /^in excess +names that lead to 169\.254\.0\.0\/16, 224\.0\.0\.0\/4, .*\(--deny-net\)$/m,
  );
  match(check.stdout, /and more than that/);
});

Deno.test("denoJsonOf keeps net when nothing is denied", () => {
  const needs = { denyNet: [], read: [], write: [], env: [], run: [], unstable: [], notes: [] };
  const netOf = (net: Needs["net"]) => denoJsonOf({ ...needs, net }).permissions.bowire.net;
  deepStrictEqual([netOf([]), netOf(["a:1"]), netOf("all")], [[], ["a:1"], true]);
});

Deno.test("bowire permissions --check tells what is granted without limit, and ends with 0", async () => {
  await using home = await Home.make();
  const check = await runBowire(
    home,
    ["permissions", "--check", "--json", "env", "list"],
    pasted(home, ["-A"]),
  );
  strictEqual(check.code, 0);
  const names = ["net", "read", "write", "run", "ffi", "sys", "env", "import"];
  const { lacks, excess } = JSON.parse(check.stdout);
  deepStrictEqual([lacks, excess], [[], names.map((name) => `--allow-${name}`)]);
});

for (
  const [args, message] of [
    [["cal"], /unknown command 'cal'\n\(Did you mean call\?\)/],
    [["mcp", "serv"], /unknown command 'serv'/],
    [["mcp"], /^Usage: bowire mcp/],
    [["discover"], /there is no URL/],
    [["discover", "--url", "x", "--sandbox", "box"], /Allowed choices are auto, worker, none/],
    [["call", "Pets", "--url", "http://a.test"], /cannot call "Pets": it names no method/],
    [["call", "GET", "--url", "http://"], /cannot use the URL "http:\/\/"/],
    [["mcp", "serve", "--bind", "http", "--host", "0.0.0.0"], /refusing to listen at 0\.0\.0\.0/],
    [["mcp", "serve", "--allow-url", "nonsense"], /cannot use the URL "nonsense"/],
    [["--format", "deno-json", "--json"], /cannot be used with option '--json'/],
  ] as const
) {
  Deno.test(`bowire permissions ${args.join(" ")} is refused as the command would be`, async () => {
    await using home = await Home.make();
    const { code, stdout, stderr } = await runBowire(home, ["permissions", ...args]);
    deepStrictEqual([code, stdout], [1, ""]);
    match(stderr, message);
  });
}
