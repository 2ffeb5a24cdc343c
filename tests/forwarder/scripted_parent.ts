/**
 * A parent that does as it is told, and remembers what it was sent.
 *
 * @module
 */

/** One request as it came. */
export interface Sent {
  readonly method: string;
  readonly headers: Headers;
  readonly text: string;
  /** Aborts when whoever sent it is gone. */
  readonly signal: AbortSignal;
}

/** Answers one request. */
export type Script = (sent: Sent) => Response | Promise<Response>;

/** A parent that runs. */
export interface ScriptedParent extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** All that came, in order. */
  readonly sent: readonly Sent[];
  /** Those whose message has a method, or that are of an HTTP method. */
  named(method: string): readonly Sent[];
}

/** Starts one. */
export function startParent(script: Script, port = 0): ScriptedParent {
  const sent: Sent[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, async (request) => {
    const { method, headers, signal } = request;
    const one = { method, headers, signal, text: await request.text() };
    sent.push(one);
    return await script(one);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/bowire/mcp`,
    port: server.addr.port,
    sent,
    named: (wanted) => sent.filter(({ method, text }) => (methodIn(text) ?? method) === wanted),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** The method of a message. */
export function methodIn(text: string): string | undefined {
  return /"method"\s*:\s*"([^"]*)"/.exec(text)?.[1];
}

/** An answer of JSON, as text. */
export function json(text: string, init: ResponseInit = {}): Response {
  return new Response(text, {
    ...init,
    headers: { "content-type": "application/json", ...init.headers as Record<string, string> },
  });
}

/** An answer of events, each as it is written. */
export function events(...texts: readonly string[]): Response {
  return new Response(texts.join(""), { headers: { "content-type": "text/event-stream" } });
}

/** A message as an event. */
export function event(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
