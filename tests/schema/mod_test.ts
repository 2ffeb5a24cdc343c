import { ok, strictEqual } from "node:assert/strict";

Deno.test("lib/schema/mod.ts loads no package: a start does not pay for engines", async () => {
  const module = new URL("../../lib/schema/mod.ts", import.meta.url).href;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", module],
    cwd: new URL("../..", import.meta.url),
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout));
  ok(modules.length > 3);
  const packages = modules.filter(({ specifier }: { specifier: string }) =>
    specifier.startsWith("npm:")
  );
  strictEqual(packages.length, 0);
});
