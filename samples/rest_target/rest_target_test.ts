import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startRestTarget } from "./server.ts";

type Json = Record<string, unknown>;

/** A request, its documented path, and the status that it is to get. */
interface Call {
  readonly path: string;
  readonly at?: string;
  readonly status: number;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const AURORA = "9007199254740993";
const CIRCE = "9007199254740997";
const SHIP = "/ships/{shipId}";
const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
const KEY = { "x-api-key": "demo" };

function post(path: string, body: string, status: number, options: Partial<Call> = {}): Call {
  return { path, method: "POST", headers: JSON_TYPE, body, status, ...options };
}

const DIONE = JSON.stringify({
  name: "Dione",
  flag: "SE",
  dimensions: { lengthM: 110, draughtM: 7.5 },
  crew: [{ name: "Lars Ek", role: "captain" }],
});
const bookingOf = (shipId: string, berth: string) =>
  `{"shipId":${shipId},"berth":"${berth}","from":"2030-05-03","to":"2030-05-05"}`;

/** In this order, for they change the state. */
const CALLS: readonly Call[] = [
  { path: "/ships", status: 200 },
  { path: "/ships", at: "/ships?kind=submarine", status: 422 },
  post("/ships", DIONE, 201),
  post("/ships", DIONE, 409),
  post("/ships", '{"name":7}', 422),
  { path: SHIP, at: `/ships/${AURORA}`, status: 200 },
  { path: SHIP, at: "/ships/1", status: 404 },
  post(SHIP, '{"flag":"FO"}', 200, { method: "PATCH", at: `/ships/${AURORA}` }),
  post(SHIP, "{}", 404, { method: "PATCH", at: "/ships/1" }),
  post(SHIP, '{"kind":"tub"}', 422, { method: "PATCH", at: `/ships/${AURORA}` }),
  post(SHIP, "{}", 412, {
    method: "PATCH",
    at: `/ships/${AURORA}`,
    headers: { ...JSON_TYPE, "if-match": '"old"' },
  }),
  { path: SHIP, at: `/ships/${CIRCE}`, method: "DELETE", status: 401 },
  { path: SHIP, at: `/ships/${CIRCE}`, method: "DELETE", headers: KEY, status: 204 },
  { path: SHIP, at: `/ships/${CIRCE}`, method: "DELETE", headers: KEY, status: 404 },
  { path: SHIP, at: `/ships/${AURORA}`, method: "DELETE", headers: KEY, status: 409 },
  { path: `${SHIP}/parts`, at: `/ships/${AURORA}/parts`, status: 200 },
  { path: `${SHIP}/parts`, at: "/ships/none/parts", status: 404 },
  { path: "/berths", at: "/berths?quay=north", status: 200 },
  { path: "/berths", at: "/berths?quay=west", status: 422 },
  { path: "/berths/free", status: 200 },
  { path: "/berths/{code}", at: "/berths/N1", status: 200 },
  { path: "/berths/{code}", at: "/berths/N1", headers: { "x-units": "imperial" }, status: 200 },
  { path: "/berths/{code}", at: "/berths/N1", headers: { "x-units": "ells" }, status: 422 },
  { path: "/berths/{code}", at: "/berths/Z9", status: 404 },
  post("/berths/{code}/closure", "reason=wet+paint&until=2030-01-01", 200, {
    at: "/berths/S1/closure",
    headers: FORM_TYPE,
  }),
  post("/berths/{code}/closure", "until=2030-01-01", 422, {
    at: "/berths/S1/closure",
    headers: FORM_TYPE,
  }),
  post("/berths/{code}/closure", "reason=x", 404, { at: "/berths/Z9/closure", headers: FORM_TYPE }),
  { path: "/bookings", at: `/bookings?shipId=${AURORA}`, status: 200 },
  { path: "/bookings", at: "/bookings?page=0", status: 422 },
  post("/bookings", bookingOf(AURORA, "N1"), 201),
  post("/bookings", bookingOf(AURORA, "N2"), 409),
  post("/bookings", bookingOf("9007199254740992", "N1"), 404),
  post("/bookings", "[]", 422),
  { path: "/bookings/{bookingId}", at: "/bookings/b-1", status: 200 },
  { path: "/bookings/{bookingId}", at: "/bookings/b-1", method: "DELETE", status: 204 },
  { path: "/bookings/{bookingId}", at: "/bookings/b-1", method: "DELETE", status: 404 },
  { path: "/bookings/{bookingId}", at: "/bookings/b-1", status: 404 },
  { path: "/harbour", status: 200 },
  { path: "/harbour/rules", status: 200 },
  { path: "/harbour/flag", status: 200 },
  { path: "/harbour/tide", status: 503 },
  { path: "/harbour/office", status: 302 },
  { path: "/harbour/pilot", status: 307 },
  { path: "/harbour/stats", status: 401 },
  { path: "/harbour/stats", headers: KEY, status: 200 },
];

/** The value at a path of keys, references followed. */
function follow(document: Json, ...keys: readonly string[]): Json | undefined {
  let at: unknown = document;
  for (const key of keys) {
    at = isJson(at) ? at[key] : undefined;
    if (isJson(at) && typeof at.$ref === "string") {
      at = follow(document, ...at.$ref.slice(2).split("/"));
    }
  }
  return isJson(at) ? at : undefined;
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is wrong with a value, as far as types, required fields, enums and combinations tell. */
function findFaults(document: Json, schema: Json, value: unknown, at = "$"): string[] {
  if (typeof schema.$ref === "string") {
    const target = follow(document, ...schema.$ref.slice(2).split("/"));
    return target === undefined
      ? [`${at}: no ${schema.$ref}`]
      : findFaults(document, target, value, at);
  }
  const check = (part: unknown, item: unknown, place: string) =>
    isJson(part) ? findFaults(document, part, item, place) : [];
  const faults: string[] = [];
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const types = [schema.type ?? []].flat().map((name) => name === "integer" ? "number" : name);
  if (types.length > 0 && !types.includes(type)) faults.push(`${at}: ${type}, not ${types}`);
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) faults.push(`${at}: ${value}`);
  for (const part of [schema.allOf ?? []].flat()) faults.push(...check(part, value, at));
  const anyOf = [schema.anyOf ?? []].flat();
  if (anyOf.length > 0 && anyOf.every((part) => check(part, value, at).length > 0)) {
    faults.push(`${at}: none of anyOf`);
  }
  if (Array.isArray(value)) {
    value.forEach((item, n) => faults.push(...check(schema.items, item, `${at}[${n}]`)));
  }
  if (isJson(value)) {
    for (const name of [schema.required ?? []].flat()) {
      if (!(String(name) in value)) faults.push(`${at}: no ${name}`);
    }
    for (const [name, part] of Object.entries(isJson(schema.properties) ? schema.properties : {})) {
      if (name in value) faults.push(...check(part, value[name], `${at}.${name}`));
    }
  }
  return faults;
}

/** Sends one call and compares the answer with the document. */
async function check(origin: string, document: Json, call: Call): Promise<string> {
  const { path, at = path, method = "GET", headers = {}, body } = call;
  const response = await fetch(origin + at, {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });
  const name = `${method} ${path} ${response.status}`;
  strictEqual(response.status, call.status, `${name}: ${await response.clone().text()}`);
  const documented = follow(
    document,
    "paths",
    path,
    method.toLowerCase(),
    "responses",
    `${call.status}`,
  );
  ok(documented !== undefined, `${name} is not documented`);
  for (const header of Object.keys(follow(documented, "headers") ?? {})) {
    // A last page has no link.
    if (header !== "Link") ok(response.headers.has(header), `${name} has no ${header}`);
  }
  const mediaTypes = Object.keys(follow(documented, "content") ?? {});
  const mediaType = response.headers.get("content-type")?.split(";")[0];
  deepStrictEqual(mediaType === undefined ? [] : [mediaType], mediaTypes, name);
  const bytes = await response.bytes();
  const schema = mediaType === undefined
    ? undefined
    : follow(documented, "content", mediaType, "schema");
  if (mediaType?.endsWith("json") && schema !== undefined) {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    deepStrictEqual(findFaults(document, schema, value), [], name);
  }
  return name;
}

Deno.test("each route of the harbour answers as its document says, and nothing is untried", async () => {
  await using target = startRestTarget();
  const document: Json = await (await fetch(`${target.url}/openapi.json`)).json();
  const tried = new Set<string>();
  for (const call of CALLS) tried.add(await check(target.url, document, call));
  const documented = Object.entries(follow(document, "paths") ?? {}).flatMap(([path, item]) =>
    Object.entries(isJson(item) ? item : {}).filter(([verb]) => verb !== "parameters").flatMap(
      ([verb, method]) =>
        Object.keys(isJson(method) ? follow(method, "responses") ?? {} : {})
          .map((status) => `${verb.toUpperCase()} ${path} ${status}`),
    )
  );
  documented.splice(documented.indexOf("GET /ships/{shipId} 304"), 1);
  deepStrictEqual([...tried].sort(), documented.sort());
});

Deno.test("ids keep all their digits on the way out and in", async () => {
  await using target = startRestTarget();
  const ship = await fetch(`${target.url}/ships/${AURORA}`);
  match(await ship.text(), new RegExp(`"id":${AURORA},`));
  const neighbour = await fetch(`${target.url}/ships/9007199254740992`);
  strictEqual(neighbour.status, 404);
  await neighbour.body?.cancel();
  const booking = await fetch(`${target.url}/bookings`, {
    method: "POST",
    body: bookingOf(CIRCE, "S1"),
  });
  match(await booking.text(), new RegExp(`"shipId":${CIRCE},`));
  const document = await fetch(`${target.url}/openapi.json`);
  match(await document.text(), new RegExp(`\\b${AURORA}\\b`));
});

const LISTS: readonly [query: string, names: readonly string[]][] = [
  ["pageSize=50", ["Aurora", "Borealis", "Circe"]],
  ["kind=ferry&kind=yacht", ["Aurora", "Circe"]],
  [`ids=${CIRCE},${AURORA}`, ["Aurora", "Circe"]],
  ["length[min]=50&length[max]=100", ["Aurora"]],
  ["length%5Bmin%5D=100", ["Borealis"]],
  ["flag=GR", ["Circe"]],
];

for (const [query, names] of LISTS) {
  Deno.test(`GET /ships?${query} lists ${names.join(", ")}`, async () => {
    await using target = startRestTarget();
    const { items } = await (await fetch(`${target.url}/ships?${query}`)).json();
    deepStrictEqual(items.map(({ name }: { name: string }) => name), names);
  });
}

Deno.test("pages lead to the last by next and by the Link header", async () => {
  await using target = startRestTarget();
  const page = await fetch(`${target.url}/ships?pageSize=2`);
  const { next } = await page.json();
  strictEqual(page.headers.get("link"), `<${next}>; rel="next"`);
  const last = await (await fetch(target.url + next)).json();
  deepStrictEqual([last.page, last.items.length, last.next], [2, 1, null]);
});

Deno.test("an ETag spares the body until the ship changes", async () => {
  await using target = startRestTarget();
  const url = `${target.url}/ships/${AURORA}`;
  const first = await fetch(url);
  await first.body?.cancel();
  const etag = first.headers.get("etag") ?? "";
  const again = await fetch(url, { headers: { "if-none-match": etag } });
  deepStrictEqual([again.status, await again.text()], [304, ""]);
  const headers = { "if-match": etag };
  const changed = await fetch(url, { method: "PATCH", headers, body: '{"flag":"FO"}' });
  strictEqual((await changed.json()).flag, "FO");
  const stale = await fetch(url, { headers: { "if-none-match": etag } });
  strictEqual((await stale.json()).name, "Aurora");
});

Deno.test("the answers that are no JSON are whole, and redirects lead where they should", async () => {
  await using target = startRestTarget();
  const flag = await (await fetch(`${target.url}/harbour/flag`)).bytes();
  deepStrictEqual([...flag.slice(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  match(await (await fetch(`${target.url}/harbour/rules`)).text(), /^1\. .*⚓\n$/s);
  const office = await fetch(`${target.url}/harbour/office`);
  strictEqual((await office.json()).name, "Nordhavn");
  const pilot = await fetch(`${target.url}/harbour/pilot`, { redirect: "manual" });
  const { hostname, port } = new URL(pilot.headers.get("location") ?? "");
  deepStrictEqual([hostname, port], ["localhost", new URL(target.url).port]);
});

Deno.test("an unknown path gets 404 and a wrong verb 405 with the right ones", async () => {
  await using target = startRestTarget();
  const unknown = await fetch(`${target.url}/lighthouse`);
  deepStrictEqual([unknown.status, (await unknown.json()).status], [404, 404]);
  const wrong = await fetch(`${target.url}/bookings/b-1`, { method: "PUT" });
  await wrong.body?.cancel();
  deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "GET, DELETE"]);
});

Deno.test("main.ts needs only the loopback net and prints where it listens", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--allow-net=127.0.0.1",
      import.meta.resolve("./main.ts"),
    ],
    stdout: "piped",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    const line = (await lines.read()).value ?? "";
    const url = /http:\S+openapi\.json/.exec(line)?.[0];
    strictEqual((await (await fetch(url ?? line)).json()).info.title, "Harbour");
  } finally {
    child.kill();
    await lines.cancel();
    await child.status;
  }
});
