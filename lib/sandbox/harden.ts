/**
 * What Deno's permissions leave open in a worker (measured on Deno 2.9.6), closed by hand.
 *
 * Permissions guard what is opened. They do not guard what is open already: descriptors belong to
 * the process, and node's sockets adopt any by its number, connections of the main thread and its
 * standard streams included. And a worker inside the worker begins with everything that this one
 * has given up.
 *
 * Imported after `confine.ts` and before any plugin, for what it does.
 *
 * @module
 */
import process from "node:process";
import tty from "node:tty";
import { Worker as NodeWorker } from "node:worker_threads";

function refuse(): never {
  throw new Error("a plugin may not do this in the worker that it shares with others");
}

function lock(holder: object, ...names: string[]): void {
  for (const name of names) {
    Object.defineProperty(holder, name, { value: refuse, configurable: false, writable: false });
  }
}

/** A class of the runtime that holds a descriptor. */
function handleOf(binding: string, name: string): { readonly prototype: object } {
  return Reflect.get(Reflect.get(process, "binding").call(process, binding), name);
}

const tcp = handleOf("tcp_wrap", "TCP").prototype;
lock(tcp, "open", "openFromRid", "listen"); // it listens at every address when it has none
lock(handleOf("pipe_wrap", "Pipe").prototype, "open", "openFromRid", "fchmod");
lock(handleOf("udp_wrap", "UDP").prototype, "open", "openFromRid");

// Where it is a terminal, standard error holds an instance, which would lead to its class.
void process.stderr;
Object.defineProperty(handleOf("tty_wrap", "TTY").prototype, "constructor", { value: undefined });
// Both look at their prototype before they adopt anything.
for (const stream of [tty.ReadStream, tty.WriteStream]) {
  Object.defineProperty(stream, "prototype", { value: undefined });
  Object.freeze(stream);
}
lock(process, "binding");

// An end that nobody hears of would leave the calls hanging.
lock(Deno, "exit"); // by which node's exits, too
lock(globalThis, "close");

// `super()` asks for the parent class.
for (const worker of [globalThis.Worker, NodeWorker]) {
  Object.setPrototypeOf(worker, refuse);
  Object.preventExtensions(worker);
}

// Both write to the disk, whatever the permissions are.
Reflect.deleteProperty(globalThis, "caches");
Reflect.deleteProperty(Object.getPrototypeOf(navigator), "gpu");

// The command line may hold a token.
Object.defineProperty(Deno, "args", { value: Object.freeze([]) });
process.argv.length = 1;
