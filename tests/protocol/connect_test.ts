import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { Socket } from "node:net";
import { Allowlist } from "../../lib/gate/mod.ts";
import { createContext } from "../../lib/protocol/mod.ts";
import { within } from "../fakes/deadline.ts";
import { moduleUrl, rejectionOf, runModule } from "../fakes/rooms.ts";
import { serveNamed } from "./named_server.ts";

function contextFor(url: string, signal = new AbortController().signal) {
  const allowlist = new Allowlist();
  allowlist.permit(url, "flag");
  const context = createContext(allowlist, signal);
  return { context, target: context.admit(url, "the test") };
}

for (const host of ["127.0.0.1", "localhost"]) {
  Deno.test(`CallContext.connect opens a connection to ${host} for the caller to use`, async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { context, target } = contextFor(`grpc://${host}:${listener.addr.port}`);
    using connection = await context.connect(target);
    using accepted = await listener.accept();
    await connection.write(new TextEncoder().encode("hi"));
    const buffer = new Uint8Array(2);
    strictEqual(await accepted.read(buffer), 2);
    strictEqual(new TextDecoder().decode(buffer), "hi");
  });
}

for (const way of ["connect", "connectNode"] as const) {
  Deno.test(`CallContext.${way} closes a connection that leads where it may not, unused`, async () => {
    await using server = await serveNamed(() => new Response());
    using listener = Deno.listen({ hostname: server.address, port: 0 });
    const allowlist = new Allowlist({ allowArbitraryUrls: true });
    const context = createContext(allowlist, new AbortController().signal);
    const target = context.admit(`grpc://${server.host}:${listener.addr.port}`, "the test");
    const refusal = await rejectionOf(context[way](target));
    strictEqual(refusal.code, "url_not_allowed");
    strictEqual(refusal.details?.["address"], server.address);
    using accepted = await listener.accept();
    strictEqual(await within(accepted.read(new Uint8Array(1)), "the end of the connection"), null);
  });

  Deno.test(`CallContext.${way} says why it did not connect`, async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const url = `grpc://127.0.0.1:${listener.addr.port}`;
    const aborted = contextFor(url, AbortSignal.abort());
    strictEqual((await rejectionOf(aborted.context[way](aborted.target))).code, "cancelled");
    listener.close();
    const closed = contextFor(url);
    const refusal = await rejectionOf(closed.context[way](closed.target));
    deepStrictEqual([refusal.code, refusal.retryable], ["unreachable", true]);
    match(refusal.message, /^cannot reach "grpc:[^"]*": .*(?:Connection refused|ECONNREFUSED).*$/i);
    const portless = contextFor("grpc://127.0.0.1");
    const { code, message } = await rejectionOf(portless.context[way](portless.target));
    strictEqual(code, "invalid_url");
    match(message, /it has no port$/);
  });

  Deno.test(`CallContext.${way} has only what is left of the call's time`, async () => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const url = `grpc://127.0.0.1:${listener.addr.port}`;
    const allowlist = new Allowlist({ allowArbitraryUrls: true });
    const { signal } = new AbortController();
    const context = createContext(allowlist, signal, { timeoutMs: 1000, elapsedMs: 1000 });
    await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
    const refusal = await rejectionOf(context[way](context.admit(url, "the test")));
    strictEqual(refusal.code, "timeout");
    match(refusal.message, /within 1000 ms$/);
  });
}

Deno.test("CallContext.connectNode says so when the connection is gone before it is judged", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { context, target } = contextFor(`grpc://127.0.0.1:${listener.addr.port}`);
  const sockets: { _getpeername: unknown } = Socket.prototype as never;
  const peerOf = sockets._getpeername;
  sockets._getpeername = () => ({});
  try {
    const { code, message } = await rejectionOf(context.connectNode(target));
    strictEqual(code, "unreachable");
    match(message, /: it closed the connection$/);
  } finally {
    sockets._getpeername = peerOf;
  }
});

Deno.test("every way in which Deno refuses names host, port and flag", async () => {
  await using server = await serveNamed(() => new Response("in"));
  const { host, port, address, url } = server;
  const denied = async (flags: readonly string[]) => {
    const { stdout, stderr } = await runModule(
      `
        import { Allowlist } from "${moduleUrl("lib/gate/mod.ts")}";
        import { createContext } from "${moduleUrl("lib/protocol/mod.ts")}";
        const allowlist = new Allowlist();
        allowlist.permit("${url}", "flag");
        const context = createContext(allowlist, new AbortController().signal);
        for (const way of ["fetch", "connect", "connectNode"]) {
          const error = await context[way](context.admit("${url}", "")).catch((error) => error);
          console.log(error.code, JSON.stringify(error.details), error.hint);
        }
      `,
      ["--no-check", ...flags],
    );
    strictEqual(stderr, "");
    return stdout.trim().split("\n");
  };
  const facts = `permission_denied {"host":"${host}","port":${port}}`;
  const plain = `${facts} start it with --allow-net=${host}:${port}`;
  deepStrictEqual(await denied([]), [plain, plain, plain]);
  deepStrictEqual(await denied([`--allow-net=${host}:9`]), [plain, plain, plain]);
  // The name may be looked up and dialled, the address behind it not.
  const place = address.includes(":") ? `[${address}]` : address;
  const behind = `${plain} and without a --deny-net that covers ${place}:${port}`;
  deepStrictEqual(await denied(["--allow-net", `--deny-net=${place}`]), [behind, behind, behind]);
});

Deno.test("a name that may not be looked up is a matter of permissions", async () => {
  const url = "http://127.0.0.1:9";
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const context = createContext(allowlist, new AbortController().signal, {
    lookup: () => Promise.reject(new Error("getaddrinfo EPERM api.test")),
  });
  strictEqual((await rejectionOf(context.fetch(context.admit(url, "")))).code, "unreachable");
  const target = context.admit("http://api.test:81", "");
  const { code, hint } = await rejectionOf(context.fetch(target));
  deepStrictEqual([code, hint], ["permission_denied", "start it with --allow-net=api.test:81"]);
});

Deno.test("CallContext.report passes on how far a call is, to whoever listens", () => {
  const heard: unknown[] = [];
  const allowlist = new Allowlist();
  const { signal } = new AbortController();
  const onProgress = (progress: unknown) => heard.push(progress);
  createContext(allowlist, signal, { onProgress }).report({ done: 1, total: 2, message: "half" });
  createContext(allowlist, signal).report({ done: 2 });
  deepStrictEqual(heard, [{ done: 1, total: 2, message: "half" }]);
});
