import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { inputUnpacker, portableInput } from "../../lib/adapter/schema/portable.ts";
import { json, openapi } from "../plugins/rest/fixture.ts";
import { anySchema } from "../schema/schemas.ts";
import { namesOf, openAdapter } from "./fixture.ts";
import { openShop, PATHS } from "./shop.ts";

const SENTENCE = "Some words that say what it is. ";

/** As many methods, with long texts at every level. */
function paths(count: number): unknown {
  const description = SENTENCE.repeat(50);
  const field = { type: "string", description };
  const body = {
    type: "object",
    properties: { part: { ...field, type: "object", properties: { field } } },
  };
  const post = {
    description,
    requestBody: { content: { "application/json": { schema: body } } },
    responses: { 200: { description: "ok" } },
  };
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`/things/${at}`, { post }]));
}

/** One tool of a list of as many. */
async function toolOf(count: number) {
  await using shop = openShop({ "/openapi.json": json(openapi(paths(count))) });
  await using bench = await openAdapter({ urls: [shop.url], tools: "all" });
  const tools = JSON.parse(JSON.stringify(bench.adapter.listTools()));
  equal(tools.length, count);
  return tools[0];
}

Deno.test("tools of a long list have shorter texts, cut at the end of a sentence", async () => {
  const limits = new Map([[2, [1000, 300, 300]], [257, [380, 200, 100]]]);
  for (const [count, most] of limits) {
    const { description, inputSchema: { properties: { part } } } = await toolOf(count);
    const texts: string[] = [description, part.description, part.properties.field.description];
    for (const [place, limit] of most.entries()) {
      const text = texts[place] ?? "";
      ok(text.startsWith(SENTENCE.trim()));
      ok(text.length <= limit && text.length > limit / 2, `${text.length} of ${limit}`);
    }
  }
});

Deno.test("tools of a long list do not say that there are no other arguments", async () => {
  equal((await toolOf(2)).inputSchema.additionalProperties, false);
  equal((await toolOf(257)).inputSchema.additionalProperties, undefined);
});

Deno.test("portableInput says the same of what it has seen before", () => {
  fc.assert(
    fc.property(anySchema, anySchema, anySchema, (one, other, definition) => {
      const texts = [one, other, one].map((it) =>
        JSON.stringify({
          type: "object",
          properties: { it, used: { $ref: "#/$defs/Any" }, loop: { $ref: "#/$defs/Loop" } },
          $defs: {
            Any: definition,
            Loop: { type: "object", properties: { next: { $ref: "#/$defs/Loop" } } },
          },
        })
      );
      const unpacker = inputUnpacker();
      for (const text of texts) {
        equal(
          JSON.stringify(portableInput(text, unpacker).schema),
          JSON.stringify(portableInput(text).schema),
        );
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("a definition of one name is another one in another schema", () => {
  const unpacker = inputUnpacker();
  const typeIn = (type: string) => {
    const thing = { type, description: SENTENCE };
    const properties = { thing: { $ref: "#/$defs/Thing" } };
    const text = JSON.stringify({ type: "object", properties, $defs: { Thing: thing } });
    return portableInput(text, unpacker).schema.properties?.["thing"]?.["type"];
  };
  deepEqual(["string", "boolean", "string"].map(typeIn), ["string", "boolean", "string"]);
});

Deno.test("methods whose paths are alike as far as anyone reads are all tools", async () => {
  const operation = { responses: { 200: { description: "ok" } } };
  const path = `/${"long".repeat(80)}`;
  const longPaths = { [`${path}/one`]: { get: operation }, [`${path}/two`]: { get: operation } };
  const namesIn = async (paths: unknown) => {
    await using shop = openShop({ "/openapi.json": json(openapi(paths)) });
    await using bench = await openAdapter({ urls: [shop.url] });
    return namesOf(bench);
  };
  const names = await namesIn(longPaths);
  equal(new Set(names).size, 2);
  deepEqual(await namesIn(Object.fromEntries(Object.entries(longPaths).reverse())), names);
});

Deno.test("a service whose target is down is read again when it is back", async () => {
  let isDown = false;
  await using shop = openShop({
    "/openapi.json": () =>
      isDown ? new Response("down", { status: 503 }) : Response.json(openapi(PATHS)),
  });
  await using bench = await openAdapter({ urls: [`${shop.url}/openapi.json`] });
  const { resources } = bench.adapter;
  const read = async () => {
    const [contents] =
      await resources.read("bowire-service://rest/pets", new AbortController().signal) ?? [];
    return contents !== undefined && "text" in contents ? JSON.parse(contents.text) : undefined;
  };
  isDown = true;
  await read().catch(() => {}); // it may say that it is down
  isDown = false;
  equal((await read()).methods[0].inputFields[0].Name, "limit");
});
