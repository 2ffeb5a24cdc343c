import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { Adapter } from "../../lib/adapter/mod.ts";
import { api } from "../plugins/rest/fixture.ts";
import {
  assertPortable,
  type Bench,
  call,
  callFor,
  namesOf,
  openAdapter,
  textOf,
} from "./fixture.ts";
import { openShop } from "./shop.ts";

const SEARCH = ["find_methods", "describe_method", "call_method"];

/** What a tool answers as data. */
async function dataOf(bench: Bench, name: string, args: Record<string, unknown>) {
  const outcome = await call(bench, name, { arguments: args });
  ok(outcome?.kind === "result");
  return JSON.parse(JSON.stringify(outcome.data));
}

async function found(bench: Bench, query: string): Promise<string[]> {
  const { methods } = await dataOf(bench, "find_methods", { query });
  return methods.map(({ name }: { name: string }) => name);
}

function bytesOf(adapter: Adapter): number {
  return new TextEncoder().encode(JSON.stringify({ tools: adapter.listTools() })).length;
}

Deno.test("search lists three small tools, and every method stays callable by its name", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url], tools: "search" });
  deepEqual(namesOf(bench), SEARCH);
  ok(bytesOf(bench.adapter) <= 2048, `${bytesOf(bench.adapter)} bytes`);
  for (const { inputSchema } of bench.adapter.listTools()) assertPortable(inputSchema);
  match(bench.adapter.report(), /^3 tools .*in place of 5 tools/);
  match(bench.adapter.identity.instructions, /5 methods of an API \(Shop\).*find_methods/);
  equal((await callFor(bench, "pets_listPets")).isError, false);
  equal(await call(bench, "nobody"), undefined);
});

Deno.test("C20 auto searches when there are too many tools, or too many bytes of them", async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 129 }, (_, index) => [`/a${index}`, { get: { responses: {} } }]),
  );
  await using site = api(paths);
  const urls = [`${site.url}/openapi.json`];
  await using many = await openAdapter({ urls });
  equal(many.adapter.figures().mode, "search");
  equal(many.adapter.figures().methods, 129);
  await using allowed = await openAdapter({ urls, toolBudget: { tools: 129 } });
  equal(allowed.adapter.figures().mode, "all");
  await using heavy = await openAdapter({ urls, toolBudget: { tools: 129, bytes: 1000 } });
  equal(heavy.adapter.figures().mode, "search");
  await using all = await openAdapter({ urls, tools: "all" });
  match(all.adapter.report(), /^129 tools .*more than many clients take/);
});

Deno.test("find_methods finds by words of names, paths, texts, tags and fields", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url], tools: "search" });
  equal((await found(bench, "list pets"))[0], "pets_listPets");
  deepEqual(await found(bench, "puppy"), ["pets_createPet"]);
  deepEqual(await found(bench, "photo"), ["media_getPhoto"]);
  deepEqual(await found(bench, "public"), ["pets_listPets"]);
  deepEqual(await found(bench, "limit"), ["pets_listPets"]);
  equal((await found(bench, "DELETE"))[0], "pets_deletePet");
  deepEqual(await found(bench, "zebra"), []);
});

Deno.test("find_methods puts a method that goes by the words before those that only have them", async () => {
  const get = (operationId: string, summary: string, description = "") => ({
    get: { operationId, summary, description, tags: ["repos"], responses: {} },
  });
  const much = "A repository of repositories: get one, or an issue of a repository.";
  await using site = api({
    "/repos/{id}/rules": get("repos/get-repo-rules", "Get all rules of a repository", much),
    "/repos/{id}/hooks": get("repos/get-repo-hooks", "Get the hooks of a repository", much),
    "/repos/{id}": get("repos/get", "Get a repository"),
    "/repos": get("repos/list", "List repositories"),
    "/artifacts": get("any/artifacts", "Another artifact and any attachment"),
    "/issues": get("issues/create", "Create an issue"),
    "/issues/types": get("issues/create-type", "Create an issue type", much),
  });
  await using bench = await openAdapter({ urls: [`${site.url}/openapi.json`], tools: "search" });
  for (
    const [query, name] of [
      ["get a repository", "repos_repos_get"],
      ["repos/get", "repos_repos_get"],
      ["repos_repos_get", "repos_repos_get"],
      ["GET /repos/{id}", "repos_repos_get"],
      ["list the repository", "repos_repos_list"],
      ["create issues", "repos_issues_create"],
      ["repositry rules", "repos_repos_get-repo-rules"],
    ] as const
  ) equal((await found(bench, query))[0], name, query);
  // "a" is the beginning of many words, and says nothing.
  ok(!(await found(bench, "list a repository")).includes("repos_any_artifacts"));
});

Deno.test("find_methods gives pages, and all of them without a query", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url], tools: "search" });
  const first = await dataOf(bench, "find_methods", { limit: 4 });
  equal(first.methods.length, 4);
  deepEqual([first.total, first.nextOffset], [5, 4]);
  const { nextOffset, methods } = await dataOf(bench, "find_methods", { limit: 4, offset: 4 });
  equal(nextOffset, undefined);
  deepEqual(methods, [{ name: "pets_listPets", summary: "List all pets", path: "GET /pets" }]);
});

Deno.test("describe_method gives schemas and a sample of one method", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url], tools: "search" });
  const about = await dataOf(bench, "describe_method", { name: "pets_createPet" });
  deepEqual(about.inputSchema.required, ["name"]);
  equal(about.outputSchema.type, "object");
  equal(typeof about.sample.name, "string");
  match(about.description, /puppy/);
});

Deno.test("call_method calls a method, with no arguments when it is given none", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url], tools: "search" });
  const made = await callFor(bench, "call_method", {
    arguments: { name: "pets_createPet", arguments: { name: "Rex" } },
  });
  deepEqual(made.structured, { id: 1, name: "Rex" });
  const list = await callFor(bench, "call_method", { arguments: { name: "pets_listPets" } });
  equal(list.isError, false);
});

Deno.test("the three tools say what was wrong with their arguments", async () => {
  await using shop = openShop();
  await using bench = await openAdapter({ urls: [shop.url], tools: "search" });
  const wrong = async (name: string, args: Record<string, unknown>) => {
    const outcome = await callFor(bench, name, { arguments: args });
    equal(outcome.isError, true);
    return textOf(outcome);
  };
  match(await wrong("find_methods", { query: 7 }), /"query".*\n.*\nknown arguments are: query/);
  match(await wrong("describe_method", {}), /"name"/);
  match(await wrong("call_method", { name: "pets_listPet" }), /did you mean pets_listPets/);
  match(await wrong("describe_method", { name: "zzzzzzzz" }), /search with find_methods/);
  match(await wrong("call_method", { name: "pets_listPets", extra: 1 }), /extra/);
});
