import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { api, json, openapi, type Received, serve, type Site } from "../../plugins/rest/fixture.ts";
import { startAdapter } from "../../fakes/bowire_process.ts";
import { Home } from "../../fakes/home.ts";
import { Agent, dataOf, goodText, openAdapted } from "./fixture.ts";

const OK = { responses: { 200: { description: "ok" } } };

function lastOf({ received }: Site): Received {
  const last = received.at(-1);
  ok(last, "nothing arrived");
  return last;
}

const LIST = { type: "array", items: { type: "string" } };

const STYLES = [
  {
    name: "C05 a list that is not to be exploded arrives in one parameter",
    parameter: { name: "tags", explode: false, schema: LIST },
    args: { tags: ["x", "y"] },
    query: "tags=x,y",
  },
  {
    name: "C06 a deepObject arrives below its own name",
    parameter: {
      name: "filter",
      style: "deepObject",
      schema: { type: "object", properties: { eq: { type: "string" } } },
    },
    args: { filter: { eq: "v" } },
    query: "filter%5Beq%5D=v",
  },
  {
    name: "C07 a list with pipes arrives in one parameter, explode unsaid",
    parameter: { name: "ids", style: "pipeDelimited", schema: LIST },
    args: { ids: ["a", "b"] },
    query: "ids=a%7Cb",
  },
  {
    name: "C07 a list with spaces arrives in one parameter, explode unsaid",
    parameter: { name: "ids", style: "spaceDelimited", schema: LIST },
    args: { ids: ["a", "b"] },
    query: "ids=a%20b",
  },
];

Deno.test("C05 C06 C07 parameters of the query arrive in their styles", async (test) => {
  await using site = api(Object.fromEntries(
    STYLES.map(({ parameter }, index) => {
      const parameters = [{ in: "query", ...parameter }];
      return [`/${index}`, {
        get: { operationId: `find${index}`, tags: ["t"], parameters, ...OK },
      }];
    }),
  ));
  await using adapted = await openAdapted(["--url", site.url]);
  for (const [index, { name, args, query }] of STYLES.entries()) {
    await test.step(name, async () => {
      goodText(await adapted.agent.call(`t_find${index}`, args));
      equal(lastOf(site).path, `/${index}?${query}`);
    });
  }
});

Deno.test("C08 servers are read against the document's own URL", async () => {
  const documentFor = (url: string, name: string) =>
    json(openapi({ "/items": { get: { operationId: name, tags: ["items"], ...OK } } }, {
      servers: [{ url }],
    }));
  await using site = serve({
    "/docs/rooted.json": documentFor("/myapp", "rooted"),
    "/docs/nested.json": documentFor("v1", "nested"),
    "/docs/above.json": documentFor("../v2/", "above"),
  }, json({}));
  const names = ["rooted", "nested", "above"];
  const urls = names.flatMap((name) => ["--url", `${site.url}/docs/${name}.json`]);
  await using adapted = await openAdapted(urls);
  const paths: string[] = [];
  for (const name of names) {
    goodText(await adapted.agent.call(`items_${name}`));
    paths.push(lastOf(site).path);
  }
  deepEqual(paths, ["/myapp/items", "/docs/v1/items", "/v2/items"]);
});

Deno.test("C10 null is taken as an argument and as an answer", async () => {
  const schema = {
    type: "object",
    properties: { name: { type: "string", nullable: true }, age: { type: "integer" } },
    required: ["name"],
  };
  const content = { "application/json": { schema } };
  const paths = {
    "/pets": {
      post: {
        operationId: "add",
        tags: ["pets"],
        requestBody: { required: true, content },
        responses: { 200: { description: "ok", content } },
      },
    },
  };
  await using site = serve({
    "/openapi.json": json({ ...Object(openapi(paths)), openapi: "3.0.3" }),
    "/pets": json({ name: null, age: 3 }),
  });
  await using adapted = await openAdapted(["--url", site.url, "--output-schemas"]);
  ok((await adapted.agent.tools()).get("pets_add")?.outputSchema);
  // The client holds the answer against the schema.
  const added = await adapted.agent.call("pets_add", { name: null });
  equal(lastOf(site).body, '{"name":null}');
  equal(goodText(added), '{"name":null,"age":3}');
  deepEqual(dataOf(added), { name: null, age: 3 });
});

Deno.test("C16 what a path says for all its operations is theirs, and no operation of its own", async () => {
  const string = { type: "string" };
  await using site = api({
    "/shops/{shop}/items/{id}": {
      summary: "One item",
      description: "All about one item",
      parameters: [
        { name: "shop", in: "path", required: true, schema: string },
        { name: "id", in: "path", required: true, schema: string },
        { name: "page", in: "query", schema: string, description: "of the path" },
        { name: "X-Trace", in: "header", schema: string },
      ],
      get: {
        operationId: "read",
        tags: ["items"],
        parameters: [
          { name: "page", in: "query", schema: { type: "integer" }, description: "of the method" },
        ],
        ...OK,
      },
    },
  });
  await using adapted = await openAdapted(["--url", site.url]);
  const tools = await adapted.agent.tools();
  deepEqual([...tools.keys()], ["items_read"]);
  const { properties = {}, required } = tools.get("items_read")?.inputSchema ?? {};
  deepEqual(Object.keys(properties).toSorted(), ["X-Trace", "id", "page", "shop"]);
  deepEqual(required, ["shop", "id"]);
  const page = JSON.stringify(properties["page"]);
  match(page, /"integer"/);
  match(page, /of the method/);
  doesNotMatch(page, /of the path/);
  const args = { shop: "s", id: "i", page: 2, "X-Trace": "t" };
  goodText(await adapted.agent.call("items_read", args));
  const { path, headers } = lastOf(site);
  deepEqual([path, headers.get("x-trace")], ["/shops/s/items/i?page=2", "t"]);
});

Deno.test("C17 what a path holds is encoded as one segment", async () => {
  const parameters = [{ name: "id", in: "path", required: true, schema: { type: "string" } }];
  await using site = api({
    "/items/{id}": { get: { operationId: "find", tags: ["items"], parameters, ...OK } },
  });
  await using adapted = await openAdapted(["--url", site.url]);
  const paths: string[] = [];
  for (const id of ["a/b c", "ü?#%2F", ".."]) {
    const { isError } = await adapted.agent.call("items_find", { id });
    paths.push(isError ? "refused" : lastOf(site).path);
  }
  deepEqual(paths, ["/items/a%2Fb%20c", "/items/%C3%BC%3F%23%252F", "refused"]);
});

Deno.test("C18 bytes given as base64 arrive as bytes, alone and among the parts of a form", async () => {
  const bytes = [0, 255, 137, 80, 13, 10];
  const content = (type: string, schema: unknown) => ({
    requestBody: { required: true, content: { [type]: { schema } } },
  });
  const form = {
    type: "object",
    properties: { title: { type: "string" }, picture: { type: "string", format: "binary" } },
  };
  await using site = api({
    "/raw": {
      put: {
        operationId: "putRaw",
        tags: ["files"],
        ...content("application/octet-stream", { type: "string", format: "binary" }),
        ...OK,
      },
    },
    "/form": {
      post: {
        operationId: "postForm",
        tags: ["files"],
        ...content("multipart/form-data", form),
        ...OK,
      },
    },
  });
  await using adapted = await openAdapted(["--url", site.url]);
  const base64 = btoa(String.fromCharCode(...bytes));
  const schema = (await adapted.agent.tools()).get("files_putRaw")?.inputSchema;
  match(JSON.stringify(schema?.properties), /^\{"body":\{.*base64/);
  goodText(await adapted.agent.call("files_putRaw", { body: base64 }));
  const raw = lastOf(site);
  deepEqual([[...raw.bytes], raw.headers.get("content-type")], [bytes, "application/octet-stream"]);

  goodText(await adapted.agent.call("files_postForm", { title: "Bö", picture: base64 }));
  const { headers, bytes: body } = lastOf(site);
  const type = headers.get("content-type") ?? "";
  const parts = await new Response(new Uint8Array(body), { headers: { "content-type": type } })
    .formData();
  equal(parts.get("title"), "Bö");
  const picture = parts.get("picture");
  ok(picture instanceof File);
  deepEqual([...await picture.bytes()], bytes);
  const text = new TextDecoder("latin1").decode(body);
  match(text, /content-disposition: form-data; name="picture"; filename="[^"]+"\r\n/i);
  match(text, /content-type: application\/octet-stream\r\n\r\n/i);
});

for (const way of ["HTTP", "stdio"] as const) {
  Deno.test(`C23 an environment's headers go to its origin and to no other (${way})`, async () => {
    const document = (name: string) =>
      json(openapi({ "/items": { get: { operationId: name, tags: ["items"], ...OK } } }));
    await using site = serve({ "/openapi.json": document("mine") }, json({}));
    await using other = serve({ "/openapi.json": document("theirs") }, json({}));
    const environments = {
      globals: { APP: "42" },
      environments: [{ id: "e", serverUrl: site.url, headers: { "X-App-Id": "{{APP}}" } }],
      activeEnvId: "e",
    };
    await using home = await Home.make();
    await home.put("environments.json", environments);
    const args = ["--url", site.url, "--url", other.url];
    await using server = way === "HTTP" ? await startAdapter(home, args) : undefined;
    await using agent = server === undefined
      ? await Agent.overStdio(home, args)
      : await Agent.overHttp(server.url);
    for (const name of ["items_mine", "items_theirs"]) goodText(await agent.call(name));
    const idsAt = (
      { received }: Site,
    ) => [...new Set(received.map(({ headers }) => headers.get("x-app-id")))];
    deepEqual([idsAt(site), idsAt(other)], [["42"], [null]]);
    equal(lastOf(site).path, "/items");
    equal(lastOf(other).path, "/items");
  });
}
