import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Allowlist } from "../../lib/gate/mod.ts";
import { Passes } from "../../lib/protocol/addresses.ts";
import { createContext, type Lookup, lookupHost } from "../../lib/protocol/mod.ts";
import { within } from "../fakes/deadline.ts";
import { Clock, moduleUrl, rejectionOf, runModule, serveLocal } from "../fakes/rooms.ts";
import { serveNamed } from "./named_server.ts";

/** A lookup that gives one answer after the other, the last again and again, and counts. */
function answers(
  ...given: readonly (readonly string[] | undefined)[]
): Lookup & { readonly asked: string[] } {
  const asked: string[] = [];
  const lookup = (host: string) => {
    asked.push(host);
    return Promise.resolve(given[Math.min(asked.length, given.length) - 1]);
  };
  return Object.assign(lookup, { asked });
}

function listOf(...entries: readonly string[]): Allowlist {
  const allowlist = new Allowlist();
  allowlist.seed(entries, "flag");
  return allowlist;
}

async function fetchWith(
  lookup: Lookup,
  url: string,
  allowlist = listOf(url),
  options: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<string> {
  const { signal = new AbortController().signal, timeoutMs } = options;
  const context = createContext(allowlist, signal, { lookup, timeoutMs });
  const answer = await context.fetch(context.admit(url, "the test"));
  return new TextDecoder().decode(answer.body);
}

const BAD: readonly (readonly [what: string, addresses: readonly string[]])[] = [
  ["the metadata address", ["169.254.169.254"]],
  ["the metadata address inside of IPv6", ["::ffff:169.254.169.254"]],
  ["a link-local address with a zone", ["fe80::1%eth0"]],
  ["one good address and one bad", ["93.184.216.34", "0.0.0.0"]],
];

for (const [what, addresses] of BAD) {
  Deno.test(`CallContext.fetch does not dial a name that leads to ${what}`, async () => {
    using listener = Deno.listen({ hostname: "0.0.0.0", port: 0 });
    const { port } = listener.addr;
    const url = `http://${Deno.hostname().toLowerCase()}:${port}/x`;
    const refusal = await rejectionOf(fetchWith(answers(addresses), url));
    strictEqual(refusal.code, "url_not_allowed");
    // The first connection that arrives is our own.
    using ours = await Deno.connect({ hostname: "127.0.0.1", port });
    using first = await listener.accept();
    deepStrictEqual(first.remoteAddr, ours.localAddr);
  });
}

Deno.test("CallContext.fetch withholds an answer when the name leads elsewhere by then", async () => {
  const cancelled = Promise.withResolvers<void>();
  let requests = 0;
  await using server = await serveNamed(() => {
    requests++;
    return new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("secret")),
        cancel: () => cancelled.resolve(),
      }),
    );
  });
  const lookup = answers([server.address], ["169.254.169.254"]);
  const refusal = await rejectionOf(fetchWith(lookup, server.url));
  strictEqual(refusal.code, "url_not_allowed");
  strictEqual(requests, 1);
  await within(cancelled.promise, "the server to be let go");
});

Deno.test("CallContext.fetch does not follow the redirect of a name that leads elsewhere by then", async () => {
  const paths: string[] = [];
  await using server = await serveNamed((request) => {
    const { pathname } = new URL(request.url);
    paths.push(pathname);
    return pathname === "/"
      ? new Response(null, { status: 302, headers: { location: "/next" } })
      : new Response("in");
  });
  const lookup = answers([server.address], ["169.254.169.254"], [server.address]);
  strictEqual((await rejectionOf(fetchWith(lookup, server.url))).code, "url_not_allowed");
  deepStrictEqual(paths, ["/"]);
});

Deno.test("C91 CallContext.fetch judges the addresses of a redirect's host", async () => {
  let requests = 0;
  await using named = await serveNamed(() => new Response(`${++requests}`));
  await using server = serveLocal(() =>
    new Response(null, { status: 302, headers: { location: `${named.url}/there` } })
  );
  const allowlist = listOf(server.url, named.url);
  const lookup = answers(["169.254.169.254"]);
  const refusal = await rejectionOf(fetchWith(lookup, server.url, allowlist));
  strictEqual(refusal.code, "url_not_allowed");
  strictEqual(refusal.details?.["url"], `${named.url}/there`);
  deepStrictEqual([lookup.asked, requests], [[named.host], 0]);
});

Deno.test("CallContext.fetch keeps the metadata address closed behind a redirect", async () => {
  await using server = serveLocal(() =>
    new Response(null, { status: 302, headers: { location: "http://169.254.169.254/latest" } })
  );
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const refusal = await rejectionOf(fetchWith(lookupHost, server.url, allowlist));
  strictEqual(refusal.code, "url_not_allowed");
  match(refusal.hint ?? "", /--allow-url http:\/\/169\.254\.169\.254/);
});

Deno.test("CallContext.fetch refuses a rebound name until an entry names it", async () => {
  await using server = await serveNamed(() => new Response("in"));
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const refusal = await rejectionOf(fetchWith(lookupHost, server.url, allowlist));
  strictEqual(refusal.code, "url_not_allowed");
  strictEqual(refusal.details?.["address"], server.address);
  match(refusal.hint ?? "", new RegExp(`--allow-url ${server.url}$`));
  allowlist.permit(server.url, "permit");
  strictEqual(await fetchWith(lookupHost, server.url, allowlist), "in");
});

Deno.test("CallContext.fetch looks a name up before and after, and once while it remembers host and port", async () => {
  await using server = await serveNamed(() => new Response("in"));
  await using other = await serveNamed(() => new Response("in"));
  const lookup = answers([server.address]);
  const allowlist = listOf(server.url, other.url);
  const counts: number[] = [];
  for (const { url } of [server, server, other, server]) {
    await fetchWith(lookup, url, allowlist);
    counts.push(lookup.asked.length);
  }
  deepStrictEqual(counts, [2, 3, 5, 6]);
  await fetchWith(lookup, server.url);
  strictEqual(lookup.asked.length, 8, "another allowlist has its own memory");
});

Deno.test("CallContext.fetch judges a remembered name before it hands the answer out", async () => {
  await using server = await serveNamed(() => new Response("in"));
  const lookup = answers([server.address], [server.address], ["169.254.169.254"]);
  const allowlist = listOf(server.url);
  strictEqual(await fetchWith(lookup, server.url, allowlist), "in");
  const refusal = await rejectionOf(fetchWith(lookup, server.url, allowlist));
  strictEqual(refusal.code, "url_not_allowed");
});

Deno.test("CallContext.fetch remembers no name that had no address", async () => {
  await using server = await serveNamed(() => new Response("in"));
  const lookup = answers([], [], ["169.254.169.254"]);
  const allowlist = listOf(server.url);
  strictEqual(await fetchWith(lookup, server.url, allowlist), "in");
  const refusal = await rejectionOf(fetchWith(lookup, server.url, allowlist));
  strictEqual(refusal.code, "url_not_allowed");
});

Deno.test("CallContext.fetch looks up neither a literal address nor localhost", async () => {
  await using server = serveLocal(() => new Response("in"));
  const lookup = answers(["169.254.169.254"]);
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  for (const host of ["127.0.0.1", "2130706433", "[::ffff:127.0.0.1]", "localhost", "LOCALHOST."]) {
    strictEqual(await fetchWith(lookup, `http://${host}:${server.port}`, allowlist), "in");
  }
  deepStrictEqual(lookup.asked, []);
});

Deno.test("CallContext.fetch does not wait for a resolver longer than the call may take", async () => {
  const lookup = () => new Promise<never>(() => {});
  const url = "http://api.test";
  const late = await rejectionOf(fetchWith(lookup, url, listOf(url), { timeoutMs: 30 }));
  deepStrictEqual([late.code, late.retryable], ["timeout", true]);
  const controller = new AbortController();
  const fetching = rejectionOf(fetchWith(lookup, url, listOf(url), { signal: controller.signal }));
  controller.abort();
  strictEqual((await fetching).code, "cancelled");
});

Deno.test("CallContext.fetch connects to see where a name leads that it may not look up", async () => {
  let requests = 0;
  await using server = await serveNamed(() => new Response(`${++requests}`));
  const lookup = answers(undefined);
  strictEqual(await fetchWith(lookup, server.url), "1");
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const refusal = await rejectionOf(fetchWith(lookup, server.url, allowlist));
  strictEqual(refusal.code, "url_not_allowed");
  strictEqual(refusal.details?.["address"], server.address);
  strictEqual(requests, 1);
});

Deno.test("CallContext.fetch says itself why a name cannot be connected to", async () => {
  const lookup = answers(undefined);
  const refusal = await rejectionOf(fetchWith(lookup, "http://nowhere.invalid"));
  strictEqual(refusal.code, "unreachable");
});

Deno.test("CallContext.fetch judges a name with no more permission than for its host and port", async () => {
  let requests = 0;
  await using server = await serveNamed(() => new Response(`${++requests}`));
  const { stdout, stderr } = await runModule(
    `
      import { Allowlist } from "${moduleUrl("lib/gate/mod.ts")}";
      import { createContext, lookupHost } from "${moduleUrl("lib/protocol/mod.ts")}";
      const named = new Allowlist();
      named.permit("${server.url}", "flag");
      console.log(await lookupHost("${server.host}"));
      for (const allowlist of [named, new Allowlist({ allowArbitraryUrls: true })]) {
        const context = createContext(allowlist, new AbortController().signal);
        const outcome = await context.fetch(context.admit("${server.url}", "")).catch((e) => e);
        console.log(outcome.status ?? outcome.code);
      }
    `,
    ["--no-check", `--allow-net=${server.host}:${server.port}`],
  );
  strictEqual(stderr, "");
  deepStrictEqual(stdout.trim().split("\n"), ["undefined", "200", "url_not_allowed"]);
  strictEqual(requests, 1);
});

Deno.test("lookupHost gives all addresses, and none when there is none", async () => {
  ok((await lookupHost("localhost"))?.some((address) => ["127.0.0.1", "::1"].includes(address)));
  deepStrictEqual(await lookupHost("nowhere.invalid"), []);
});

Deno.test("Passes forgets a name after ten seconds, and the oldest of more than a thousand", () => {
  const clock = new Clock();
  const passes = new Passes(clock.now);
  passes.add("a:1");
  clock.ms += 9_999;
  deepStrictEqual([passes.has("a:1"), passes.has("a:2")], [true, false]);
  clock.ms += 1;
  strictEqual(passes.has("a:1"), false);
  for (let port = 0; port < 1001; port++) passes.add(`b:${port}`);
  deepStrictEqual(["b:0", "b:1", "b:1000"].map((name) => passes.has(name)), [false, true, true]);
});

Deno.test("CallContext.fetch goes through a proxy to a name that only the proxy knows", async () => {
  const asked: string[] = [];
  await using proxy = serveLocal((request) => {
    asked.push(request.url);
    return new Response("by proxy");
  });
  const { stdout, stderr } = await runModule(
    `
      import { Allowlist } from "${moduleUrl("lib/gate/mod.ts")}";
      import { createContext } from "${moduleUrl("lib/protocol/mod.ts")}";
      const allowlist = new Allowlist();
      allowlist.permit("http://far.invalid", "flag");
      const context = createContext(allowlist, new AbortController().signal);
      for (const _ of [1, 2]) {
        const { body } = await context.fetch(context.admit("http://far.invalid", "a test"));
        console.log(new TextDecoder().decode(body));
      }
    `,
    ["--no-check", "--allow-net=far.invalid:80"],
    { env: { HTTP_PROXY: proxy.url } },
  );
  deepStrictEqual([stdout, stderr], ["by proxy\nby proxy\n", ""]);
  strictEqual(asked.length, 2);
});
