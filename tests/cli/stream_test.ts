import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { splitJson } from "../../lib/cli/commands/call/data.ts";
import { HAS_PTY, runBowire, runOnTerminal, startBowire } from "../fakes/bowire_process.ts";
import { linesOf } from "../fakes/conversation.ts";
import { within } from "../fakes/deadline.ts";
import { Home } from "../fakes/home.ts";
import { STREAMING, STREAMING_URL } from "../subscribe/streaming_main.ts";
import { startRecordingTarget } from "../fakes/target.ts";

/** A command line that calls a stream of the obliging plugin. */
function callOf(method: string, ...options: readonly string[]): string[] {
  return [
    "call",
    `Harbour/${method}`,
    "--url",
    `obliging@${STREAMING_URL}`,
    "--stream",
    ...options,
  ];
}

/** Runs one to its end. */
async function run(method: string, options: readonly string[] = [], stdin?: string) {
  await using home = await Home.make();
  const args = callOf(method, ...options);
  return await runBowire(home, args, { ...STREAMING, ...(stdin === undefined ? {} : { stdin }) });
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`bowire call --stream prints each frame into a pipe when it comes, and ends with 0 on ${signal}`, async () => {
    await using home = await Home.make();
    await using running = startBowire(home, callOf("quiet", "-d", "3"), STREAMING);
    const lines = linesOf(running.child.stdout);
    for (const expected of ["0", "1", "2"]) {
      const { value } = await within(lines.next(), "a frame", running.stderr);
      strictEqual(value, expected);
    }
    running.child.kill(signal);
    const { code } = await within(running.ended, "the end", running.stderr);
    deepStrictEqual([code, running.stderr(), (await lines.next()).done], [0, "", true]);
  });
}

Deno.test("bowire call --stream ends quietly when nobody reads it any more", async () => {
  await using home = await Home.make();
  await using running = startBowire(home, callOf("count"), STREAMING);
  const lines = linesOf(running.child.stdout);
  strictEqual((await within(lines.next(), "a frame", running.stderr)).value, "0");
  await lines.return(undefined); // closes the pipe
  const { code } = await within(running.ended, "the end", running.stderr);
  deepStrictEqual([code, running.stderr()], [0, ""]);
});

for (
  const [what, method, options, expected] of [
    ["a stream that ends", "numbers", ["-d", "2"], [0, "0\n1\n", ""]],
    ["--max-frames", "count", ["--max-frames", "2"], [0, "0\n1\n", ""]],
    ["--duration", "quiet", ["-d", "1", "--duration", "1500"], [0, "0\n", ""]],
    ["no frames", "numbers", [], [1, "", "no frames came\n"]],
    ["no frames in time", "quiet", ["--duration", "300"], [1, "", "no frames came\n"]],
    ["an error status", "refusing", ["-d", "1"], [
      2,
      "0\n",
      "error: the target answered PermissionDenied\n  the harbour is closed\n  wait for the tide\n",
    ]],
    ["a failure", "failing", ["-d", "1"], [2, "0\n", "error: the stream broke\n"]],
    ["a failure at once", "failing", [], [2, "", "error: the stream broke\n"]],
    ["a refusal", "numbers", ["-d", "{"], [
      2,
      "",
      /^error: cannot use "body": it is not JSON .*\n {2}pass an object/,
    ]],
    ["--duration 0", "numbers", ["--duration", "0"], [1, "", /whole number above 0/]],
    ["--max-frames some", "numbers", ["--max-frames", "some"], [1, "", /whole number above 0/]],
  ] as const
) {
  Deno.test(`bowire call --stream ends with ${expected[0]} after ${what}`, async () => {
    const { code, stdout, stderr } = await run(method, options);
    const [expectedCode, expectedStdout, message] = expected;
    deepStrictEqual([code, stdout], [expectedCode, expectedStdout]);
    if (typeof message === "string") strictEqual(stderr, message);
    else match(stderr, message);
  });
}

Deno.test("bowire call --stream --json prints an object a line for each frame, and one at the end", async () => {
  const { code, stdout } = await run("refusing", ["-d", "2", "--json"]);
  strictEqual(code, 2);
  const [first, second, { elapsedMs, ...end }] = stdout.trimEnd().split("\n").map((line) =>
    JSON.parse(line)
  );
  deepStrictEqual([first, second], [{ atMs: 0, data: "0" }, { atMs: 0, data: "1" }]);
  ok(elapsedMs >= 0);
  deepStrictEqual(end, {
    status: "PermissionDenied",
    metadata: { "x-tide": "low", "x-api-key": "***" },
    response: "the harbour is closed",
    error: {
      code: "call_failed",
      message: "the target answered PermissionDenied",
      retryable: false,
      hint: "wait for the tide",
    },
    frameCount: 2,
    stoppedBecause: "error",
  });
});

Deno.test("bowire call --stream --json tells of a failure before the first frame as JSON", async () => {
  const { code, stdout, stderr } = await run("failing", ["--json"]);
  deepStrictEqual([code, stderr], [2, ""]);
  const error = { code: "unreachable", message: "the stream broke", retryable: false };
  deepStrictEqual(JSON.parse(stdout), { error });
});

for (
  const [what, options, stdin, expected] of [
    ["one -d as it is", ["-d", '{"id":9007199254740993}'], "", '{"id":9007199254740993}'],
    ["several as an array", ["-d", '{"n":1}', "-d", "[2]"], "", '[{"n":1},[2]]'],
    [
      "lines of standard input",
      ["-d", "-"],
      '{"n":1}\n\n{"n":9007199254740993}\n',
      '[{"n":1},{"n":9007199254740993}]',
    ],
    ["several values of one text", ["-d", '{"n":"}"} {"n":2}'], "", '[{"n":"}"},{"n":2}]'],
    ["variables", ["-d", '"{{who}}"', "--var", "who=Anna"], "", '"Anna"'],
    ["nothing", ["-d", "-"], "", "nothing"],
  ] as const
) {
  Deno.test(`bowire call --stream sends ${what}`, async () => {
    const { stdout, stderr } = await run("sent", options, stdin);
    deepStrictEqual([stdout, stderr], [`${expected}\ntrue\n`, ""]);
  });
}

Deno.test("bowire call --half-close ends the request stream, and means --stream as well", async () => {
  await using home = await Home.make();
  const args = callOf("sent", "--half-close").filter((word) => word !== "--stream");
  strictEqual((await runBowire(home, args, STREAMING)).stdout, "nothing\nfalse\n");
});

Deno.test("bowire call reads standard input once", async () => {
  const { code, stderr } = await run("sent", ["-d", "-", "-d", "-"], "{}");
  deepStrictEqual([code, stderr], [2, "error: cannot read standard input twice: give -d - once\n"]);
});

Deno.test("bowire call sends several -d as an array without --stream, too", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const call = ["call", "POST", "--url", `rest@${target.url}/echo`, "--compact"];
  const file = await home.put("two.json", "2");
  const { stdout, stderr } = await runBowire(home, [...call, "-d", "1", "-d", `@${file}`]);
  deepStrictEqual([stdout, stderr], ["[1,2]\n", ""]);
});

Deno.test({
  name: "bowire call --stream sets frames out on a terminal, unless --compact",
  ignore: !HAS_PTY,
  async fn() {
    await using home = await Home.make();
    const args = callOf("sent", "-d", '{"a":"\u001b"}'.replace("\u001b", "\\u009b"));
    strictEqual(
      await runOnTerminal(home, args, STREAMING),
      '{\r\n  "a": "\\u009b"\r\n}\r\ntrue\r\n',
    );
    const compact = await runOnTerminal(home, [...args, "--compact"], STREAMING);
    strictEqual(compact, '{"a":"\\u009b"}\r\ntrue\r\n');
  },
});

Deno.test("bowire permissions call --stream reads the files of every -d", async () => {
  await using home = await Home.make();
  const files = ["/nowhere/a.json", "/nowhere/b.json"];
  const data = files.flatMap((file) => ["-d", `@${file}`]);
  const { stdout, stderr } = await runBowire(home, [
    "permissions",
    ...callOf("sent", ...data),
  ], STREAMING);
  for (const file of files) ok(stdout.includes(file), `${file} in ${stdout}${stderr}`);
});

for (
  const [text, values] of [
    ['{"a": 1}', ['{"a": 1}']],
    ["[1, 2]", ["[1, 2]"]],
    ["1 -2e5\ntrue null", ["1", "-2e5", "true", "null"]],
    ['"a" "b\\" c" {"d": ["}"]}[]', ['"a"', '"b\\" c"', '{"d": ["}"]}', "[]"]],
    ["[1,\n2]\n{}\n", ["[1,\n2]", "{}"]],
    ["", [""]],
    ["plain text", ["plain text"]],
    ["{} {", ["{} {"]],
    ["{},{}", ["{},{}"]],
    ["} {}", ["} {}"]],
    ['{} "open', ['{} "open']],
  ] as const
) {
  Deno.test(`splitJson makes ${values.length} of ${JSON.stringify(text)}`, () => {
    deepStrictEqual(splitJson(text), values);
  });
}
