import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import {
  HAS_PEERS,
  NODE,
  runConformance,
  runInspector,
  SERVER_EVERYTHING,
  startCerbos,
  startWireMock,
} from "./peers.ts";

function peerTest(name: string, fn: () => Promise<void>) {
  Deno.test({ name, ignore: !HAS_PEERS, fn });
}

async function readDocument(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url);
  strictEqual(response.status, 200);
  return await response.json();
}

/** True when nothing listens there any more. */
async function isGone(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).body?.cancel();
    return false;
  } catch {
    return true;
  }
}

peerTest(
  "startCerbos serves a Swagger 2.0 document until it is disposed",
  async () => {
    let url = "";
    {
      await using cerbos = await startCerbos();
      url = cerbos.url;
      const document = await readDocument(`${url}/schema/swagger.json`);
      strictEqual(document.swagger, "2.0");
      ok(Object.keys(document.paths ?? {}).length > 10);
    }
    ok(await isGone(url));
  },
);

peerTest(
  "startWireMock serves an OpenAPI 3.0 document until it is disposed",
  async () => {
    let url = "";
    {
      await using wiremock = await startWireMock();
      url = wiremock.url;
      const document = await readDocument(`${url}/__admin/docs/swagger`);
      match(String(document.openapi), /^3\.0/);
      ok(Object.keys(document.paths ?? {}).length > 10);
    }
    ok(await isGone(url));
  },
);

peerTest(
  "startWireMock says what to install when Java is missing",
  async () => {
    const path = Deno.env.get("PATH") ?? "";
    Deno.env.set("PATH", "/nowhere");
    try {
      await rejects(startWireMock(), /install a Java 17 runtime/);
    } finally {
      Deno.env.set("PATH", path);
    }
  },
);

peerTest("runInspector lists the tools of a stdio server", async () => {
  const run = await runInspector(
    [
      "--cli",
      NODE,
      SERVER_EVERYTHING,
      "stdio",
      "--method",
      "tools/list",
      "--format",
      "json",
    ],
  );
  strictEqual(run.code, 0, run.stderr);
  const { result } = JSON.parse(run.stdout);
  ok(result.tools.some((tool: { name: string }) => tool.name === "echo"));
});

peerTest("runConformance lists its scenarios", async () => {
  const run = await runConformance(["list"]);
  deepStrictEqual([run.code, run.stderr], [0, ""]);
  for (
    const scenario of [
      "server-initialize",
      "ping",
      "tools-list",
      "dns-rebinding-protection",
    ]
  ) {
    match(run.stdout, new RegExp(`- ${scenario} \\[`));
  }
});
