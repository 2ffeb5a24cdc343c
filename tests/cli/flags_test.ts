import { deepStrictEqual, doesNotMatch, match, ok, strictEqual, throws } from "node:assert/strict";
import { completeUrl, connectionOf } from "../../lib/cli/reach/connection.ts";
import { Program } from "../../lib/cli/reach/one_dash.ts";
import { makeDeskHome, runDesk } from "../schemas/cli.ts";

const URL_A = "http://127.0.0.1:9";
const CALL = ["call", "Orders/sit", "--url", URL_A, "--protocol", "desk", "--compact"];

for (
  const [typed, secure, plain] of [
    ["localhost:50051", "https://localhost:50051", "http://localhost:50051"],
    ["localhost", "https://localhost", "http://localhost"],
    ["[::1]:9/x", "https://[::1]:9/x", "http://[::1]:9/x"],
    ["grpc@api.test/v1?x=1", "grpc@https://api.test/v1?x=1", "grpc@http://api.test/v1?x=1"],
    ["https://api.test/", "https://api.test/", undefined],
    ["rest@HTTPS://api.test", "rest@HTTPS://api.test", undefined],
    ["http://api.test", "http://api.test", "http://api.test"],
    ["mqtt://api.test", "mqtt://api.test", "mqtt://api.test"],
    ["", "", ""],
    ["/orders", "/orders", "/orders"],
    ["://x", "://x", "://x"],
    ["http:/x", "http:/x", "http:/x"],
    ["javascript:alert(1)", "javascript:alert(1)", "javascript:alert(1)"],
  ] as const
) {
  Deno.test(`completeUrl makes of ${JSON.stringify(typed)} ${JSON.stringify(secure)}`, () => {
    strictEqual(completeUrl(typed, connectionOf({})), secure);
    const plaintext = () => completeUrl(typed, connectionOf({ plaintext: true }));
    if (plain !== undefined) strictEqual(plaintext(), plain);
    else throws(plaintext, { code: "usage", message: /https URL without TLS/ });
  });
}

/** What a command with some of the options makes of words. */
function parse(...words: string[]) {
  const program = new Program("test").enablePositionalOptions();
  const command = program.command("go [words...]").exitOverride()
    .option("--plaintext").option("--proto <file>").option("-I, --import-path <dir>")
    .option("-d, --data <json>").option("--key <file>").option("-H, --header <name>")
    .action(() => {});
  program.parse(["go", ...words], { from: "user" });
  return [command.opts(), command.args];
}

Deno.test("options that grpcurl writes with one dash may be written so", () => {
  deepStrictEqual(
    parse("-plaintext", "-import-path", "a", "-proto=b", "-d", "{}", "-H", "x", "word"),
    [{ plaintext: true, importPath: "a", proto: "b", data: "{}", header: "x" }, ["word"]],
  );
  deepStrictEqual(parse("--plaintext", "-I", "a"), [{ plaintext: true, importPath: "a" }, []]);
});

Deno.test("the value of an option, and what stands behind --, keep their one dash", () => {
  deepStrictEqual(parse("-d", "-key", "--proto", "-plaintext", "-key", "-d"), [
    { data: "-key", proto: "-plaintext", key: "-d" },
    [],
  ]);
  deepStrictEqual(parse("--data=x", "-plaintext", "--", "-key", "-plaintext"), [
    { data: "x", plaintext: true },
    ["-key", "-plaintext"],
  ]);
});

Deno.test("bowire call --proto describes the API for this run only", async () => {
  await using home = await makeDeskHome();
  for (
    const flags of [
      ["--proto", "protos/shop.desk", "--import-path", "protos"],
      ["-proto", "shop.desk", "-import-path", "protos"],
      ["-proto", home.file("protos/shop.desk"), "-I", "protos"],
      ["-protoset", "protos/shop.desk", "-I", "protos"],
    ]
  ) {
    const { code, stdout, stderr } = await runDesk(home, [...CALL, ...flags]);
    deepStrictEqual([code, stderr], [0, ""], flags.join(" "));
    deepStrictEqual(JSON.parse(stdout).services, ["Orders", "More"]);
  }
  deepStrictEqual([...Deno.readDirSync(home.path)].map(({ name }) => name).sort(), [
    "lost.desk",
    "protos",
  ]);
});

Deno.test("bowire list and discover take several schema files, and tell what is missing", async () => {
  await using home = await makeDeskHome();
  const flags = ["--proto", "protos/sub/more.desk", "--proto", "lost.desk", "--url", URL_A];
  const { stdout, stderr } = await runDesk(home, ["list", ...flags]);
  strictEqual(stdout, "More\nLost\n");
  strictEqual(stderr, '"nowhere.desk" was not found\n');
  match((await runDesk(home, ["discover", ...flags])).stdout, /^Lost {2}desk, 2 methods$/m);
});

Deno.test("bowire call sends certificates and the authority as metadata", async () => {
  await using home = await makeDeskHome();
  const url = ["call", "x/y", "--protocol", "desk", "--url", "127.0.0.1:9", "--compact"];
  const metadataOf = async (...flags: string[]) => {
    const { stdout, stderr } = await runDesk(home, [...url, ...flags]);
    strictEqual(stderr, "");
    return JSON.parse(stdout);
  };
  await home.put("ca.pem", "CA");
  await home.put("cert.pem", "CERT");
  await home.put("key.pem", "KEY");
  const all = ["-cacert", "ca.pem", "-cert", "cert.pem", "-key", "key.pem", "-authority", "a.test"];
  const sent = await metadataOf(...all, "-H", "x: y");
  strictEqual(sent.url, "https://127.0.0.1:9/");
  const { __bowireMtls__: pems, ...others } = sent.metadata;
  deepStrictEqual(others, { x: "y", ":authority": "a.test" });
  deepStrictEqual(JSON.parse(pems), {
    certificate: "CERT",
    privateKey: "KEY",
    caCertificate: "CA",
  });
  const insecure = await metadataOf("-insecure");
  deepStrictEqual(insecure.metadata, { __bowireMtls__: '{"allowSelfSigned":true}' });
  const plain = await metadataOf("-plaintext");
  deepStrictEqual([plain.url, plain.metadata], ["http://127.0.0.1:9/", {}]);
});

for (
  const [flags, message] of [
    [["--cert", "a.pem"], /--cert and --key belong together/],
    [["--key", "a.pem"], /--cert and --key belong together/],
    [["--cacert", "none.pem"], /cannot read the certificates to trust from "none\.pem"/],
    [["--cert", "none.pem", "--key", "none.pem"], /cannot read the certificate from "none\.pem"/],
    [["--plaintext", "--insecure"], /'--plaintext' cannot be used with option '--insecure'/],
    [["--proto", "none.desk"], /cannot read the schema "none\.desk": there is no such file/],
    [["--proto", "bad.desk"], /cannot read ".*bad\.desk": "nonsense" is no word/],
  ] as const
) {
  Deno.test(`bowire call ${flags.join(" ")} is refused`, async () => {
    await using home = await makeDeskHome();
    await home.put("bad.desk", "nonsense\n");
    const { code, stdout, stderr } = await runDesk(home, [...CALL, ...flags]);
    ok(code === 1 || code === 2, stderr);
    strictEqual(stdout, "");
    match(stderr, message);
    doesNotMatch(stderr, /\.ts:\d/);
  });
}

Deno.test("bowire permissions takes one dash in the command it is asked about", async () => {
  await using home = await makeDeskHome();
  const args = ["call", "GET", "--url", "localhost:9", "-plaintext", "-cacert", "protos/shop.desk"];
  const { stdout, stderr } = await runDesk(home, ["permissions", ...args.slice(0, 5)]);
  match(stdout, /--allow-net=localhost:9 /, stderr);
  const { stderr: refusal } = await runDesk(home, ["permissions", ...args]);
  match(refusal, /'--plaintext' cannot be used with option '--cacert/);
});

Deno.test("bowire describe --as prints JSON Schema and the API's own language", async () => {
  await using home = await makeDeskHome();
  const schemas = ["--proto", "protos/shop.desk", "-I", "protos", "--url", URL_A, "--as"];
  const describe = async (name: string, form: string, ...more: string[]) =>
    await runDesk(home, ["describe", name, ...schemas, form, ...more]);
  strictEqual((await describe("Orders/sit", "desk")).stdout, "service Orders\n  common\n");
  strictEqual((await describe("Orders", "desk")).stdout, "service Orders\n  common\n");
  const one = await describe("Orders/sit", "schema", "--compact");
  strictEqual(
    one.stdout,
    '{"input":{"title":"input of Orders/sit","maximum":9007199254740993},"output":{"title":"output"}}\n',
  );
  const all = JSON.parse((await describe("More", "schema")).stdout);
  deepStrictEqual(Object.keys(all), ["More/sit", "More/stand"]);
  match((await describe("Orders/sit", "fields")).stdout, /^Orders\/sit {2}Unary\n/);
  const { code, stdout, stderr } = await describe("Orders/sit", "wsdl");
  deepStrictEqual([code, stdout], [1, ""]);
  match(stderr, /no such form of it\n.*there are: fields, schema, desk/);
});
