/**
 * Plugins that tests run in a worker.
 *
 * @module
 */
import fs from "node:fs";
import process from "node:process";
import { log } from "node:console";
import { BowireError } from "../../lib/errors/mod.ts";
import type { Frame, Invocation, StreamEnd } from "../../lib/model/mod.ts";
import type { CallContext, Discovered, Plugin, Protocol } from "../../lib/protocol/mod.ts";
import { serviceOf } from "../fakes/protocols.ts";
import { ATTEMPTS } from "./attempts.ts";

const MANIFEST = {
  name: "A test protocol",
  description: "For tests.",
  claims: () => "possible" as const,
};

function pluginOf(
  id: string,
  protocol: Omit<Protocol, "manifest" | "discover"> & Partial<Protocol>,
): Plugin {
  const manifest = { ...MANIFEST, id, hints: [id] };
  const discover = () => Promise.resolve({ services: [], diagnostics: [] });
  return { manifest, load: () => Promise.resolve({ manifest, discover, ...protocol }) };
}

function answer(response: string): Invocation {
  return { status: "OK", ok: true, retryable: false, durationMs: 0, response, metadata: {} };
}

/** Tries what the method names, on the ground that the message describes. */
const hostile = pluginOf("hostile", {
  async invoke({ method, messages: [ground = "{}"] }, context) {
    await ATTEMPTS[method]?.(JSON.parse(ground), context);
    return answer("reached");
  },
});

/** What the obliging plugin does, by method. */
const ACTS: Readonly<
  Record<string, (message: string, context: CallContext) => Promise<unknown> | unknown>
> = {
  echo: (message) => message,
  metadata: (url, context) => JSON.stringify(context.metadataFor(url)),
  async fetch(url, context) {
    const { body } = await context.fetch(context.admit(url, "a test"));
    return new TextDecoder().decode(body);
  },
  async readFile(path, context) {
    const { name, bytes } = await context.readFile(path);
    return `${name}: ${new TextDecoder().decode(bytes)}`;
  },
  progress(message, context) {
    for (const done of [1, 2, 3]) context.report({ done, total: 3, message });
  },
  obedient: (_message, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
  deaf: () => new Promise(() => {}),
  function: () => () => {},
  defect: (message) => {
    throw new TypeError(message);
  },
  throw: (message) => {
    setTimeout(() => {
      throw new Error(message);
    });
    return new Promise(() => {});
  },
  reject: (message) => void Promise.reject(new Error(message)),
  /** Sends what no worker of ours sends. */
  forge: (name, { signal }) => {
    const border = globalThis as unknown as Worker;
    FORGERIES[name]?.(border);
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  },
  odd: () => Promise.reject(Object.create(null)),
  exit: () => Deno.exit(7),
  processExit: () => process.exit(7),
  close: () => globalThis.close(),
  /** Takes memory, and gives the worker time between its bites. */
  async bloat() {
    for (const pieces: unknown[] = []; true;) {
      pieces.push(new Array(1_000_000).fill({}));
      await new Promise((resolve) => setTimeout(resolve));
    }
  },
  /** Takes no pause. */
  busy(message) {
    const endMs = performance.now() + Number(message);
    while (performance.now() < endMs);
  },
  print: (way) => PRINTS[way]?.(),
};

/** Messages that break the rules of the border. */
const FORGERIES: Readonly<Record<string, (border: Worker) => void>> = {
  null: (border) => border.postMessage(null),
  undefined: (border) => border.postMessage(undefined),
  "no outcome": (border) => border.postMessage({ kind: "done", id: 1, memo: { number: 1 } }),
  "a favour without a number": (border) => {
    const { port1 } = new MessageChannel();
    const favour = { kind: "ask", id: port1, favour: "lookup", argument: "127.0.0.1" };
    border.postMessage(favour, [port1]);
  },
  "too many favours": (border) => {
    const favour = { kind: "ask", favour: "lookup", argument: "127.0.0.1" };
    for (let id = 0; id < 2000; id++) border.postMessage({ ...favour, id });
  },
};

/** Their names. */
export const FORGED = Object.keys(FORGERIES);

/** Ways to print. */
const PRINTS: Readonly<Record<string, () => unknown>> = {
  // deno-lint-ignore no-console -- this is what is tested
  console: () => console.log("printed"),
  named: () => log("printed"),
  process: () => process.stdout.write("printed\n"),
  Deno: () => Deno.stdout.writeSync(new TextEncoder().encode("printed\n")),
  "node:fs": () => fs.writeSync(1, "printed\n"),
};

/** How many frames were made, and how many streams are open, in this thread. */
const streams = { frames: 0, open: 0 };

/** Numbers without end, as fast as they are wanted. */
async function* count(signal: AbortSignal): AsyncGenerator<Frame> {
  streams.open++;
  try {
    for (let number = 0; !signal.aborted; number++) {
      streams.frames++;
      yield { data: String(number), atMs: 0 };
      await Promise.resolve();
    }
  } finally {
    streams.open--;
  }
}

/** Stays open without a frame until it is ended. */
async function stayOpen(signal: AbortSignal): Promise<void> {
  streams.open++;
  try {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  } finally {
    streams.open--;
  }
}

/** How a stream ends that the target does not want to go on with. */
const REFUSAL: StreamEnd = {
  status: "PermissionDenied",
  ok: false,
  retryable: false,
  response: "the harbour is closed",
  hint: "wait for the tide",
  metadata: { "x-tide": "low", "x-api-key": "hush" },
};

/** What is found at every URL that asks for nothing else. */
const FOUND: Discovered = { services: [serviceOf("remembered")], diagnostics: [] };

/** Does what the method names. */
const obliging = pluginOf("obliging", {
  discover({ target: { url } }) {
    const name = new URL(url).pathname.slice(1);
    if (name === "") return Promise.resolve(FOUND);
    const service = serviceOf(name);
    const broken = { ...service, name: () => name } as never;
    return Promise.resolve({
      services: [name === "function" ? broken : service],
      diagnostics: [],
    });
  },
  async invoke({ method, messages: [message = ""] }, context) {
    if (method === "streams") return answer(JSON.stringify(streams));
    const result = await ACTS[method]?.(message, context);
    return answer(typeof result === "function" ? result as never : String(result));
  },
  async *subscribe({ method, messages, keepsOpen }, { signal }) {
    const [message = "0"] = messages;
    if (method === "count") yield* count(signal);
    if (method === "sent") {
      const sent = [messages[0] ?? "nothing", String(keepsOpen)];
      yield* sent.map((data) => ({ data, atMs: 0 }));
    }
    while (method === "large") yield { data: "x".repeat(1024 * 1024), atMs: 0 };
    for (let number = 0; number < Number(message); number++) yield { data: `${number}`, atMs: 0 };
    if (method === "failing") throw new BowireError("unreachable", "the stream broke");
    if (method === "silent") await new Promise(() => {});
    if (method === "quiet") await stayOpen(signal);
    return method === "refusing" ? REFUSAL : undefined;
  },
});

/** Has no streams and no schemas. */
const plain = pluginOf("plain", { invoke: () => Promise.resolve(answer("plain")) });

/** All of them. */
export const plugins: readonly Plugin[] = [obliging, hostile, plain];
