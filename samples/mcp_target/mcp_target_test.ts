import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createBowire } from "../../mod.ts";
import { startMcpTarget } from "./server.ts";

Deno.test("the harbour office is explored and called like any API", async () => {
  await using target = startMcpTarget();
  const home = await Deno.makeTempDir();
  const { url } = target;
  await using bowire = await createBowire({ home, allowedServerUrls: [url], sandbox: "none" });

  const { services } = await bowire.discover(url);
  deepStrictEqual(
    services.map(({ name, methods }) => [name, methods.map((method) => method.name)]),
    [
      ["Tools", ["echo", "add", "moor"]],
      ["Resources", ["harbour://rules"]],
      ["Prompts", ["greet"]],
    ],
  );

  const call = async (service: string, method: string, message: string) => {
    const { invocation } = await bowire.invoke({ url, service, method, messages: [message] });
    return [invocation.ok, JSON.parse(invocation.response ?? "null")];
  };
  const [ok, sum] = await call("Tools", "add", '{"a": 2, "b": 3}');
  deepStrictEqual([ok, sum.structuredContent], [true, { sum: 5 }]);
  const [isMoored, refusal] = await call("Tools", "moor", '{"name": "Aurora", "lengthM": 300}');
  deepStrictEqual([isMoored, refusal.isError], [false, true]);
  const [, rules] = await call("Resources", "harbour://rules", "{}");
  strictEqual(rules.contents[0].text, "Keep to the right. Three knots at most.");
  const [, greeting] = await call("Prompts", "greet", '{"captain": "Ek"}');
  strictEqual(greeting.messages[0].content.text, "Greet Captain Ek.");
  await Deno.remove(home, { recursive: true });
});
