/**
 * The official MCP clients, of both major versions, behind one small interface.
 *
 * @module
 */
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { denoArguments, environmentOf, type StartOptions } from "./bowire_process.ts";
import type { ToolResult } from "./conversation.ts";
import type { Home } from "./home.ts";
import { HAS_PEERS } from "../peers/peers.ts";
import { Sdk1Client } from "./sdk1_client.ts";
import type { ClientOptions, TestClient } from "./test_client.ts";

/** A client and how it chooses the protocol revision. */
export type ClientKind = "sdk 1" | "sdk 2 legacy" | "sdk 2 auto" | "sdk 2 pinned";

/** How a client reaches the server. */
export type Way =
  | {
    readonly kind: "stdio";
    readonly home: Home;
    readonly args: readonly string[];
    /** What stands before the arguments. @default `mcp serve` */
    readonly verb?: readonly string[];
    readonly start?: StartOptions;
  }
  | { readonly kind: "http"; readonly url: string; readonly token?: string };

/** Connects a client. That of SDK 1 is one of the peers, so it is there only where they are. */
export function connectClient(
  kind: ClientKind,
  way: Way,
  options: ClientOptions = {},
): Promise<TestClient> {
  if (kind !== "sdk 1") return connectSecond(kind, way, options);
  const server = way.kind === "stdio"
    ? { stdio: commandOf(way) }
    : { http: { url: way.url, headers: headersOf(way) } };
  return Sdk1Client.connect(server, options);
}

/** A test with a client, passed over where that client does not run. */
export function clientTest(kind: ClientKind, name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `${kind} ${name}`, ignore: kind === "sdk 1" && !HAS_PEERS, fn });
}

async function connectSecond(
  kind: Exclude<ClientKind, "sdk 1">,
  way: Way,
  options: ClientOptions,
): Promise<TestClient> {
  const { onQuestion, name = "test client" } = options;
  const mode = {
    "sdk 2 legacy": "legacy",
    "sdk 2 auto": "auto",
    "sdk 2 pinned": { pin: "2026-07-28" },
  } as const;
  const client = new Client2({ name, version: "1.0" }, {
    capabilities: capabilitiesOf(options),
    versionNegotiation: { mode: mode[kind] },
  });
  if (onQuestion !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      const { action, content } = onQuestion(params.message);
      return content === undefined ? { action } : { action, content: { ...content } };
    });
  }
  const transport = way.kind === "stdio"
    ? new Stdio2(commandOf(way))
    : new Http2(new URL(way.url), { requestInit: { headers: headersOf(way) } });
  await client.connect(transport);
  return {
    revision: client.getNegotiatedProtocolVersion(),
    listTools: async () => (await client.listTools()).tools,
    async callTool(tool, args = {}, { signal, onProgress } = {}) {
      const result: unknown = await client.callTool({ name: tool, arguments: args }, {
        ...(signal && { signal }),
        ...(onProgress && { onprogress: onProgress }),
      });
      return result as ToolResult; // the client has checked it
    },
    async [Symbol.asyncDispose]() {
      if (transport instanceof Http2) await transport.terminateSession();
      await client.close();
    },
  };
}

function capabilitiesOf({ onQuestion }: ClientOptions) {
  return onQuestion === undefined ? {} : { elicitation: { form: {} } };
}

function commandOf({ home, args, verb = ["mcp", "serve"], start }: Way & { kind: "stdio" }) {
  return {
    command: Deno.execPath(),
    args: denoArguments(home, [...verb, ...args], start),
    env: environmentOf(home, start),
    cwd: home.path,
    stderr: "ignore" as const,
  };
}

function headersOf({ token }: Way & { kind: "http" }): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}
