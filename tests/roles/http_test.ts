import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { tools } from "../../lib/server/mod.ts";
import { runBowire, startHttp } from "../fakes/bowire_process.ts";
import { connectClient } from "../fakes/clients.ts";
import type { TestClient } from "../fakes/test_client.ts";
import { Home } from "../fakes/home.ts";
import { INITIALIZE, MCP_HEADERS, post } from "../fakes/mcp_requests.ts";
import { sendRaw } from "../fakes/raw_http.ts";
import { startRecordingTarget } from "../fakes/target.ts";

const TOKEN = "canary-5f1d";
const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };

function bearer(token: string): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${token}` } };
}

Deno.test("C54 a bad body is refused for want of a token before it is read", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home, ["--token", TOKEN]);
  const refused = await post(server.url, "{");
  strictEqual(refused.status, 401);
  strictEqual(refused.headers.get("www-authenticate"), 'Bearer realm="bowire-mcp"');
  strictEqual(refused.message.error.code, -32001);
  const bad = await post(server.url, "{", bearer(TOKEN));
  deepStrictEqual([bad.status, bad.message.error.code, bad.message.id], [400, -32700, null]);
  ok(!/\.ts\b|file:|\n|node_modules/.test(bad.text), `it shows its inside: ${bad.text}`);
});

for (
  const [what, line] of [
    ["Host: evil.example", "Host: evil.example"],
    ["Host: 127.0.0.1.evil", "Host: 127.0.0.1.evil"],
    ["Host: localhost.evil.example", "Host: localhost.evil.example:80"],
    ["Origin: http://evil", "Host: localhost\r\nOrigin: http://evil"],
    ["Origin: null", "Host: localhost\r\nOrigin: null"],
    ["Origin: http://localhost.evil", "Host: localhost\r\nOrigin: http://localhost.evil"],
    ["Origin: http://localhost@evil", "Host: localhost\r\nOrigin: http://localhost@evil"],
    ["an empty Origin", "Host: localhost\r\nOrigin: "],
  ] as const
) {
  Deno.test(`C94 a request with ${what} is refused, and the process stays up`, async () => {
    await using home = await Home.make();
    await using server = await startHttp(home);
    const head = Object.entries(MCP_HEADERS).map(([name, value]) => `${name}: ${value}`);
    const lines = ["POST /mcp HTTP/1.1", line, ...head];
    const { status, text } = await sendRaw(server.url, lines, JSON.stringify(INITIALIZE));
    strictEqual(status, 403, text);
    strictEqual((await post(server.url, INITIALIZE)).status, 200);
  });
}

Deno.test("--allow-host answers to one more name, and to no other", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home, ["--allow-host", "box.example"]);
  const body = JSON.stringify(INITIALIZE);
  const ask = async (host: string) => {
    const head = Object.entries(MCP_HEADERS).map(([name, value]) => `${name}: ${value}`);
    const lines = ["POST /mcp HTTP/1.1", `Host: ${host}`, ...head];
    return (await sendRaw(server.url, lines, body)).status;
  };
  strictEqual(await ask("box.example:8080"), 200);
  strictEqual(await ask("a.box.example"), 403);
  strictEqual((await post(server.url, INITIALIZE)).status, 200);
});

for (const origin of ["http://localhost:3000", "https://app.example.com", "https://[::1]:8443"]) {
  Deno.test(`--cors-origin ${origin} lets its pages use the server`, async () => {
    await using home = await Home.make();
    await using server = await startHttp(home, ["--cors-origin", origin]);
    const answer = await post(server.url, INITIALIZE, { headers: { origin } });
    strictEqual(answer.status, 200);
    strictEqual(answer.headers.get("access-control-allow-origin"), origin);
    match(answer.headers.get("access-control-expose-headers") ?? "", /mcp-session-id/i);
  });
}

for (
  const [what, prepare] of [
    ["--token", (_home: Home) => Promise.resolve({ args: ["--token", TOKEN] })],
    ["--token-file", async (home: Home) => ({
      args: ["--token-file", await home.put("token", `${TOKEN}\r\n`)],
    })],
    [
      "BOWIRE_MCP_TOKEN",
      (_home: Home) => Promise.resolve({ args: [], env: { BOWIRE_MCP_TOKEN: TOKEN } }),
    ],
  ] as const
) {
  Deno.test(`${what} is required of every request, and never printed`, async () => {
    await using home = await Home.make();
    const { args, ...options } = { env: {}, ...await prepare(home) };
    await using server = await startHttp(home, args, {
      ...options,
      env: { ...options.env, BOWIRE_LOG: "trace" },
    });
    const { url } = server;
    strictEqual((await post(url, INITIALIZE)).status, 401);
    for (const token of ["wrong", TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.toUpperCase()]) {
      const refused = await post(url, INITIALIZE, bearer(token));
      strictEqual(refused.status, 401, token);
      match(refused.headers.get("www-authenticate") ?? "", /error="invalid_token"/);
    }
    for (const path of ["/", "/bowire/mcp", "/nowhere"]) {
      strictEqual((await post(new URL(path, url).href, "{}")).status, 401, path);
    }
    strictEqual((await post(url, INITIALIZE, bearer(TOKEN))).status, 200);
    await using client = await connectClient("sdk 2 auto", { kind: "http", url, token: TOKEN });
    strictEqual((await client.listTools()).length, tools.length);
    strictEqual((await server.stop()).code, 0);
    ok(!(server.stdout() + server.stderr()).includes(TOKEN));
    ok(!server.stderr().includes("No token is required"));
  });
}

for (const token of ["", "two words"]) {
  Deno.test(`the token "${token}" is refused at the start, and not shown`, async () => {
    await using home = await Home.make();
    const file = await home.put("token", token);
    const { code, stdout, stderr } = await runBowire(
      home,
      ["mcp", "serve", "--bind", "http", "--port", "0", "--token-file", file],
    );
    deepStrictEqual([code, stdout], [1, ""]);
    match(stderr, /cannot use the token: it is empty or holds white space/);
    ok(!stderr.includes("two words"));
  });
}

Deno.test("a missing token file ends with 1 and its name", async () => {
  await using home = await Home.make();
  const args = ["mcp", "serve", "--bind", "http", "--token-file", home.file("none")];
  const { code, stderr } = await runBowire(home, args);
  strictEqual(code, 1);
  match(stderr, /cannot read the token from ".*none": /);
});

Deno.test("MCP is served at /mcp and /bowire/mcp, nothing elsewhere", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home);
  const at = (path: string) => new URL(path, server.url).href;
  for (const path of ["/mcp", "/bowire/mcp"]) {
    strictEqual((await post(at(path), INITIALIZE)).status, 200, path);
  }
  for (const path of ["/", "/mcp//", "/mcp/x", "/MCP", "/api/mcp"]) {
    const { status, text } = await post(at(path), INITIALIZE);
    strictEqual(status, 404, path);
    match(text, /MCP is at \/mcp and \/bowire\/mcp/);
  }
});

Deno.test("a session lives from initialize to DELETE; other ids are 404", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home);
  const { url } = server;
  const id = (await post(url, INITIALIZE)).headers.get("mcp-session-id") ?? "";
  match(id, /^[\x21-\x7e]{16,}$/);
  const headers = { "mcp-session-id": id };
  strictEqual((await post(url, LIST, { headers })).message.result.tools.length, tools.length);
  const stream = await fetch(url, { headers: { ...MCP_HEADERS, ...headers } });
  match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
  await stream.body?.cancel();
  const unknown = await post(url, LIST, { headers: { "mcp-session-id": "unknown" } });
  deepStrictEqual([unknown.status, unknown.message.error.code], [404, -32001]);
  const ended = await fetch(url, { method: "DELETE", headers });
  strictEqual(ended.status, 200);
  await ended.body?.cancel();
  strictEqual((await post(url, LIST, { headers })).status, 404);
});

Deno.test("C95 a session is of no use to whoever shows another token", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home);
  const { url } = server;
  const opened = await post(url, INITIALIZE, bearer("a"));
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const stolen = { ...session, ...bearer("b").headers };
  strictEqual((await post(url, LIST, { headers: stolen })).status, 404);
  for (const method of ["GET", "DELETE"]) {
    const response = await fetch(url, { method, headers: { ...MCP_HEADERS, ...stolen } });
    strictEqual(response.status, 404, method);
    await response.body?.cancel();
  }
  const own = { ...session, ...bearer("a").headers };
  strictEqual((await post(url, LIST, { headers: own })).message.result.tools.length, tools.length);
});

Deno.test("big integers pass over HTTP exactly, with a session and without", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using server = await startHttp(home, ["--allow-url", target.url]);
  const id = (await post(server.url, INITIALIZE)).headers.get("mcp-session-id") ?? "";
  for (const headers of [{ "mcp-session-id": id }, {}]) {
    const { text } = await post(
      server.url,
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"bowire.invoke","arguments":' +
        `{"url":"${target.url}/echo","service":"","method":"POST","body":{"id":9007199254740993}}}}`,
      { headers },
    );
    strictEqual(target.arrived.at(-1)?.body, '{"id":9007199254740993}');
    ok(text.includes("9007199254740993"), text);
  }
  strictEqual(target.arrived.length, 2);
});

Deno.test("two sessions do not mix: one that ends leaves the other alone", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home);
  const way = { kind: "http", url: server.url } as const;
  const asked: string[] = [];
  const onQuestion = (who: string) => () => {
    asked.push(who);
    return { action: "accept" as const, content: { confirm: true } };
  };
  await using second = await connectClient("sdk 2 legacy", way, {
    onQuestion: onQuestion("second"),
  });
  {
    await using first = await connectClient("sdk 2 legacy", way, {
      onQuestion: onQuestion("first"),
    });
    const permit = (client: TestClient, url: string) =>
      client.callTool("bowire.allowlist.permit", { url });
    await Promise.all([permit(first, "https://a.example.com"), permit(second, "https://b.test")]);
    deepStrictEqual(asked.toSorted(), ["first", "second"]);
  }
  strictEqual((await second.listTools()).length, tools.length);
});

for (const method of ["GET", "DELETE", "PUT"]) {
  Deno.test(`${method} without a session is 405`, async () => {
    await using home = await Home.make();
    await using server = await startHttp(home);
    const response = await fetch(server.url, { method, headers: MCP_HEADERS });
    strictEqual(response.status, 405);
    await response.body?.cancel();
  });
}

Deno.test("a body over 32 MiB is refused with 413", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home);
  const { status, message } = await post(server.url, " ".repeat(32 * 1024 * 1024 + 1));
  deepStrictEqual([status, message.error.code], [413, -32600]);
  strictEqual((await post(server.url, INITIALIZE)).status, 200);
});

Deno.test("--stateless gives out no session id", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home, ["--stateless"]);
  const { status, headers } = await post(server.url, INITIALIZE);
  deepStrictEqual([status, headers.get("mcp-session-id")], [200, null]);
});
