import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startRestTarget } from "../../samples/rest_target/server.ts";
import { runBowire, startBowire } from "../fakes/bowire_process.ts";
import { within } from "../fakes/deadline.ts";
import { Home } from "../fakes/home.ts";
import { startRecordingTarget } from "../fakes/target.ts";

Deno.test("bowire discover shows services, methods and how each protocol fared", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const { code, stdout, stderr } = await runBowire(home, ["discover", "--url", target.url]);
  strictEqual(code, 0, stderr);
  match(stdout, /^Ships {2}rest [\d.]+, 6 methods$/m);
  match(stdout, /^ {2}getShip +GET \/ships\/\{shipId\} +Read a ship$/m);
  match(stdout, /\(deprecated\)/);
  match(stdout, /^REST +ok +4 services +\d+ ms$/m);
});

Deno.test("bowire discover --json is what the tool returns", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const args = ["discover", "--url", `rest@${target.url}`, "--service", "Harbour", "--json"];
  const { stdout } = await runBowire(home, args);
  const { url, services, attempts } = JSON.parse(stdout);
  strictEqual(url, `${target.url}/`);
  deepStrictEqual(services.map(({ service }: { service: string }) => service), ["Harbour"]);
  strictEqual(attempts[0].outcome, "ok");
  const compact = await runBowire(home, [...args, "--compact"]);
  strictEqual(compact.stdout.trimEnd().split("\n").length, 1);
});

Deno.test("bowire list prints one name a line", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const services = await runBowire(home, ["list", "--url", target.url]);
  deepStrictEqual(services.stdout.split("\n").toSorted(), [
    "",
    "Berths",
    "Bookings",
    "Harbour",
    "Ships",
  ]);
  const methods = await runBowire(home, ["list", "Ships", "--url", target.url]);
  ok(methods.stdout.split("\n").includes("getShip"));
});

Deno.test("bowire describe shows the fields of a service and of one method", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const one = await runBowire(home, ["describe", "Ships/getShip", "--url", target.url]);
  match(one.stdout, /^Ships\/getShip {2}GET \/ships\/\{shipId\}\n/);
  match(one.stdout, /^ {4}shipId\* +int64 +path$/m);
  match(one.stdout, /^ {4}kind\* +string \(cargo\|ferry\|tanker\|yacht\)$/m);
  const all = await runBowire(home, ["describe", "Ships", "--url", target.url]);
  strictEqual([...all.stdout.matchAll(/^Ships\//gm)].length, 6);
});

for (
  const [args, message] of [
    [["list", "Planes"], /there is no service "Planes"\n {2}known are: .*Ships/],
    [["describe", "Ships/sink"], /there is no method "sink"/],
    [["discover", "--protocol", "pigeon"], /there is no protocol "pigeon"\n {2}known are: .*rest/],
  ] as const
) {
  Deno.test(`bowire ${args.join(" ")} ends with 1 and says what there is`, async () => {
    await using home = await Home.make();
    await using target = startRestTarget();
    const { code, stdout, stderr } = await runBowire(home, [...args, "--url", target.url]);
    deepStrictEqual([code, stdout], [1, ""]);
    match(stderr, message);
  });
}

Deno.test("bowire discover ends with 1 where there is no API", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const { code, stderr } = await runBowire(home, ["discover", "--url", target.url]);
  strictEqual(code, 1);
  match(stderr, /found no API at "http:\/\/127\.0\.0\.1:\d+\/" \(REST: /);
});

Deno.test("bowire discover --json prints the failure as JSON", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const { code, stdout } = await runBowire(home, ["discover", "--url", target.url, "--json"]);
  strictEqual(code, 1);
  strictEqual(JSON.parse(stdout).error.code, "not_discovered");
});

Deno.test("bowire discover sends the headers of -H", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await runBowire(home, ["discover", "--url", target.url, "-H", "X-Tenant: a"]);
  ok(target.arrived.length > 0);
  ok(target.arrived.every(({ headers }) => headers.get("x-tenant") === "a"));
});

Deno.test("bowire discover ends with 130 when interrupted", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using running = startBowire(home, ["discover", "--url", `${target.url}/hang`], {});
  const stdout = new Response(running.child.stdout).text();
  await running.child.stdin.close();
  await within(target.hanging, "the request to arrive");
  running.child.kill("SIGINT");
  const { code, signal } = await within(running.ended, "the end", running.stderr);
  // A process that the signal ended by itself would have the same code.
  deepStrictEqual([code, signal, await stdout], [130, null, ""]);
});
