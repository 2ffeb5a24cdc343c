// deno-lint-ignore-file no-console -- it shows what an agent sees
/**
 * What an agent sees of Bowire, from the first look at an API to a URL that the user permits.
 *
 * Starts two small APIs and `bowire mcp serve`, and drives it with the official MCP client over
 * stdio. Bowire may reach one API at first; Deno lets the process reach just the two (the second
 * fence). Checks each step and ends with 1 when one is not as it should be.
 *
 * Run: `deno task demo`
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startRestTarget } from "../rest_target/server.ts";
import { check, readAnswer, showStep } from "./show.ts";

const folder = import.meta.dirname ?? ".";
const root = fileURLToPath(new URL("../..", import.meta.url));
const home = await Deno.makeTempDir({ dir: folder, prefix: ".home-" });
await using allowed = startRestTarget();
await using other = startRestTarget();

const client = new Client({ name: "demo-agent", version: "1.0.0" });
const transport = new StdioClientTransport({
  command: Deno.execPath(),
  args: [
    "run",
    "--cached-only",
    "--no-prompt",
    "--ignore-env",
    "--allow-env=BOWIRE_*",
    `--allow-read=${home},${root}`, // its modules are read again for the worker of the plugins
    `--allow-write=${home}`,
    `--allow-net=${new URL(allowed.url).host},${new URL(other.url).host}`,
    `${root}main.ts`,
    "mcp",
    "serve",
    "--allow-url",
    allowed.url,
  ],
  env: { BOWIRE_DATA_DIR: home },
});

try {
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown>) =>
    readAnswer(await client.callTool({ name, arguments: args }));

  const { tools } = await client.listTools();
  showStep("tools/list", tools.map(({ name, title }) => `${name}: ${title}`));
  check(tools.length > 0, "tools are listed");

  const discovery = await call("bowire.discover", { url: allowed.url });
  showStep(`bowire.discover ${allowed.url}`, discovery.services());
  check(!discovery.isError, "the API is discovered");

  const ships = await call("bowire.invoke", {
    url: allowed.url,
    service: "Ships",
    method: "listShips",
    body: { kind: ["ferry"] },
  });
  showStep('bowire.invoke Ships/listShips {"kind": ["ferry"]}', [
    ships.text("status"),
    ships.text("response"),
  ]);
  check(ships.text("status") === "OK", "the call succeeds");

  const refused = await call("bowire.invoke", { url: other.url, service: "", method: "GET" });
  showStep(`bowire.invoke GET ${other.url}`, [refused.error()]);
  check(refused.isError, "a URL that is not on the allowlist is refused");

  const plan = await call("bowire.allowlist.permit", { url: other.url });
  showStep(`bowire.allowlist.permit ${other.url}`, [plan.text("plan")]);
  check(!plan.isError && plan.text("confirmationToken") !== "", "a change waits for the user");

  const permitted = await call("bowire.allowlist.permit", {
    url: other.url,
    confirmationToken: plan.text("confirmationToken"),
  });
  showStep("the user agrees; the same call with the token", [permitted.text("url")]);
  check(!permitted.isError, "the confirmed change is made");

  const harbour = await call("bowire.invoke", {
    url: other.url,
    service: "Harbour",
    method: "getHarbour",
  });
  showStep(`bowire.invoke Harbour/getHarbour at ${other.url}`, [harbour.text("response")]);
  check(harbour.text("status") === "OK", "the permitted API can be called");
  console.log("\nAll of it went as it should.");
} finally {
  await client.close();
  await Deno.remove(home, { recursive: true });
}
