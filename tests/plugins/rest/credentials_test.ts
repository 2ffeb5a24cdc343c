import assert from "node:assert/strict";
import { json, methodsOf, openapi, openRest, type Received, serve, type Site } from "./fixture.ts";

const SCHEMES = {
  headerKey: { type: "apiKey", in: "header", name: "X-Key" },
  queryKey: { type: "apiKey", in: "query", name: "api_key" },
  cookieKey: { type: "apiKey", in: "cookie", name: "session" },
  basicAuth: { type: "http", scheme: "basic" },
  bearerAuth: { type: "http", scheme: "bearer" },
  digestAuth: { type: "http", scheme: "digest" },
  oauth: { type: "oauth2", flows: {} },
  oidc: { type: "openIdConnect", openIdConnectUrl: "https://id.test" },
  cert: { type: "mutualTLS" },
  odd: { type: "http", scheme: "two words" },
};

/** An API whose method `ping` asks for credentials and is answered by a status. */
function apiFor(
  security: unknown,
  status = 200,
  others: Readonly<Record<string, unknown>> = {},
): Site {
  const document = openapi({ "/ping": { get: { operationId: "ping", security } } }, {
    components: { securitySchemes: SCHEMES },
    ...others,
  });
  return serve({ "/openapi.json": json(document) }, () => Response.json({}, { status }));
}

type Texts = Readonly<Record<string, string>>;

/** Calls `ping` and returns what arrived. */
async function pinged(site: Site, metadata: Texts): Promise<Received | undefined> {
  await openRest(site).invoke({ method: "ping", metadata });
  return site.received.at(-1);
}

/** Path and the headers that may carry a credential. */
function carried(received: Received | undefined): (string | null | undefined)[] {
  const { path, headers } = received ?? {};
  return [path, headers?.get("authorization"), headers?.get("x-key"), headers?.get("cookie")];
}

const PAIR = btoa("user:pass");
const PLACES:
  readonly (readonly [scheme: string, metadata: Texts, expected: readonly unknown[]])[] = [
    ["headerKey", { headerKey: "k" }, ["/ping", null, "k", null]],
    ["headerKey", { HEADERKEY: "k" }, ["/ping", null, "k", null]],
    ["headerKey", { "x-key": "k" }, ["/ping", null, "k", null]],
    ["queryKey", { queryKey: "k&x=1" }, ["/ping?api_key=k%26x%3D1", null, null, null]],
    ["queryKey", { API_KEY: "k" }, ["/ping?api_key=k", null, null, null]],
    ["queryKey", { __bowireQuery__api_key: "k" }, ["/ping?api_key=k", null, null, null]],
    ["cookieKey", { cookieKey: "k" }, ["/ping", null, null, "session=k"]],
    ["cookieKey", { session: "k", Cookie: "a=1" }, ["/ping", null, null, "a=1; session=k"]],
    ["cookieKey", { COOKIE: "a=1", session: "k" }, ["/ping", null, null, "a=1; session=k"]],
    ["basicAuth", { basicAuth: "user:pass" }, ["/ping", `Basic ${PAIR}`, null, null]],
    ["basicAuth", { basicAuth: PAIR }, ["/ping", `Basic ${PAIR}`, null, null]],
    ["basicAuth", { basicauth: `Basic ${PAIR}` }, ["/ping", `Basic ${PAIR}`, null, null]],
    ["basicAuth", { basicAuth: "müller:pässe" }, [
      "/ping",
      "Basic bcO8bGxlcjpww6Rzc2U=",
      null,
      null,
    ]],
    ["bearerAuth", { bearerAuth: "t" }, ["/ping", "Bearer t", null, null]],
    ["bearerAuth", { BearerAuth: "bearer t" }, ["/ping", "bearer t", null, null]],
    ["bearerAuth", { Authorization: "Token t" }, ["/ping", "Token t", null, null]],
    ["digestAuth", { digestAuth: 'username="u"' }, ["/ping", 'Digest username="u"', null, null]],
    ["oauth", { oauth: "t" }, ["/ping", "Bearer t", null, null]],
    ["oidc", { oidc: "t" }, ["/ping", "Bearer t", null, null]],
  ];
for (const [scheme, metadata, expected] of PLACES) {
  Deno.test(`${scheme} given as ${JSON.stringify(metadata)} goes where the document wants it`, async () => {
    await using site = apiFor([{ [scheme]: [] }], 401);
    const received = await pinged(site, metadata);
    assert.deepEqual(carried(received), expected);
    assert.equal(received?.headers.has(scheme), false);
  });
}

Deno.test("metadata named like a scheme that the method does not ask for is a header", async () => {
  await using site = apiFor([{ bearerAuth: [] }]);
  const received = await pinged(site, { queryKey: "k", session: "s" });
  assert.deepEqual(carried(received), ["/ping", null, null, null]);
  assert.equal(received?.headers.get("querykey"), "k");
});

Deno.test("a header that is the API key of one alternative stays, whatever the others want", async () => {
  const twins = {
    inHeader: { type: "apiKey", in: "header", name: "X-Key" },
    inQuery: { type: "apiKey", in: "query", name: "X-Key" },
  };
  for (const security of [[{ inHeader: [] }, { inQuery: [] }], [{ inHeader: [], inQuery: [] }]]) {
    await using site = apiFor(security, 200, { components: { securitySchemes: twins } });
    assert.deepEqual(carried(await pinged(site, { "X-Key": "k" })), ["/ping", null, "k", null]);
    const both = await pinged(site, { inQuery: "q", inHeader: "h" });
    assert.deepEqual(carried(both), ["/ping?X-Key=q", null, "h", null]);
  }
});

Deno.test("schemes that are needed together are all sent", async () => {
  await using site = apiFor([{ headerKey: [], queryKey: [], cookieKey: [], basicAuth: [] }]);
  const received = await pinged(site, {
    headerKey: "h",
    queryKey: "q",
    cookieKey: "c",
    basicAuth: "u:p",
  });
  assert.deepEqual(carried(received), ["/ping?api_key=q", "Basic dTpw", "h", "session=c"]);
});

Deno.test("the securityDefinitions of Swagger 2 are read", async () => {
  const security = [{ key: [] }, { pair: [] }, { flow: ["read"] }];
  await using site = serve({
    "/openapi.json": json({
      swagger: "2.0",
      securityDefinitions: {
        key: { type: "apiKey", in: "query", name: "k" },
        pair: { type: "basic" },
        flow: { type: "oauth2", flow: "implicit", authorizationUrl: "https://id.test", scopes: {} },
      },
      security,
      paths: { "/ping": { get: { operationId: "ping" } } },
    }),
  }, json({}));
  assert.deepEqual(carried(await pinged(site, { KEY: "1" })), ["/ping?k=1", null, null, null]);
  assert.equal(carried(await pinged(site, { pair: "u:p" }))[1], "Basic dTpw");
  assert.equal(carried(await pinged(site, { flow: "t" }))[1], "Bearer t");
  const [method] = methodsOf(await openRest(site).discover());
  assert.deepEqual(method?.security, [
    'key (API key in the query "k")',
    'pair (header "Authorization: Basic …")',
    'flow (header "Authorization: Bearer …")',
  ]);
});

const DESCRIBED: readonly (readonly [what: string, security: unknown, expected: unknown])[] = [
  ["one", [{ headerKey: [] }], ['headerKey (API key in the header "X-Key")']],
  ["alternatives", [{ headerKey: [] }, { cert: [] }, { headerKey: [] }], [
    'headerKey (API key in the header "X-Key")',
    "cert (client certificate, as __bowireMtls__)",
  ]],
  ["a combination", [{ cookieKey: [], oidc: [] }], [
    'cookieKey (API key in the cookie "session") and oidc (header "Authorization: Bearer …")',
  ]],
  ["an alternative without any", [{ headerKey: [] }, {}], undefined],
  ["none, as an empty list", [], undefined],
  ["an unknown scheme", [{ nope: [] }], undefined],
  ["a scheme that no header can have", [{ odd: [] }], undefined],
  ["something else than a list", { headerKey: [] }, undefined],
  ["something else within the list", ["headerKey", 5, null], undefined],
];
for (const [what, security, expected] of DESCRIBED) {
  Deno.test(`discovery tells of a method that asks for ${what}`, async () => {
    await using site = apiFor(security);
    const [method] = methodsOf(await openRest(site).discover());
    assert.deepEqual(method?.security, expected);
  });
}

Deno.test("the document's security holds where a method has none of its own", async () => {
  const get = (operationId: string, security?: unknown) => ({
    get: { operationId, ...security === undefined ? {} : { security } },
  });
  await using site = serve({
    "/openapi.json": json(openapi(
      { "/a": get("inherits"), "/b": get("open", []), "/c": get("own", [{ oauth: [] }]) },
      {
        security: [{ headerKey: [] }],
        components: { securitySchemes: { ...SCHEMES, headerKey: { $ref: "#/x-schemes/key" } } },
        "x-schemes": { key: SCHEMES.headerKey },
      },
    )),
  }, () => new Response(null, { status: 401 }));
  const rest = openRest(site);
  const methods = methodsOf(await rest.discover());
  assert.deepEqual(methods.map(({ security }) => security?.[0]?.split(" ")[0]), [
    "headerKey",
    undefined,
    "oauth",
  ]);
  const hintOf = async (method: string) => (await rest.invoke({ method })).hint;
  assert.match(await hintOf("inherits") ?? "", /headerKey/);
  assert.equal(await hintOf("open"), undefined);
  assert.match(await hintOf("own") ?? "", /oauth/);
});

/** Calls `ping` with a status and gives the hint. */
async function hintFor(security: unknown, metadata: Texts = {}, status = 401) {
  await using site = apiFor(security, status);
  return (await openRest(site).invoke({ method: "ping", metadata })).hint;
}

for (const status of [401, 403]) {
  Deno.test(`an answer ${status} comes with a hint at the credentials that were missing`, async () => {
    const hint = await hintFor([{ headerKey: [] }, { oauth: [] }], {}, status);
    assert.match(hint ?? "", /headerKey \(API key in the header "X-Key"\), or oauth \(header/);
    assert.match(hint ?? "", /as metadata under the name of the scheme/);
  });
}

for (const status of [200, 204, 304, 400, 404, 500]) {
  Deno.test(`an answer ${status} comes without a hint, whatever was missing`, async () => {
    await using site = serve({
      "/openapi.json": json(openapi({ "/ping": { get: { operationId: "ping" } } }, {
        security: [{ headerKey: [] }],
        components: { securitySchemes: SCHEMES },
      })),
    }, () => new Response(null, { status }));
    const answer = await openRest(site).invoke({ method: "ping" });
    assert.deepEqual([answer.metadata["http_status"], answer.hint], [String(status), undefined]);
  });
}

Deno.test("only what is missing is named, and nothing when one alternative is met", async () => {
  const both = [{ headerKey: [], basicAuth: [] }];
  assert.doesNotMatch(await hintFor(both, { headerKey: "CANARY" }) ?? "", /headerKey/);
  assert.match(await hintFor(both, { headerKey: "CANARY" }) ?? "", /basicAuth/);
  const either = [{ headerKey: [], basicAuth: [] }, { cookieKey: [] }, { queryKey: [] }];
  assert.match(await hintFor(either, { headerKey: "k" }) ?? "", /basicAuth.*cookieKey.*queryKey/);
  assert.equal(await hintFor(either, { cookieKey: "k" }), undefined);
  assert.equal(await hintFor(either, { Cookie: "x=1; session=k" }), undefined);
  assert.match(await hintFor(either, { Cookie: "x=1; mysession=k" }) ?? "", /cookieKey/);
  assert.equal(await hintFor(either, { __bowireQuery__api_key: "k" }), undefined);
  assert.equal(await hintFor(either, { headerKey: "k", Authorization: "Basic x" }), undefined);
  assert.equal(await hintFor([{ bearerAuth: [] }, {}]), undefined);
});

Deno.test("no hint or error has the value of a credential", async () => {
  const security = [{ headerKey: [], cookieKey: [], cert: [] }, { basicAuth: [], queryKey: [] }];
  await using site = apiFor(security, 401);
  const rest = openRest(site);
  const metadata = { headerKey: "CANARY", basicAuth: "user:CANARY", cookieKey: "CANARY" };
  const answer = await rest.invoke({ method: "ping", metadata });
  assert.match(answer.hint ?? "", /cert .*, or queryKey/);
  assert.doesNotMatch(JSON.stringify(answer), /CANARY/);
  const broken: readonly Texts[] = [
    { headerKey: "CANARY\r\nX: 1" },
    { cookieKey: "CANARY\n" },
    { bearerAuth: "CANARY\u2028" },
    { cert: '{"certificate": "CANARY"}' },
    { cert: "CANARY" },
    { cert: '{"certificate": "CANARY", "privateKey": "CANARY"}' },
    { cert: '{"certificate": "CANARY", "privateKey": "CANARY", "passphrase": "CANARY"}' },
  ];
  for (const metadata of broken) {
    await assert.rejects(
      rest.invoke({ method: "ping", metadata }),
      (error: Error & { code: string; hint?: string; details?: unknown }) => {
        assert.equal(error.code, "invalid_argument", JSON.stringify(metadata));
        const { message, hint, details } = error;
        assert.doesNotMatch(JSON.stringify({ message, hint, details }), /CANARY/);
        return true;
      },
    );
  }
  assert.equal(site.received.filter(({ path }) => path.startsWith("/ping")).length, 1);
});

Deno.test("the environment's credentials are placed like the call's, which come before them", async () => {
  await using site = apiFor([{ headerKey: [] }, { bearerAuth: [] }], 401);
  const ambient = {
    origin: site.url,
    metadata: { headerKey: "environment", Authorization: "Bearer environment" },
  };
  const rest = openRest(site, { context: { ambient } });
  const answer = await rest.invoke({ method: "ping" });
  assert.equal(answer.hint, undefined);
  assert.deepEqual(carried(site.received.at(-1)).slice(1, 3), [
    "Bearer environment",
    "environment",
  ]);
  const metadata = { headerKey: "call", bearerAuth: "call" };
  await rest.invoke({ method: "ping", metadata });
  assert.deepEqual(carried(site.received.at(-1)).slice(1, 3), ["Bearer call", "call"]);
  await rest.invoke({ method: "ping", metadata: { "X-KEY": "call", authorization: "call" } });
  assert.deepEqual(carried(site.received.at(-1)).slice(1, 3), ["call", "call"]);
});

Deno.test("a required argument may be given as the credential of its name", async () => {
  const document = openapi({
    "/ping": {
      get: {
        operationId: "ping",
        security: [{ headerKey: [] }, { queryKey: [] }],
        parameters: [{ name: "X-Key", in: "header", required: true, schema: { type: "string" } }],
      },
    },
  }, { components: { securitySchemes: SCHEMES } });
  await using site = serve(
    { "/openapi.json": json(document) },
    () => Response.json({}, { status: 401 }),
  );
  const rest = openRest(site);
  const byScheme = await rest.invoke({ method: "ping", metadata: { headerKey: "k" } });
  const byArgument = await rest.invoke({ method: "ping", message: { "X-Key": "k" } });
  assert.deepEqual([byScheme.hint, byArgument.hint], [undefined, undefined]);
  const calls = site.received.filter(({ path }) => path === "/ping");
  assert.deepEqual(calls.map(({ headers }) => headers.get("x-key")), ["k", "k"]);
});
