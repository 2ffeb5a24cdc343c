import { deepEqual, equal, match } from "node:assert/strict";
import { checkForwarded, forwardedHeaders } from "../../lib/adapter/headers.ts";
import { type AdapterOptions, settle } from "../../lib/adapter/options.ts";
import { compileFilters, type MethodFilter } from "../../lib/adapter/reading/filters.ts";
import type { Method } from "../../lib/model/mod.ts";
import { serviceOf } from "../fakes/protocols.ts";
import { refusalOf } from "../fakes/rooms.ts";

const NO_MESSAGE = { name: "", fullName: "", fields: [] };

function methodOf(name: string, more: Partial<Method> = {}): Method {
  return {
    name,
    fullName: name,
    methodType: "Unary",
    clientStreaming: false,
    serverStreaming: false,
    inputType: NO_MESSAGE,
    outputType: NO_MESSAGE,
    deprecated: false,
    ...more,
  };
}

const METHODS = [
  methodOf("list", { httpMethod: "GET", tags: ["public"] }),
  methodOf("remove", { httpMethod: "DELETE", tags: ["admin", "public"] }),
  methodOf("Watch", { methodType: "ServerStreaming" }),
];

function kept(include?: MethodFilter, exclude?: MethodFilter): string[] {
  const isMeant = compileFilters(include, exclude);
  return METHODS.filter((method) => isMeant(serviceOf("shop.Pets"), method)).map(({ name }) =>
    name
  );
}

Deno.test("compileFilters takes all of no filter, and what each list has", () => {
  deepEqual(kept(), ["list", "remove", "Watch"]);
  deepEqual(kept({ method: ["get", "serverstreaming"] }), ["list", "Watch"]);
  deepEqual(kept({ tag: ["pub*"] }), ["list", "remove"]);
  deepEqual(kept({ tag: ["public"], method: ["DELETE"] }), ["remove"]);
  deepEqual(kept({ service: ["shop.?ets"] }), ["list", "remove", "Watch"]);
  deepEqual(kept({ service: ["shop"] }), []);
  deepEqual(kept({ glob: ["*/list", "shop.Pets/re*"] }), ["list", "remove"]);
  deepEqual(kept({ service: [] }), ["list", "remove", "Watch"]);
});

Deno.test("compileFilters leaves out what any list of exclude has", () => {
  deepEqual(kept({}, { tag: ["admin"], method: ["ServerStreaming"] }), ["list"]);
  deepEqual(kept({ glob: ["*"] }, { glob: ["shop.Pets/*"] }), []);
});

Deno.test("checkForwarded refuses credentials and what belongs to a connection", () => {
  deepEqual(checkForwarded(["X-Tenant", "traceparent"]), ["x-tenant", "traceparent"]);
  for (
    const name of [
      "Authorization",
      "cookie",
      "Host",
      "Content-Type",
      "Mcp-Session-Id",
      "Proxy-Authorization",
      "Connection",
      "Transfer-Encoding",
      "__bowireMtls__",
      "a b",
      "",
    ]
  ) equal(refusalOf(() => checkForwarded([name])).code, "usage", name);
});

Deno.test("forwardedHeaders hands on what is named, and nothing that the operator set", () => {
  const inbound = { "x-tenant": "evil", "x-trace": "1", authorization: "Bearer IN" };
  const names = ["x-tenant", "x-trace"];
  deepEqual(forwardedHeaders(inbound, { names, set: { "X-Tenant": "ours" } }), { "x-trace": "1" });
});

Deno.test("settle refuses options that cannot be", () => {
  const url = "http://a.example";
  const refused = (options: Partial<AdapterOptions>) =>
    refusalOf(() => settle({ urls: [url], ...options })).message;
  match(refused({ urls: [] }), /no URL/);
  match(refused({ nameLimit: 5 }), /nameLimit to 5/);
  match(refused({ rediscoverSeconds: 0 }), /rediscoverSeconds/);
  match(refused({ metadata: { "http://b.example": {} } }), /none of the URLs/);
});

Deno.test("settle counts a URL once, and joins what is set for all and for one", () => {
  const url = "http://a.example";
  const settings = settle({
    urls: [url, url],
    headers: { a: "1", b: "1" },
    metadata: { [url]: { B: "2" } },
  });
  deepEqual(settings.urls, [url]);
  deepEqual(settings.metadataFor(url), { a: "1", B: "2" });
  deepEqual(settings.metadataFor("http://b.example"), { a: "1", b: "1" });
});
