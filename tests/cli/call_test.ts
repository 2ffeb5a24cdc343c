import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startRestTarget } from "../../samples/rest_target/server.ts";
import { runBowire, startBowire } from "../fakes/bowire_process.ts";
import { within } from "../fakes/deadline.ts";
import { Home } from "../fakes/home.ts";
import { startRecordingTarget } from "../fakes/target.ts";

const BIG = "9007199254740993";

Deno.test("bowire call prints the answer, its big integers exact", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const args = ["call", "Ships/getShip", "--url", target.url, "-d", `{"shipId":${BIG}}`];
  const pretty = await runBowire(home, args);
  deepStrictEqual([pretty.code, pretty.stderr], [0, ""]);
  match(pretty.stdout, /^\{\n {2}"id": 9007199254740993,\n/);
  const compact = await runBowire(home, [...args, "--compact"]);
  match(compact.stdout, /^\{"id":9007199254740993,"name":"Aurora",.*\}\n$/);
});

Deno.test("bowire call --json prints the whole result, --compact on one line", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const args = ["call", "Harbour/getHarbour", "--url", target.url, "--json"];
  const { stdout } = await runBowire(home, args);
  const { protocol, service, method, status, response } = JSON.parse(stdout);
  deepStrictEqual([protocol, service, method, status], ["rest", "Harbour", "getHarbour", "OK"]);
  strictEqual(JSON.parse(response).name, "Nordhavn");
  const compact = await runBowire(home, [...args, "--compact"]);
  strictEqual(compact.stdout.trimEnd().split("\n").length, 1);
});

Deno.test("bowire call takes -d from a file and from standard input", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const call = ["call", "POST", "--url", `${target.url}/echo`, "--compact"];
  const body = `{"id":${BIG}}`;
  const file = await home.put("body.json", body);
  strictEqual((await runBowire(home, [...call, "-d", `@${file}`])).stdout, `${body}\n`);
  strictEqual((await runBowire(home, [...call, "-d", "-"], { stdin: body })).stdout, `${body}\n`);
  strictEqual((await runBowire(home, [...call, "--data", body])).stdout, `${body}\n`);
  deepStrictEqual(target.arrived.map(({ body }) => body), [body, body, body]);
  const missing = await runBowire(home, [...call, "-d", `@${home.file("none")}`]);
  match(missing.stderr, /cannot read the arguments from ".*none"/);
  ok(missing.code > 0);
});

Deno.test("bowire call sends headers and fills variables in URL, headers and body", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const { code, stderr } = await runBowire(home, [
    ...["call", "POST", "--url", `${target.url}/{{where}}`, "-d", '{"who":"{{who}}"}'],
    ...["-H", "X-Key: {{key}}", "-H", "X-Time: 12:30", "--header", "X-None: {{none}}"],
    ...["--var", "where=echo", "--var", "who=Anna", "--var", "key=a=b"],
  ]);
  strictEqual(code, 0, stderr);
  const [request] = target.arrived;
  deepStrictEqual([request?.path, request?.body], ["/echo", '{"who":"Anna"}']);
  const names = ["x-key", "x-time", "x-none"];
  deepStrictEqual(names.map((name) => request?.headers.get(name)), ["a=b", "12:30", "{{none}}"]);
});

for (
  const [args, message] of [
    [["-H", "no colon"], /write it as "Name: value"/],
    [["--var", "novalue"], /write it as name=value/],
  ] as const
) {
  Deno.test(`bowire call ${args.join(" ")} is refused`, async () => {
    await using home = await Home.make();
    const url = "http://127.0.0.1:8999";
    const { code, stderr } = await runBowire(home, ["call", "GET", "--url", url, ...args]);
    strictEqual(code, 1);
    match(stderr, message);
  });
}

for (
  const [method, message] of [
    ["Harbour/getTide", /^Unavailable \(503 Service Unavailable\)/],
    ["Harbour/getStats", /^Unauthenticated \(401 Unauthorized\)/],
    ["Harbour/callPilot", /redirect 1 from .*not on the allowlist/],
    ["Harbour/nothing", /there are, for instance: /],
  ] as const
) {
  Deno.test(`bowire call ${method} ends with 2 when the call does not work`, async () => {
    await using home = await Home.make();
    await using target = startRestTarget();
    const { code, stderr } = await runBowire(home, ["call", method, "--url", target.url]);
    strictEqual(code, 2);
    match(stderr, message);
  });
}

Deno.test("bowire call prints the body of an error answer on stdout", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const { code, stdout } = await runBowire(home, ["call", "Harbour/getTide", "--url", target.url]);
  deepStrictEqual([code, JSON.parse(stdout).status], [2, 503]);
});

Deno.test("bowire call --allow-url lets a redirect pass", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const there = target.url.replace("127.0.0.1", "localhost");
  const args = ["call", "--url", target.url, "--allow-url", there, "Harbour/callPilot"];
  const { code, stdout, stderr } = await runBowire(home, args);
  strictEqual(code, 0, stderr);
  match(stdout, /Nordhavn/);
});

Deno.test("bowire call refuses an --allow-url that is none, and sends nothing", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const args = ["call", "GET", "--url", target.url, "--allow-url", "api.example.com"];
  const { code, stderr } = await runBowire(home, args);
  strictEqual(code, 2);
  match(stderr, /cannot use the URL "api\.example\.com": it has no scheme/);
  strictEqual(target.arrived.length, 0);
});

Deno.test("bowire call gives up after --timeout-ms", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const args = ["call", "GET", "--url", `${target.url}/hang`, "--timeout-ms", "200"];
  const { code, stderr } = await runBowire(home, args);
  strictEqual(code, 2);
  match(stderr, /no answer from ".*hang" within 200 ms/);
});

Deno.test("bowire call ends with 130 when interrupted, and lets the target go", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using running = startBowire(home, ["call", "GET", "--url", `${target.url}/hang`], {});
  const stdout = new Response(running.child.stdout).text();
  await running.child.stdin.close();
  await within(target.hanging, "the call to arrive");
  running.child.kill("SIGINT");
  const { code, signal } = await within(running.ended, "the end", running.stderr);
  // A process that the signal ended by itself would have the same code.
  deepStrictEqual([code, signal, await stdout], [130, null, ""]);
  await target.abandoned;
});

Deno.test("bowire call prints bytes that are no text as base64", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const { stdout } = await runBowire(home, ["call", "Harbour/getFlag", "--url", target.url]);
  match(stdout, /^iVBORw0KGgo[A-Za-z0-9+/=]+\n$/);
});

Deno.test("a person's calls leave no trace in the home folder", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  strictEqual((await runBowire(home, ["call", "GET", "--url", target.url])).code, 0);
  deepStrictEqual([...Deno.readDirSync(home.path)], []);
});

Deno.test("BOWIRE_LOG=info notes a call without its secrets", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const url = `${target.url}/echo?api_key=canary`;
  const args = [
    "call",
    "POST",
    "--url",
    url,
    "-d",
    '{"password":"canary"}',
    "-H",
    "X-Token: canary",
  ];
  const { code, stderr } = await runBowire(home, args, { env: { BOWIRE_LOG: "info" } });
  strictEqual(code, 0, stderr);
  match(stderr, /rest \/POST at http:\/\/127\.0\.0\.1:\d+\/echo\?api_key=\*\*\*/);
  ok(!stderr.includes("canary"), stderr);
});

Deno.test("bowire call refuses what breaks the schema, and sends it with --no-validate", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const args = ["call", "Ships/getShip", "--url", target.url, "-d", '{"shipId": "x"}'];
  const refused = await runBowire(home, args);
  strictEqual(refused.code, 2);
  match(refused.stderr, /"shipId" is not an integer but a string\n {2}.*--no-validate/);
  const sent = await runBowire(home, [...args, "--no-validate"]);
  strictEqual(sent.code, 2);
  match(sent.stderr, /^\w+ \(4\d\d /);
});

Deno.test("bowire describe ends with arguments that bowire call takes", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const described = await runBowire(home, ["describe", "Ships/getShip", "--url", target.url]);
  const [, sample = ""] = described.stdout.split("for instance:");
  const args = ["call", "Ships/getShip", "--url", target.url, "-d", sample];
  strictEqual((await runBowire(home, args)).code, 0);
});
