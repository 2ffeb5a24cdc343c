import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { runBowire } from "../fakes/bowire_process.ts";
import { startStdio } from "../fakes/conversation.ts";
import { Home } from "../fakes/home.ts";

/** Every kind of auth block, with a canary wherever a secret stands. */
const AUTH_BLOCKS: readonly Record<string, unknown>[] = [
  { type: "bearer", token: "CANARY-bearer" },
  { type: "basic", username: "anna", password: "CANARY-basic" },
  { type: "apikey", name: "X-Key", value: "CANARY-apikey", location: "header" },
  { type: "jwt", algorithm: "HS256", secret: "CANARY-jwt", payload: "CANARY-payload" },
  {
    type: "oauth2_client_credentials",
    tokenUrl: "https://id.test/token?secret=CANARY-query",
    clientId: "app",
    clientSecret: "CANARY-oauth",
    scope: "read",
  },
  { type: "custom_token", tokenUrl: "https://id.test", body: "CANARY-body", tokenPath: "a.b" },
  { type: "aws", accessKey: "CANARY-access", secretKey: "CANARY-secret", region: "eu" },
  { type: "mtls", clientCert: "CANARY-cert", clientKey: "CANARY-key", passphrase: "CANARY-pass" },
  { type: "cookie", cookieJar: true, extra: { nested: "CANARY-nested" } },
];

const ENVIRONMENTS = {
  globals: { GLOBAL_TOKEN: "CANARY-global", region: "north" },
  environments: AUTH_BLOCKS.map((auth, index) => ({
    id: `e${index}`,
    name: `Environment ${index}`,
    vars: {
      API_KEY: "CANARY-var",
      password: "CANARY-password",
      plain: "shown",
      header: "Bearer CANARY-look",
      link: "https://u:CANARY-userinfo@api.test/?api_key=CANARY-link",
      reference: "{{secret.API_KEY}}",
      clientSecret: "{{secret.CLIENT}}",
    },
    auth,
  })),
  activeEnvId: "e1",
};

Deno.test("bowire.env.list and get mask every secret, over MCP and in the log", async () => {
  await using home = await Home.make();
  await home.put("environments.json", ENVIRONMENTS);
  await using agent = startStdio(home, [], { env: { BOWIRE_LOG: "trace" } });
  await agent.initialize();
  const { environments } = (await agent.call("bowire.env.list")).structuredContent;
  strictEqual(environments.environments.length, AUTH_BLOCKS.length);
  deepStrictEqual(environments.globals, { GLOBAL_TOKEN: "***", region: "north" });
  for (const { id } of ENVIRONMENTS.environments) {
    const { environment } = (await agent.call("bowire.env.get", { id })).structuredContent;
    strictEqual(environment.vars.plain, "shown");
    strictEqual(environment.vars.API_KEY, "***");
    strictEqual(environment.vars.clientSecret, "{{secret.CLIENT}}");
    match(environment.vars.link, /^https:\/\/\*\*\*@api\.test\//);
  }
  strictEqual((await agent.finish()).code, 0);
  ok(!agent.lines.join("\n").includes("CANARY"), "stdout holds a secret");
  ok(!agent.stderr.includes("CANARY"), "stderr holds a secret");
});

Deno.test("bowire env list and get mask every secret on the terminal", async () => {
  await using home = await Home.make();
  await home.put("environments.json", ENVIRONMENTS);
  const runs = [["env", "list"], ["env", "list", "--json"]];
  for (const { id } of ENVIRONMENTS.environments) runs.push(["env", "get", id]);
  for (const args of runs) {
    const { code, stdout, stderr } = await runBowire(home, args, { env: { BOWIRE_LOG: "trace" } });
    strictEqual(code, 0, stderr);
    ok(stdout.length > 0);
    ok(!(stdout + stderr).includes("CANARY"), `${args.join(" ")} shows a secret`);
  }
});

Deno.test("bowire.env.list shows an empty list when there is no file", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.initialize();
  const { structuredContent } = await agent.call("bowire.env.list");
  deepStrictEqual(structuredContent, { path: home.file("environments.json"), environments: [] });
});

for (
  const id of [
    "../environments.json",
    "..%2f..%2fetc/passwd",
    "a/../../b",
    "/etc/passwd",
    "nul\u0000byte",
    "CON",
    "x".repeat(300),
    "__proto__",
    "constructor",
  ]
) {
  Deno.test(`C98 bowire.env.get reads nothing for the id ${JSON.stringify(id).slice(0, 30)}`, async () => {
    await using home = await Home.make();
    await home.put("environments.json", ENVIRONMENTS);
    await using agent = startStdio(home);
    await agent.initialize();
    const { isError, structuredContent } = await agent.call("bowire.env.get", { id });
    strictEqual(isError, true);
    strictEqual(structuredContent.error.code, "not_found");
    match(structuredContent.error.hint, /stored are: Environment 0/);
  });
}

Deno.test("C98 a link in place of environments.json is not followed out of the home folder", async () => {
  await using home = await Home.make();
  await using other = await Home.make();
  const outside = await other.put("environments.json", {
    globals: { plain: "OUTSIDE", serverUrl: "https://outside.example.com" },
  });
  await Deno.symlink(outside, home.file("environments.json"));
  // Deno itself would let the other folder be read here: the refusal is the program's own.
  await using agent = startStdio(home, [], { read: [other.path] });
  await agent.initialize();
  const listed = await agent.call("bowire.env.list");
  strictEqual(listed.structuredContent.error.code, "broken_file");
  match(listed.structuredContent.error.message, /it is a link that leads out of its folder/);
  const shown = await agent.call("bowire.allowlist.show");
  deepStrictEqual(shown.structuredContent.urls, []);
  strictEqual((await agent.finish()).code, 0);
  ok(!/OUTSIDE|outside\.example/.test(agent.lines.join("\n") + agent.stderr));
});
