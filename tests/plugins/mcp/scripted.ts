/**
 * MCP servers made by hand, over HTTP: all that arrives is kept, and what is answered is said in a
 * few words, or byte by byte.
 *
 * @module
 */
import { within } from "../../fakes/deadline.ts";

/** A JSON object, as tests look into it. */
// deno-lint-ignore no-explicit-any -- each test knows what it has sent
export type Json = Record<string, any>;

/** A request as it arrived. */
export interface Arrived {
  /** Of HTTP. */
  readonly verb: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly text: string;
  /** The message in the body; empty without one. */
  readonly message: Json;
}

/** An error instead of a result. */
export class Refused extends Error {
  readonly error: Json;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.error = { code, message, ...(data === undefined ? {} : { data }) };
  }
}

/** Answers a request by a result, by a whole answer of HTTP, or by throwing {@linkcode Refused}. */
export type Answer = (params: Json, arrived: Arrived) => unknown;

/** What a server says. */
export interface Script {
  /** @default "2025-11-25" */
  readonly revision?: string;
  /** @default those of the lists that it has */
  readonly capabilities?: Json;
  readonly tools?: readonly unknown[];
  readonly resources?: readonly unknown[];
  readonly templates?: readonly unknown[];
  readonly prompts?: readonly unknown[];
  /** Answers by method, above those that follow from the rest. */
  readonly on?: Readonly<Record<string, Answer>>;
  /** Answers `GET`. @default 405 */
  readonly listen?: (arrived: Arrived) => Response;
  /** Hears the client's answers to requests of the server. */
  readonly onReply?: (reply: Json) => void;
  /** Whether results come as a stream of events. @default false */
  readonly streams?: boolean;
}

/** A server on 127.0.0.1. */
export interface ScriptedServer extends AsyncDisposable {
  /** Where messages are taken. */
  readonly url: string;
  /** All requests so far, in order. */
  readonly arrived: readonly Arrived[];
  /** The ids of the sessions that live. */
  readonly sessions: Set<string>;
  /** The requests of one method, or one verb of HTTP. */
  named(name: string): Arrived[];
  /** Waits for the first request of one method, or one verb of HTTP. */
  when(name: string): Promise<Arrived>;
}

export const MODERN = "2026-07-28";

/** Serves a script on a free port. */
export function serveMcp(script: Script): ScriptedServer {
  const arrived: Arrived[] = [];
  const waiting = new Map<string, PromiseWithResolvers<Arrived>>();
  const sessions = new Set<string>();
  const waitFor = (name: string) => {
    const known = waiting.get(name) ?? Promise.withResolvers<Arrived>();
    waiting.set(name, known);
    return known;
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const text = await request.text();
    const one: Arrived = {
      verb: request.method,
      url: new URL(request.url),
      headers: new Headers(request.headers), // those of a closed request cannot be read
      text,
      message: text.startsWith("{") ? JSON.parse(text) : {},
    };
    arrived.push(one);
    for (const name of namesOf(one)) waitFor(name).resolve(one);
    return await answer(script, sessions, one);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    arrived,
    sessions,
    named: (name) => arrived.filter((one) => namesOf(one).includes(name)),
    when: (name) => within(waitFor(name).promise, `${name} to arrive`),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function namesOf({ verb, message: { method } }: Arrived): string[] {
  return typeof method === "string" ? [verb, method] : [verb];
}

async function answer(
  script: Script,
  sessions: Set<string>,
  arrived: Arrived,
): Promise<Response> {
  const { verb, headers, message: { id, method, params = {} } } = arrived;
  const session = headers.get("mcp-session-id") ?? "";
  if (verb === "GET") return script.listen?.(arrived) ?? new Response(null, { status: 405 });
  if (verb === "DELETE") {
    return new Response(null, { status: sessions.delete(session) ? 200 : 404 });
  }
  const { revision = "2025-11-25" } = script;
  if (revision !== MODERN && method !== "initialize" && !sessions.has(session)) {
    const isLost = session !== "";
    const error = { code: -32000, message: isLost ? "Session not found" : "No session" };
    return Response.json({ jsonrpc: "2.0", error, id: null }, { status: isLost ? 404 : 400 });
  }
  if (method === undefined) script.onReply?.(arrived.message);
  if (id === undefined || method === undefined) return new Response(null, { status: 202 });
  const own = method === "initialize" && revision !== MODERN ? crypto.randomUUID() : undefined;
  if (own !== undefined) sessions.add(own);
  const more = own === undefined ? {} : { "mcp-session-id": own };
  try {
    const result = await (script.on?.[method] ?? plainAnswer(script, method))(params, arrived);
    if (result instanceof Response) return result;
    const whole = revision === MODERN ? { resultType: "complete", ...Object(result) } : result;
    return reply(script, { id, result: whole }, { headers: more });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const status = revision === MODERN ? 400 : 200;
    return reply(script, { id, error: error.error }, { headers: more, status });
  }
}

function reply({ streams = false }: Script, members: Json, init: ResponseInit): Response {
  const message = { jsonrpc: "2.0", ...members };
  if (!streams || init.status === 400) return Response.json(message, init);
  const events = openEvents(init);
  events.send(message);
  events.end();
  return events.response;
}

function plainAnswer(script: Script, method: string): Answer {
  const { revision = "2025-11-25", tools, resources, templates, prompts } = script;
  const capabilities = script.capabilities ?? {
    ...(tools && { tools: {} }),
    ...((resources ?? templates) && { resources: {} }),
    ...(prompts && { prompts: {} }),
  };
  const serverInfo = { name: "scripted", version: "1.0" };
  const answers: Record<string, unknown> = {
    ...(revision === MODERN
      ? { "server/discover": { supportedVersions: [MODERN], capabilities, serverInfo } }
      : { initialize: { protocolVersion: revision, capabilities, serverInfo } }),
    "tools/list": tools && { tools },
    "resources/list": resources && { resources },
    "resources/templates/list": templates && { resourceTemplates: templates },
    "prompts/list": prompts && { prompts },
    "tools/call": { content: [{ type: "text", text: "done" }] },
  };
  const result = answers[method];
  return () => {
    if (result === undefined) throw new Refused(-32601, "Method not found");
    return result;
  };
}

/** A stream of events that a test writes. */
export interface Events {
  readonly response: Response;
  /** An object goes as one event, a text as it is. */
  send(piece: Json | string): void;
  sendBytes(bytes: Uint8Array): void;
  end(): void;
  /** Settles when the client has gone away. */
  readonly left: Promise<void>;
}

/** Opens one. */
export function openEvents(init: ResponseInit = {}): Events {
  const left = Promise.withResolvers<void>();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    cancel: () => left.resolve(),
  });
  return {
    response: new Response(body, {
      ...init,
      headers: { ...Object(init.headers), "content-type": "text/event-stream" },
    }),
    send(piece) {
      const text = typeof piece === "string" ? piece : `data: ${JSON.stringify(piece)}\n\n`;
      controller?.enqueue(new TextEncoder().encode(text));
    },
    sendBytes: (bytes) => controller?.enqueue(bytes),
    end: () => controller?.close(),
    get left() {
      return within(left.promise, "the client to leave the stream");
    },
  };
}

/** A tool that takes whatever it is given. */
export function toolNamed(name: string, members: Json = {}): Json {
  return { name, inputSchema: { type: "object" }, ...members };
}
