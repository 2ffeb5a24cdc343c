import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { runBowire } from "../fakes/bowire_process.ts";
import { startStdio } from "../fakes/conversation.ts";
import { Home } from "../fakes/home.ts";
import { makeFolder } from "../fakes/rooms.ts";
import { json, openapi, serve, type Site } from "../plugins/rest/fixture.ts";

const BYTES = new Uint8Array([0, 1, 254, 255]);

/** An API that takes bytes as a whole body and as a part of a form. */
function serveUploads(): Site {
  const bytes = { type: "string", format: "binary" };
  const form = { type: "object", properties: { photo: bytes, note: { type: "string" } } };
  const post = (operationId: string, type: string, schema: unknown) => ({
    post: { operationId, requestBody: { required: true, content: { [type]: { schema } } } },
  });
  return serve({
    "/openapi.json": json(openapi({
      "/raw": post("raw", "application/octet-stream", bytes),
      "/form": post("form", "multipart/form-data", form),
    })),
  }, json({}));
}

/** What was sent to a path, as the server's own parser reads it. */
function uploaded(site: Site, wanted: string): Response[] {
  return site.received.filter(({ path }) => path === wanted).map(({ headers, bytes }) =>
    new Response(new Uint8Array(bytes), { headers })
  );
}

/** `bowire call` in the home folder, which is also the current one. */
function call(home: Home, site: Site, method: string, message: unknown, ...args: string[]) {
  const data = ["--data", JSON.stringify(message)];
  const url = ["--url", `${site.url}/openapi.json`];
  return runBowire(home, ["call", `Default/${method}`, ...url, ...data, ...args]);
}

Deno.test("C18 bowire call sends a file of the current folder, as a body and as a part", async () => {
  await using home = await Home.make();
  await using site = serveUploads();
  await Deno.writeFile(home.file("x.bin"), BYTES);
  await Deno.mkdir(home.file("sub"));
  await Deno.writeFile(home.file("sub/cat ü.png"), BYTES);
  const runs = [
    await call(home, site, "raw", { body: { file: "x.bin" } }),
    await call(home, site, "form", { photo: { file: "sub/cat ü.png" }, note: "n" }),
  ];
  for (const { code, stderr } of runs) strictEqual(code, 0, stderr);
  const [raw] = uploaded(site, "/raw");
  deepStrictEqual(await raw?.bytes(), BYTES);
  const form = await uploaded(site, "/form")[0]?.formData();
  const photo = form?.get("photo");
  ok(photo instanceof File);
  deepStrictEqual([photo.name, photo.type, form?.get("note")], ["cat ü.png", "image/png", "n"]);
  deepStrictEqual(await photo.bytes(), BYTES);
});

Deno.test("bowire call sends no file from outside of the current folder", async () => {
  await using home = await Home.make();
  await using outside = await makeFolder();
  await using site = serveUploads();
  const secret = `${outside.path}/secret.txt`;
  await Deno.writeTextFile(secret, "CANARY");
  await Deno.symlink(secret, home.file("link"));
  await Deno.symlink(outside.path, home.file("folder"));
  const up = `../${outside.path.split("/").at(-1)}/secret.txt`;
  for (const file of [secret, up, "link", "folder/secret.txt", "/etc/passwd", "none"]) {
    const { code, stdout, stderr } = await call(home, site, "raw", { body: { file } });
    ok(code !== 0, file);
    match(stderr, /cannot read .*none of that name in the folders that are allowed/);
    match(stderr, /--allow-files DIR/);
    doesNotMatch(stdout + stderr, /CANARY/);
  }
  deepStrictEqual(uploaded(site, "/raw"), []);
});

Deno.test("an agent sends files of the workspace and of folders that were allowed, no others", async () => {
  await using home = await Home.make();
  await using folder = await makeFolder();
  await using site = serveUploads();
  await Deno.mkdir(home.file("workspaces/files"), { recursive: true });
  await Deno.writeTextFile(home.file("workspaces/files/mine.txt"), "of the workspace");
  await Deno.writeTextFile(`${folder.path}/theirs.txt`, "of the folder");
  await home.put("environments.json", { globals: { token: "CANARY" }, environments: [] });
  const args = ["--allow-url", site.url, "--allow-files", folder.path];
  await using agent = startStdio(home, args, { read: [folder.path] });
  await agent.initialize();
  const send = async (file: string) =>
    await agent.call("bowire.invoke", {
      url: `${site.url}/openapi.json`,
      service: "Default",
      method: "raw",
      body: { body: { file } },
    });
  for (const file of ["mine.txt", "theirs.txt", `${folder.path}/theirs.txt`]) {
    strictEqual((await send(file)).isError ?? false, false, file);
  }
  const bodies = await Promise.all(uploaded(site, "/raw").map((response) => response.text()));
  deepStrictEqual(bodies, ["of the workspace", "of the folder", "of the folder"]);
  for (const file of [home.file("environments.json"), "../../environments.json", "/etc/passwd"]) {
    const { isError, structuredContent } = await send(file);
    deepStrictEqual([isError, structuredContent.error.code], [true, "file_failed"], file);
  }
  strictEqual(uploaded(site, "/raw").length, 3);
  await agent.finish();
  doesNotMatch(agent.lines.join("\n") + agent.stderr, /CANARY/);
});

Deno.test("an agent without a folder is told how one is allowed", async () => {
  await using home = await Home.make();
  await using site = serveUploads();
  await using agent = startStdio(home, ["--allow-url", site.url]);
  await agent.initialize();
  const { structuredContent: { error } } = await agent.call("bowire.invoke", {
    url: `${site.url}/openapi.json`,
    service: "Default",
    method: "form",
    body: { photo: { file: "x.bin" } },
  });
  strictEqual(error.code, "file_failed");
  match(error.hint, /--allow-files DIR/);
});
