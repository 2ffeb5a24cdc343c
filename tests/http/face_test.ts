import {
  deepStrictEqual,
  doesNotMatch,
  match,
  notStrictEqual,
  ok,
  strictEqual,
} from "node:assert/strict";
import { createDoor, createHttpFace, type HttpFaceOptions } from "../../lib/http/mod.ts";
import { createEndpoint, type Endpoint } from "../../lib/mcp/mod.ts";
import { echo, tinyCatalogue } from "../fakes/tiny_catalogue.ts";

const TOKEN = "s3cret";

/** An endpoint that only notes who comes. */
function noting(): Endpoint & { readonly callers: string[] } {
  const callers: string[] = [];
  return {
    callers,
    fetch(request, { principal }) {
      callers.push(principal);
      return Promise.resolve(new Response(`${request.method} ${new URL(request.url).pathname}`));
    },
    close: () => Promise.resolve(),
  };
}

type Headers = Readonly<Record<string, string>>;

/** What is mounted by the command line's own listeners. */
function mountsOf(endpoint: Endpoint, paths = ["/mcp", "/bowire/mcp"]) {
  return paths.map((path) => ({ path, mode: "server", endpoint }) as const);
}

function face(options: HttpFaceOptions = {}, endpoint = noting(), paths?: string[]) {
  const mounts = mountsOf(endpoint, paths);
  const parts = { mounts, manifestPath: "/bowire/mcp/manifest" };
  const answer = createHttpFace(parts, createDoor(options, "/healthz"));
  return {
    endpoint,
    send: (path: string, headers: Headers = {}, method = "GET") =>
      answer(new Request(`http://127.0.0.1:5080${path}`, { method, headers })),
  };
}

const GOOD = { authorization: `Bearer ${TOKEN}` };
const BAD = { authorization: "Bearer wrong" };
const FOREIGN = { origin: "http://evil.example" };

const ANSWERS: readonly (readonly [string, Headers, number])[] = [
  ["/mcp", {}, 401],
  ["/mcp", BAD, 401],
  ["/mcp", GOOD, 200],
  ["/bowire/mcp", GOOD, 200],
  ["/nothing", {}, 401],
  ["/nothing", BAD, 401],
  ["/nothing", GOOD, 404],
  ["/", GOOD, 404],
  ["/mcp/", GOOD, 200],
  ["/mcp//", GOOD, 404],
  ["/mcp/x", GOOD, 404],
  ["/MCP", GOOD, 404],
  ["//mcp", GOOD, 404],
  ["/mcp", { ...GOOD, ...FOREIGN }, 403],
  ["/mcp", { ...BAD, ...FOREIGN }, 403],
  ["/nothing", FOREIGN, 403],
  ["/nothing", { ...GOOD, ...FOREIGN }, 403],
  ["/mcp", { ...GOOD, host: "evil.example" }, 403],
  ["/mcp", { ...GOOD, host: "127.0.0.1.evil" }, 403],
  ["/mcp", { ...GOOD, origin: "null" }, 403],
  ["/mcp", { ...GOOD, origin: "http://localhost:6274" }, 200],
];

for (const [path, headers, status] of ANSWERS) {
  Deno.test(`createHttpFace answers ${status} to ${path} with ${JSON.stringify(headers)}`, async () => {
    const { send, endpoint } = face({ token: TOKEN });
    const response = await send(path, headers);
    strictEqual(response.status, status);
    strictEqual(endpoint.callers.length, status === 200 ? 1 : 0);
    doesNotMatch(await response.text(), new RegExp(TOKEN));
  });
}

Deno.test("createHttpFace says how to come in, and where MCP is", async () => {
  const { send } = face({ token: TOKEN });
  const refused = await send("/mcp");
  match(refused.headers.get("www-authenticate") ?? "", /^Bearer realm=/);
  match(await refused.text(), /Authorization: Bearer/);
  const { error } = await (await send("/nothing", GOOD)).json();
  strictEqual(error, "nothing is served at /nothing; MCP is at /mcp and /bowire/mcp");
});

Deno.test("createHttpFace asks for no token when it has none", async () => {
  const { send } = face();
  strictEqual((await send("/mcp")).status, 200);
  strictEqual((await send("/nothing")).status, 404);
  strictEqual((await send("/mcp", FOREIGN)).status, 403);
});

const PREFLIGHT = {
  "access-control-request-method": "POST",
  "access-control-request-headers": "authorization, content-type, mcp-session-id, mcp-param-region",
};

const PAGE = "https://app.example.com";

Deno.test("createHttpFace lets the preflight of a named page pass without a token", async () => {
  const { send, endpoint } = face({ token: TOKEN, corsOrigins: [PAGE] });
  const origin = PAGE;
  const response = await send("/mcp", { origin, ...PREFLIGHT }, "OPTIONS");
  strictEqual(response.status, 204);
  strictEqual(response.headers.get("access-control-allow-origin"), origin);
  match(response.headers.get("access-control-allow-methods") ?? "", /GET.*POST.*DELETE/);
  const allowed = (response.headers.get("access-control-allow-headers") ?? "").toLowerCase();
  for (const name of ["authorization", "content-type", "mcp-session-id", "mcp-param-region"]) {
    ok(allowed.includes(name), name);
  }
  strictEqual(endpoint.callers.length, 0);
});

Deno.test("createHttpFace refuses the preflight of a foreign page", async () => {
  const { send } = face({ token: TOKEN, corsOrigins: [PAGE] });
  const response = await send("/mcp", { ...FOREIGN, ...PREFLIGHT }, "OPTIONS");
  strictEqual(response.status, 403);
  strictEqual(response.headers.get("access-control-allow-origin"), null);
  await response.body?.cancel();
});

Deno.test("createHttpFace lets no page read anything unless it is named", async () => {
  const { send } = face();
  for (const method of ["OPTIONS", "POST"]) {
    const response = await send("/mcp", { origin: "http://localhost:6274", ...PREFLIGHT }, method);
    const names = [...response.headers.keys()];
    deepStrictEqual(names.filter((name) => name.startsWith("access-control-")), [], method);
    await response.body?.cancel();
  }
});

Deno.test("createHttpFace lets a named page read its answers and refusals", async () => {
  const { send } = face({ token: TOKEN, corsOrigins: [PAGE] });
  const origin = PAGE;
  for (const headers of [GOOD, {}]) {
    const response = await send("/mcp", { origin, ...headers }, "POST");
    strictEqual(response.headers.get("access-control-allow-origin"), origin);
    match(response.headers.get("access-control-expose-headers") ?? "", /Mcp-Session-Id/i);
    await response.body?.cancel();
  }
});

Deno.test("createHttpFace never lets a page send the browser's own credentials", async () => {
  const { send } = face({ corsOrigins: [PAGE] });
  const response = await send("/mcp", { origin: PAGE });
  strictEqual(response.headers.get("access-control-allow-origin"), PAGE);
  strictEqual(response.headers.get("access-control-allow-credentials"), null);
  await response.body?.cancel();
});

Deno.test("createHttpFace tells credentials apart without handing them on", async () => {
  const { send, endpoint } = face();
  const given: readonly Headers[] = [{}, GOOD, GOOD, { authorization: "Bearer other" }];
  for (const headers of given) await (await send("/mcp", headers)).body?.cancel();
  const [none, first, again, other] = endpoint.callers;
  deepStrictEqual([none, first === again], ["", true]);
  notStrictEqual(first, other);
  doesNotMatch(endpoint.callers.join(), /s3cret|Bearer/);
});

Deno.test("createHttpFace goes by the names and paths that it is given", async () => {
  const { send } = face({ hostNames: ["bowire.internal"] }, noting(), ["/here"]);
  const host = { host: "bowire.internal:80" };
  strictEqual((await send("/here", host)).status, 200);
  strictEqual((await send("/mcp", host)).status, 404);
  strictEqual((await send("/here")).status, 403);
});

Deno.test("C54 createHttpFace asks for the token before it looks at a body", async () => {
  const endpoint = createEndpoint(tinyCatalogue({ echo }));
  const answer = createHttpFace({ mounts: mountsOf(endpoint) }, createDoor({ token: TOKEN }));
  const send = (headers: Headers) =>
    answer(new Request("http://localhost/mcp", { method: "POST", headers, body: "{" }));
  const refused = await send({});
  strictEqual(refused.status, 401);
  await refused.body?.cancel();
  const read = await send(GOOD);
  strictEqual(read.status, 400);
  const { error } = await read.json();
  strictEqual(error.code, -32700);
  doesNotMatch(error.message, /\/|\.ts/);
  await endpoint.close();
});

Deno.test("createHttpFace tells what is mounted, behind the token", async () => {
  const { send } = face({ token: TOKEN });
  const refused = await send("/bowire/mcp/manifest");
  strictEqual(refused.status, 401);
  await refused.body?.cancel();
  deepStrictEqual(await (await send("/bowire/mcp/manifest", GOOD)).json(), {
    endpoints: [{ path: "/bowire/mcp", mode: "server" }, { path: "/mcp", mode: "server" }],
  });
});

for (
  const [what, path, headers, status] of [
    ["a URL of 9,000 characters", `/mcp?${"x".repeat(9000)}`, {}, 414],
    ["70,000 characters of header fields", "/mcp", { "x-long": "x".repeat(70_000) }, 431],
    [
      "200 header fields",
      "/mcp",
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x-${index}`, ""])),
      431,
    ],
  ] as const
) {
  Deno.test(`createHttpFace refuses ${what} with ${status}`, async () => {
    const { send, endpoint } = face();
    const response = await send(path, headers);
    strictEqual(response.status, status);
    strictEqual((await response.json()).error.code, -32600);
    strictEqual(endpoint.callers.length, 0);
  });
}
