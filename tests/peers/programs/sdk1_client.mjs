/**
 * The official MCP client of SDK 1 as a program under Node, driven by one JSON message a line.
 *
 * Its argument: { name, canAsk, stdio?: { command, args, env, cwd }, http?: { url, headers } }.
 * It says { revision } once connected. In: { id, method: "listTools" }, { id, method: "callTool",
 * params, wantsProgress }, { cancel: id }, { reaction }. Out: { id, progress }, { id, result } or
 * { id, error }, { question }.
 */
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const { name, canAsk, stdio, http } = JSON.parse(process.argv[2]);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

const capabilities = canAsk ? { elicitation: { form: {} } } : {};
const client = new Client({ name, version: "1.0" }, { capabilities });
let react;
if (canAsk) {
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    say({ question: params.message });
    return new Promise((resolve) => react = resolve);
  });
}

const transport = stdio !== undefined
  ? new StdioClientTransport({ ...stdio, stderr: "ignore" })
  : new StreamableHTTPClientTransport(new URL(http.url), {
    requestInit: { headers: http.headers },
  });
let revision;
const tell = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (negotiated) => {
  revision = negotiated;
  tell?.(negotiated);
};
await client.connect(transport);
say({ revision });

const running = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.reaction !== undefined) react?.(message.reaction);
  else if (message.cancel !== undefined) running.get(message.cancel)?.abort();
  else answer(message);
}
await transport.terminateSession?.();
await client.close();
process.exit(0);

async function answer({ id, method, params, wantsProgress }) {
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const result = method === "listTools"
      ? (await client.listTools()).tools
      : await client.callTool(params, undefined, {
        signal: abort.signal,
        ...(wantsProgress ? { onprogress: (progress) => say({ id, progress }) } : {}),
      });
    say({ id, result });
  } catch (error) {
    say({ id, error: { code: error.code, message: String(error.message) } });
  } finally {
    running.delete(id);
  }
}
