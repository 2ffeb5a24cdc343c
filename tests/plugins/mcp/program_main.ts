/**
 * MCP servers that are programs, each good or bad in the way that the first argument names. They
 * speak line by line, with little that is the project's.
 *
 * @module
 */
import { parseJson } from "../../../lib/schema/exact_json.ts";
import { readLines } from "../../../lib/schema/lines.ts";

interface Incoming {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: unknown };
  readonly result?: unknown;
}

const [kind = "plain"] = Deno.args;

function write(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.byteLength;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

function note(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}

function say(message: object): void {
  write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

const TOOLS = ["env", "echo", "wait", "die", "flood", "ask", "deafen"].map((name) => ({
  name,
  inputSchema: { type: "object" },
}));

/** What is asked in the course of a call is answered to whoever asked for the call. */
let asking: unknown;
let isDeaf = kind === "deaf";
let hasHandshake = kind === "modern";

function answer({ id, method, params = {}, result }: Incoming): void {
  const refuse = (code: number) => say({ id, error: { code, message: `no ${method}` } });
  if (method === undefined) return say({ id: asking, result: { structuredContent: result } });
  if (method === "notifications/cancelled") return note(`cancelled ${JSON.stringify(params)}`);
  if (id === undefined) return;
  if (method === "initialize" && kind !== "modern") {
    hasHandshake = true;
    const serverInfo = { name: "program", version: "1.0" };
    const protocolVersion = "2025-06-18";
    return say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  }
  if (!hasHandshake) return refuse(-32600);
  if (method === "server/discover" && kind === "modern") {
    const supportedVersions = ["2026-07-28"];
    return say({ id, result: { supportedVersions, capabilities: { tools: {} } } });
  }
  if (method === "tools/list") return say({ id, result: { tools: TOOLS } });
  if (method === "tools/call") return call(id, params);
  refuse(-32601);
}

function call(id: unknown, { name, arguments: args }: Incoming["params"] & object): void {
  const give = (structuredContent: unknown) => say({ id, result: { structuredContent } });
  switch (name) {
    case "env":
      return give({ env: givenEnvironment(), pid: Deno.pid, cwd: Deno.cwd() });
    case "echo":
      return give(args);
    case "wait":
      return; // for ever
    case "deafen":
      isDeaf = true;
      return give({});
    case "die":
      note(`something\u001b[31m terrible happened: Bearer CANARY, ${Deno.env.get("API_KEY")}`);
      return Deno.exit(7);
    case "flood":
      return flood();
    case "ask":
      asking = id;
      return say({ id: "q", method: "elicitation/create", params: { message: "sure?" } });
  }
}

/** Writes one line for ever. */
function flood(): never {
  while (true) write("x".repeat(65_536));
}

/** As Linux has it: Deno adds variables of its own. */
function givenEnvironment(): object {
  const pairs = Deno.readTextFileSync("/proc/self/environ").split("\0").filter((pair) =>
    pair !== ""
  );
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
}

if (kind === "gone") {
  for (let line = 1; line <= 30; line++) note(`line ${line}`);
  Deno.exit(3);
}
if (kind === "garbage") write("Starting…\n\n{not json\n[1,null]\n\u001b[2J\n");
if (kind === "stubborn") {
  Deno.addSignalListener("SIGTERM", () => {});
  setInterval(() => {}, 60_000); // its input's end is not its own
}
if (isDeaf) note("I hear nothing");
else {
  const lines = readLines(Deno.stdin.readable, 64 * 1024 * 1024);
  for await (const { text } of lines) {
    answer(parseJson(text) as Incoming); // the tests vouch for it
    if (isDeaf) break;
  }
}
if (isDeaf) setInterval(() => {}, 60_000);
