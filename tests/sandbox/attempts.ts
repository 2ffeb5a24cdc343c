/**
 * What a plugin that ignores its context may try.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns/promises";
import fs from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import inspector from "node:inspector";
import net from "node:net";
import os from "node:os";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import tls from "node:tls";
import tty from "node:tty";
import { Worker as NodeWorker } from "node:worker_threads";
import type { CallContext } from "../../lib/protocol/mod.ts";

/** Where attempts are made. */
export interface Ground {
  /** Origin of a server on the allowlist; `/to?url=` redirects. */
  readonly allowed: string;
  /** Port on 127.0.0.1 of a listener that is not on it. */
  readonly port: number;
  /** A file that is not to be read. */
  readonly file: string;
}

/** Settles when something was reached, and rejects when it was not. */
export type Attempt = (ground: Ground, context: CallContext) => Promise<unknown> | unknown;

const origin = ({ port }: Ground) => `http://127.0.0.1:${port}`;

function once(emitter: NodeJS.EventEmitter, event: string): Promise<unknown> {
  return new Promise((resolve, reject) => emitter.once(event, resolve).once("error", reject));
}

function opened(target: WebSocket | EventSource): Promise<unknown> {
  return new Promise((resolve, reject) => {
    target.onopen = resolve;
    target.onerror = (event: Event) => {
      target.close();
      reject(new Error(event instanceof ErrorEvent ? event.message : "not opened"));
    };
  });
}

/** Tries the descriptors of the process, among which are those of the ground's servers. */
function adoptAny(adopt: (fd: number) => unknown): unknown {
  let refusal: unknown;
  for (let fd = 0; fd < 256; fd++) {
    try {
      return adopt(fd);
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal;
}

/** Runs the text of a module in a worker inside, which tells what it got. */
function nested(source: string, options: object = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(`data:text/javascript,${encodeURIComponent(source)}`, {
      type: "module",
      ...options,
    });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      data === "reached" ? resolve(data) : reject(new Error(data));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
  });
}

const fetching = (url: string) =>
  `fetch("${url}").then((r) => r.text()).then(() => postMessage("reached"), (e) => postMessage(e.message))`;

/** By name. */
export const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  "the context, to a URL off the list": (ground, context) =>
    context.fetch(context.admit(origin(ground), "a test")),
  "the context, by a redirect": ({ allowed, ...ground }, context) =>
    context.fetch(
      context.admit(`${allowed}/to?url=${origin({ allowed, ...ground })}`, "a test"),
    ),
  "the global fetch": async (ground) => await (await fetch(origin(ground))).text(),
  "the global fetch, by a redirect": async (ground) =>
    await (await fetch(`${ground.allowed}/to?url=${origin(ground)}`)).text(),
  "the global fetch, by a name of the same machine": async ({ port }) =>
    await (await fetch(`http://localhost:${port}`)).text(),
  "the global fetch, by a number as host": async ({ port }) =>
    await (await fetch(`http://2130706433:${port}`)).text(),
  "the global fetch, through a proxy off the list": async (ground) => {
    using client = Deno.createHttpClient({ proxy: { url: origin(ground) } });
    return await (await fetch(ground.allowed, { client })).text();
  },
  "the global fetch of a file": async ({ file }) => await (await fetch(`file://${file}`)).text(),
  "a WebSocket": (ground) => opened(new WebSocket(origin(ground).replace("http", "ws"))),
  "an EventSource": (ground) => opened(new EventSource(origin(ground))),
  "Deno.connect": async ({ port }) => (await Deno.connect({ port })).close(),
  "Deno.connectTls": async ({ port }) => {
    const connection = await Deno.connectTls({ hostname: "127.0.0.1", port });
    await connection.handshake();
  },
  "Deno.listen": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
  "node:net": async ({ port }) => {
    const socket = net.connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.destroy();
  },
  "node:tls": async ({ port }) => {
    const socket = tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
    await once(socket, "secureConnect");
  },
  "node:http": async (ground) => {
    const request = http.get(origin(ground));
    const answer = await once(request, "response");
    (answer as http.IncomingMessage).resume();
  },
  "node:http2": async (ground) => {
    const session = http2.connect(origin(ground));
    try {
      await once(session, "connect");
    } finally {
      session.destroy();
    }
  },
  "node:dgram": async ({ port }) => {
    const socket = dgram.createSocket("udp4");
    try {
      await new Promise((resolve, reject) => {
        socket.once("error", reject);
        socket.send("x", port, "127.0.0.1", (error) => error ? reject(error) : resolve(undefined));
      });
    } finally {
      socket.close();
    }
  },
  "a DNS lookup": async () => await dns.lookup("localhost"),
  "a DNS query": async () => await Deno.resolveDns("localhost", "A"),
  "a nested worker that does nothing": () => nested('postMessage("reached")'),
  "a nested worker": (ground) => nested(fetching(origin(ground))),
  "a nested worker with more permissions": (ground) =>
    nested(fetching(origin(ground)), { deno: { permissions: { net: true } } }),
  "a nested worker of node:worker_threads": async (ground) => {
    const source = `fetch("${origin(ground)}").then((r) => r.text())`;
    const worker = new NodeWorker(`${source}.then(() => process.exit(0), () => process.exit(1))`, {
      eval: true,
    });
    const code = await once(worker, "exit");
    if (code !== 0) throw new Error(`it ended with ${code}`);
  },
  "a nested worker of node:worker_threads that does nothing": async () => {
    await once(new NodeWorker("", { eval: true }), "exit");
  },
  "a socket of the main thread, by its number": () => adoptAny((fd) => new net.Socket({ fd })),
  "a stream of the main thread, by its number": () => adoptAny((fd) => new tty.WriteStream(fd)),
  "a class of the runtime that adopts sockets": () => Reflect.get(process, "binding")("tcp_wrap"),
  "a listener at every address": () => {
    const server = net.createServer();
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, () => server.close(resolve));
    });
  },
  "a listener without an address, by the class of an allowed socket": async ({ allowed }) => {
    const socket = net.connect(Number(new URL(allowed).port), "127.0.0.1");
    await once(socket, "connect");
    const { constructor: Handle } = Reflect.get(socket, "_handle");
    socket.destroy();
    const handle = new Handle(1); // 1 stands for a server
    const failure = handle.listen(5);
    handle.close();
    if (failure !== 0) throw new Error(`it failed with ${failure}`);
  },
  "the command line": () => {
    if (Deno.args.length + process.argv.length < 2) throw new Error("it is not there");
  },
  "an import over the network": async (ground) => {
    const url = `${origin(ground)}/module.js`;
    await import(url);
  },
  "a request for a permission": async () => {
    const { state } = await Deno.permissions.request({ name: "net" });
    if (state !== "granted") throw new Error(state);
  },
  "a file read": async ({ file }) => await Deno.readTextFile(file),
  "a file read by node:fs": ({ file }) => fs.readFileSync(file),
  "an import of a file": async ({ file }) => {
    const url = `file://${file}`;
    await import(url, { with: { type: "json" } });
  },
  "a file write": async ({ file }) => await Deno.writeTextFile(`${file}.new`, ""),
  "the cache on the disk": async () => await caches.open("test"),
  "the graphics processor": () => {
    if (!("gpu" in navigator)) throw new Error("it is not there");
  },
  "a database file": ({ file }) => new DatabaseSync(`${file}.db`).close(),
  "the inspector": () => {
    inspector.open(0, "127.0.0.1");
    inspector.close();
  },
  "a process": async () => {
    const { success } = await new Deno.Command(Deno.execPath(), { args: ["--version"] }).output();
    if (!success) throw new Error("it failed");
  },
  "a process by node:child_process": () => {
    const { error } = spawnSync(Deno.execPath(), ["--version"]);
    if (error !== undefined) throw error;
  },
  "a variable of the environment": () => Deno.env.get("PATH"),
  "a variable by process.env": () => {
    if (process.env.PATH === undefined) throw new Error("it is not there");
  },
  "a native library": () => Deno.dlopen("libc.so.6", {}).close(),
  "the name of the machine": () => os.hostname(),
  "standard input": () => fs.readSync(0, new Uint8Array(1)),
};
