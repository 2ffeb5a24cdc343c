import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { Allowlist } from "../../lib/gate/mod.ts";
import { createContext, type HttpAnswer, type HttpRequest } from "../../lib/protocol/mod.ts";
import { type LocalServer, rejectionOf, serveLocal } from "../fakes/rooms.ts";

/** A request as a server saw it. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A server that redirects `/from…` to whatever `?to=` says and notes every request. */
function serveRedirects(): LocalServer & { readonly seen: Seen[] } {
  const seen: Seen[] = [];
  const server = serveLocal(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const { method, headers } = request;
    seen.push({ method, path: pathname, headers, body: await request.text() });
    const to = searchParams.get("to");
    if (to === null) return new Response(`body of ${pathname}`);
    const status = Number(searchParams.get("status") ?? 302);
    return new Response("a body that nobody reads", { status, headers: { location: to } });
  });
  return { ...server, seen };
}

function from(server: LocalServer, to: string, status = 302): string {
  return `${server.url}/from?status=${status}&to=${encodeURIComponent(to)}`;
}

async function fetchFrom(
  allowed: readonly string[],
  url: string,
  request?: HttpRequest,
): Promise<HttpAnswer> {
  const allowlist = new Allowlist();
  allowlist.seed(allowed, "flag");
  const context = createContext(allowlist, new AbortController().signal);
  return await context.fetch(context.admit(url, "the test"), request);
}

function textOf(answer: HttpAnswer): string {
  return new TextDecoder().decode(answer.body);
}

Deno.test("CallContext.fetch follows an allowed redirect and says where it ended", async () => {
  await using server = serveRedirects();
  const answer = await fetchFrom([server.url], from(server, "/there?x=1"));
  deepStrictEqual(
    [answer.status, answer.url, textOf(answer)],
    [200, `${server.url}/there?x=1`, "body of /there"],
  );
});

Deno.test("C91 CallContext.fetch refuses a redirect to another port and names the hop", async () => {
  await using server = serveRedirects();
  await using other = serveRedirects();
  const start = from(server, from(server, `${other.url}/secret?token=hunter2`));
  const refusal = await rejectionOf(fetchFrom([server.url], start));
  strictEqual(refusal.code, "url_not_allowed");
  match(refusal.message, new RegExp(`"${other.url}/secret.*\\(redirect 2 from ${server.url}`));
  doesNotMatch(`${refusal.message}${refusal.hint}${JSON.stringify(refusal.details)}`, /hunter2/);
  strictEqual(other.seen.length, 0);
});

const ESCAPES: readonly (readonly [what: string, to: (server: LocalServer) => string])[] = [
  ["the localhost alias", ({ port }) => `http://localhost:${port}/there`],
  ["another loopback address", ({ port }) => `http://127.0.0.2:${port}/there`],
  ["the IPv6 loopback", ({ port }) => `http://[::1]:${port}/there`],
  ["another scheme", ({ port }) => `https://127.0.0.1:${port}/there`],
  ["a host without a scheme", () => "//evil.test/there"],
  ["a path above the entry", () => "/../../there"],
];

for (const [what, to] of ESCAPES) {
  Deno.test(`C91 CallContext.fetch refuses a redirect to ${what}`, async () => {
    await using server = serveRedirects();
    const refusal = await rejectionOf(
      fetchFrom([`${server.url}/from`], from(server, to(server))),
    );
    strictEqual(refusal.code, "url_not_allowed");
    match(refusal.message, /\(redirect 1 from /);
    strictEqual(server.seen.length, 1);
  });
}

Deno.test("C91 CallContext.fetch refuses a redirect that carries userinfo or is no URL", async () => {
  await using server = serveRedirects();
  for (const to of [server.url.replace("//", "//user:hunter2@"), "http://[", "data:text/plain,x"]) {
    const refusal = await rejectionOf(fetchFrom([server.url], from(server, to)));
    strictEqual(refusal.code, "invalid_url", to);
    doesNotMatch(refusal.message, /hunter2/);
  }
});

Deno.test("C91 CallContext.fetch follows a redirect to another spelling of an allowed address", async () => {
  await using server = serveRedirects();
  const answer = await fetchFrom([server.url], from(server, `http://0x7f.1:${server.port}/there`));
  strictEqual(answer.url, `${server.url}/there`);
});

Deno.test("C91 CallContext.fetch follows ten redirects and refuses the eleventh", async () => {
  await using server = serveLocal((request) => {
    const left = Number(new URL(request.url).pathname.slice(1));
    return left === 0
      ? new Response("end")
      : new Response(null, { status: 302, headers: { location: `/${left - 1}` } });
  });
  strictEqual(textOf(await fetchFrom([server.url], `${server.url}/10`)), "end");
  const refusal = await rejectionOf(fetchFrom([server.url], `${server.url}/11`));
  strictEqual(refusal.code, "too_many_redirects");
  match(refusal.message, /redirected more than 10 times/);
  const none = await rejectionOf(fetchFrom([server.url], `${server.url}/1`, { maxRedirects: 0 }));
  strictEqual(none.code, "too_many_redirects");
});

const CREDENTIALS: HttpRequest["headers"] = [
  ["Authorization", "Bearer IN"],
  ["Cookie", "sid=IN"],
  ["X-Api-Key", "IN"],
  ["X-Custom", "IN"],
  ["Accept", "application/json"],
  ["User-Agent", "bowire/test"],
];

Deno.test("CallContext.fetch drops the caller's headers on the way to another origin", async () => {
  await using server = serveRedirects();
  await using other = serveRedirects();
  const start = from(server, from(other, `${server.url}/end`));
  await fetchFrom([server.url, other.url], start, { headers: CREDENTIALS });
  const [first, last] = server.seen;
  strictEqual(first?.headers.get("authorization"), "Bearer IN");
  for (const seen of [other.seen[0], last]) {
    doesNotMatch(JSON.stringify([...seen?.headers ?? []]), /IN/);
    strictEqual(seen?.headers.get("accept"), "application/json");
    strictEqual(seen?.headers.get("user-agent"), "bowire/test");
  }
});

Deno.test("CallContext.fetch keeps the caller's headers within an origin", async () => {
  await using server = serveRedirects();
  await fetchFrom([server.url], from(server, "/end"), { headers: CREDENTIALS });
  const names = ["authorization", "cookie", "x-api-key", "x-custom"];
  deepStrictEqual(
    names.map((name) => server.seen[1]?.headers.get(name)),
    ["Bearer IN", "sid=IN", "IN", "IN"],
  );
});

/** Status, method sent, method after the redirect, and whether the body went along. */
const METHODS: readonly (readonly [number, string, string, boolean])[] = [
  [301, "POST", "GET", false],
  [302, "POST", "GET", false],
  [303, "POST", "GET", false],
  [303, "PUT", "GET", false],
  [302, "PUT", "PUT", true],
  [307, "POST", "POST", true],
  [308, "PATCH", "PATCH", true],
];

for (const [status, sent, received, hasBody] of METHODS) {
  Deno.test(`CallContext.fetch turns ${sent} into ${received} on ${status}`, async () => {
    await using server = serveRedirects();
    await fetchFrom([server.url], from(server, "/end", status), {
      method: sent,
      headers: [["Content-Type", "application/json"], ["X-Custom", "1"]],
      body: '{"a":1}',
    });
    const last = server.seen[1];
    deepStrictEqual(
      [last?.method, last?.body, last?.headers.get("content-type"), last?.headers.get("x-custom")],
      [received, hasBody ? '{"a":1}' : "", hasBody ? "application/json" : null, "1"],
    );
  });
}

Deno.test("CallContext.fetch keeps HEAD a HEAD on 303", async () => {
  await using server = serveRedirects();
  const answer = await fetchFrom([server.url], from(server, "/end", 303), { method: "HEAD" });
  deepStrictEqual(server.seen.map(({ method }) => method), ["HEAD", "HEAD"]);
  strictEqual(answer.body.byteLength, 0);
});

Deno.test("CallContext.fetch gives a redirect without a Location, and a 304, as they are", async () => {
  await using server = serveLocal((request) =>
    request.url.endsWith("/304")
      ? new Response(null, { status: 304, headers: { location: "/elsewhere" } })
      : new Response("where?", { status: 302 })
  );
  strictEqual((await fetchFrom([server.url], `${server.url}/304`)).status, 304);
  const answer = await fetchFrom([server.url], `${server.url}/302`);
  deepStrictEqual([answer.status, textOf(answer)], [302, "where?"]);
});

Deno.test("CallContext.fetch follows any redirect when arbitrary URLs are allowed", async () => {
  await using server = serveRedirects();
  await using other = serveRedirects();
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const context = createContext(allowlist, new AbortController().signal);
  const start = context.admit(from(server, `${other.url}/end`), "the test");
  ok((await context.fetch(start)).url.startsWith(other.url));
});
