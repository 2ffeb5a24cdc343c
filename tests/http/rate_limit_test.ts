import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createDoor, type HttpFaceOptions } from "../../lib/http/mod.ts";
import { networkOf } from "../../lib/http/rate_limit.ts";
import { refusalOf } from "../fakes/rooms.ts";

/** Asks again and again, each time as somebody; tells the statuses. */
async function ask(
  options: HttpFaceOptions,
  ...who: readonly { readonly address: string; readonly token?: string }[]
): Promise<number[]> {
  const door = createDoor({ rateLimit: 2, ...options });
  const statuses = [];
  for (const { address, token } of who) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const request = new Request("http://localhost/mcp", { headers });
    const remoteAddr = { transport: "tcp", hostname: address, port: 1 } as const;
    const response = await door(request, { remoteAddr }, () => new Response(null));
    await response.body?.cancel();
    statuses.push(response.status);
  }
  return statuses;
}

const [A, B] = [{ address: "10.0.0.1" }, { address: "10.0.0.2" }];

Deno.test("a rate limit is that of an address where nobody vouches for a principal", async () => {
  deepStrictEqual(await ask({}, A, A, A, B), [200, 200, 429, 200]);
});

Deno.test("a rate limit is not evaded by other credentials each time", async () => {
  const guesses = ["1", "2", "3"].map((token) => ({ ...A, token }));
  deepStrictEqual(await ask({}, ...guesses), [200, 200, 429]);
  deepStrictEqual(await ask({ token: "right" }, ...guesses), [401, 401, 429]);
});

Deno.test("a rate limit is that of the token, wherever it comes from", async () => {
  const token = "right";
  const asked = [{ ...A, token }, { ...B, token }, { ...A, token }];
  deepStrictEqual(await ask({ token }, ...asked, B), [200, 200, 429, 401]);
});

Deno.test("a rate limit is that of a principal whom the host names", async () => {
  const principal = (request: Request) => request.headers.get("authorization") ?? "";
  const [ann, ben] = [{ ...A, token: "ann" }, { ...A, token: "ben" }];
  deepStrictEqual(await ask({ principal }, ann, ann, ann, ben), [200, 200, 429, 200]);
});

Deno.test("one who asks too often is told when to come again, in the words of JSON-RPC", async () => {
  const door = createDoor({ rateLimit: 1 });
  const send = () =>
    door(new Request("http://localhost/mcp"), undefined, () => new Response("yes"));
  strictEqual(await (await send()).text(), "yes");
  const refused = await send();
  const seconds = Number(refused.headers.get("retry-after"));
  strictEqual(seconds > 0 && seconds <= 60, true);
  match(refused.headers.get("content-type") ?? "", /json/);
  deepStrictEqual(await refused.json(), {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32000, message: "Too many requests: at most 1 a minute are answered" },
  });
});

for (const rateLimit of [0, -1, 1.5, Number.NaN]) {
  Deno.test(`a rate limit of ${rateLimit} is refused`, () => {
    strictEqual(refusalOf(() => createDoor({ rateLimit })).code, "usage");
  });
}

for (
  const [address, network] of [
    ["10.0.0.1", "10.0.0.1"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:db8:0:0:1:2:3:4", "2001:db8:0:0"],
    ["2001:db8::5:6:7:8:9", "2001:db8:0:5"],
    ["::1", "0:0:0:0"],
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["", ""],
  ] as const
) {
  Deno.test(`networkOf ${address} is ${network}`, () => strictEqual(networkOf(address), network));
}
