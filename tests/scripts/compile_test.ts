import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { bundle } from "../../scripts/bundle.ts";
import { compile } from "../../scripts/compile.ts";
import { type Finished, runBowire } from "../fakes/bowire_process.ts";
import { within } from "../fakes/deadline.ts";
import { Home } from "../fakes/home.ts";
import { api, type Site } from "../plugins/rest/fixture.ts";
import { makeTree } from "./tree.ts";

/** Deno itself stands in for the base, which would have to be fetched. */
const base = Deno.execPath();

/** A temporary folder with the bundle in `bundle`. */
async function makeBundle() {
  await using guard = new AsyncDisposableStack();
  const tree = guard.use(await makeTree({}));
  const bundled = await Deno.realPath(tree.root) + "/bundle";
  await within(bundle(bundled), "the bundle");
  guard.move();
  return { ...tree, bundled };
}

function compileHere(bundled: string, output: string): Promise<string> {
  return within(compile(Deno.build.target, { bundled, output, base }), "the executable");
}

Deno.test("compile embeds the program and its worker, and no npm package", async () => {
  await using tree = await makeBundle();
  // It throws when anything else is embedded.
  const path = await compileHere(tree.bundled, tree.root);
  const executable = new TextDecoder("latin1").decode(await Deno.readFile(path));
  for (const folder of [tree.bundled, `${tree.bundled}/plugins`]) {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (!isFile) continue;
      const bytes = await Deno.readFile(`${folder}/${name}`);
      ok(executable.includes(new TextDecoder("latin1").decode(bytes)), name);
    }
  }
});

Deno.test("compile fails when something else is embedded, and shows what", async () => {
  await using tree = await makeTree({
    "bundle/main.js": 'import "../other.js";',
    "bundle/plugins/worker.js": "",
    "other.js": "",
  });
  await rejects(
    compileHere(`${tree.root}/bundle`, tree.root),
    /must embed main\.js, plugins\/\*: [\s\S]*other\.js/,
  );
});

Deno.test("compile fails when a part of the bundle is not embedded, and shows what is", async () => {
  await using tree = await makeTree({
    "bundle/main.js": "",
    "bundle/part.js": "",
    "bundle/plugins/worker.js": "",
  });
  await rejects(
    compileHere(`${tree.root}/bundle`, tree.root),
    /must embed main\.js, part\.js, plugins\/\*: [\s\S]*├── main\.js[^\n]*\n└── plugins/,
  );
});

Deno.test("compile fails without the worker", async () => {
  await using tree = await makeTree({ "main.js": "" });
  await rejects(
    compileHere(tree.root, tree.root),
    /deno compile failed for [\s\S]*worker\.js/,
  );
});

/** Calls the site by the bundle, with the rights and flags given and no configuration. */
async function callBundled(
  site: Site,
  { bundled, flags, args }: {
    bundled: string;
    flags: (home: Home) => string[];
    args: string[];
  },
): Promise<Finished> {
  await using home = await Home.make();
  const method = ["call", "Default/getPet", "--url", `${site.url}/openapi.json`, "-d", '{"id":7}'];
  return await runBowire(home, [...method, "--compact", ...args], {
    main: `${bundled}/main.js`,
    flags: [
      "--no-config",
      "--no-prompt",
      "--ignore-env",
      "--allow-env=BOWIRE_*,HOME,USERPROFILE",
      `--allow-net=${new URL(site.url).host}`,
      ...flags(home),
    ],
  });
}

const PATHS = {
  "/pets/{id}": {
    get: {
      operationId: "getPet",
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      responses: { 200: { description: "it" } },
    },
  },
};

Deno.test("bundle runs calls in its worker, with read access to its own folder alone", async () => {
  await using site = api(PATHS);
  await using tree = await makeBundle();
  const { bundled } = tree;
  const call = (read: string) =>
    callBundled(site, {
      bundled,
      flags: (home) => [
        "--unstable-worker-options",
        `--allow-read=${home.path}${read}`,
      ],
      args: ["--sandbox", "worker"],
    });
  const { code, stdout, stderr } = await call(`,${bundled}/plugins`);
  deepStrictEqual({ code, stdout, stderr }, { code: 0, stdout: "{}\n", stderr: "" });
  strictEqual(site.received.at(-1)?.path, "/pets/7");
  // Without that right it refuses, so that it was the worker that called.
  match((await call("")).stderr, /cannot run plugins in a worker: .*--allow-read=\S*plugins$/m);
});

Deno.test("bundle runs calls in the main thread where no worker can be, and says so", async () => {
  await using site = api(PATHS);
  await using tree = await makeBundle();
  const { code, stdout, stderr } = await callBundled(site, {
    bundled: tree.bundled,
    flags: (home) => [`--allow-read=${home.path}`],
    args: [],
  });
  deepStrictEqual({ code, stdout }, { code: 0, stdout: "{}\n" });
  match(stderr, /^[^\n]*without the second fence[^\n]*--unstable-worker-options"?\n$/);
});
