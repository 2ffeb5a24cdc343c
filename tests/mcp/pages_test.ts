import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { createEndpoint } from "../../lib/mcp/mod.ts";
import { pageOf } from "../../lib/mcp/methods/pages.ts";
import { echo, tinyCatalogue, tinyPrompts, tinyResources } from "../fakes/tiny_catalogue.ts";
import { ask, connectHttp, ERAS } from "./connect.ts";

const NAMES = Array.from({ length: 600 }, (_, index) => `tool.${index}`);
const MANY = tinyCatalogue(Object.fromEntries(NAMES.map((name) => [name, echo])), {
  resources: tinyResources(Object.fromEntries(NAMES.map((name) => [`tiny:${name}`, name]))),
  prompts: { ...tinyPrompts, list: () => NAMES.map((name) => ({ name })) },
});

for (const { era, mode } of ERAS) {
  Deno.test(`a client walks through the pages of all lists in a ${era}`, async () => {
    await using connected = await connectHttp(MANY, { mode });
    const { client } = connected;
    deepStrictEqual((await client.listTools()).tools.map(({ name }) => name), NAMES);
    deepStrictEqual(
      (await client.listResources()).resources.map(({ uri }) => uri),
      NAMES.map((name) => `tiny:${name}`),
    );
    deepStrictEqual((await client.listPrompts()).prompts.map(({ name }) => name), NAMES);
    deepStrictEqual((await client.listResourceTemplates()).resourceTemplates, []);
  });
}

for (const { revision } of ERAS) {
  Deno.test(`a cursor holds without a session, and only for its list, in ${revision}`, async () => {
    const endpoint = createEndpoint(MANY);
    const first = await ask(endpoint, revision, { method: "tools/list" });
    strictEqual(first.result.tools.length, 250);
    const cursor: string = first.result.nextCursor;
    const second = await ask(endpoint, revision, { method: "tools/list", params: { cursor } });
    deepStrictEqual(second.result.tools[0].name, "tool.250");
    for (const method of ["resources/list", "prompts/list", "resources/templates/list"]) {
      const { error } = await ask(endpoint, revision, { method, params: { cursor } });
      strictEqual(error?.code, -32602);
    }
    for (
      const made of ["", "0", "250", "ü", `${cursor}=`, btoa("tools\ntool.600"), cursor + cursor]
    ) {
      const params = { cursor: made };
      const { error } = await ask(endpoint, revision, { method: "tools/list", params });
      strictEqual(error?.code, -32602, made);
      match(error.message, /^unknown cursor: .*list again without a cursor$/);
    }
    await endpoint.close();
  });
}

function pageAfter(items: readonly string[], cursor?: string) {
  return pageOf(items, { list: "tools", cursor, keyOf: (item) => item });
}

for (
  const [count, pages] of [[0, [0]], [250, [250]], [251, [250, 1]], [500, [250, 250]]] as const
) {
  Deno.test(`pageOf cuts ${count} items into pages of ${pages.join(" and ")}`, () => {
    const items = NAMES.slice(0, count);
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = pageAfter(items, cursor);
      sizes.push(page.items.length);
      cursor = page.next.nextCursor;
    } while (cursor !== undefined);
    deepStrictEqual(sizes, pages);
  });
}

Deno.test("pageOf goes on where it was when the list has changed elsewhere", () => {
  const { nextCursor } = pageAfter(NAMES).next;
  ok(nextCursor !== undefined);
  const changed = ["new.0", ...NAMES.slice(10)];
  deepStrictEqual(pageAfter(changed, nextCursor).items.at(0), "tool.250");
  throws(() => pageAfter(NAMES.slice(250), nextCursor), { code: -32602 });
  deepStrictEqual(pageAfter(NAMES.slice(0, 250), nextCursor), { items: [], next: {} });
});
