import { deepStrictEqual, doesNotMatch, match, ok, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { Allowlist } from "../../lib/gate/mod.ts";
import { refusalOf } from "../fakes/rooms.ts";

function listOf(...urls: string[]): Allowlist {
  const list = new Allowlist();
  for (const url of urls) list.permit(url, "flag");
  return list;
}

function admits(entry: string, url: string): boolean {
  try {
    return listOf(entry).admit(url) !== undefined;
  } catch {
    return false;
  }
}

const ENTRY = "https://api.example.com/v1";

const ADMITTED = [
  "https://api.example.com/v1",
  "https://api.example.com/v1/",
  "https://api.example.com/v1?q=1#x",
  "https://api.example.com/v1/pets/7",
  "https://api.example.com:443/v1/pets",
  "HTTPS://API.EXAMPLE.COM./v1/pets",
  "https://api.example.com/v0/../v1/pets",
  "https://api.example.com/%76%31/pets",
  "https://api.example.com/v1/a..b",
  "https://api.example.com/v1/...",
  "https://api.example.com/v1/..hidden",
  "https://api.example.com\\v1\\pets",
  "rest@https://api.example.com/v1/pets",
];

for (const url of ADMITTED) {
  Deno.test(`C92 Allowlist.admit lets ${url} through`, () => {
    ok(listOf(ENTRY).admit(url).url.startsWith("https://api.example.com/"));
  });
}

const REFUSED = [
  "https://api.example.com.evil.test/v1",
  "https://api.example.comevil.test/v1",
  "https://evil.test/https://api.example.com/v1",
  "https://evil.test/?https://api.example.com/v1",
  "https://evil.test/#https://api.example.com/v1",
  "https://evil.test\\@api.example.com/v1",
  "https://sub.api.example.com/v1",
  "https://example.com/v1",
  "https://api.example.com/",
  "https://api.example.com/v10",
  "https://api.example.com/v",
  "https://api.example.com/V1",
  "https://api.example.com//v1",
  "https://api.example.com/x/v1",
  "https://api.example.com/v1/../admin",
  "https://api.example.com/v1/..%00/admin",
  "https://api.example.com/v1/..%20/admin",
  "https://api.example.com/v1/..%23/admin",
  "https://api.example.com/v1/..%3fx/admin",
  "https://api.example.com/v1/%c0%ae%c0%ae/admin",
  "https://api.example.com/v1/%25252525252525252e%2e/admin",
  "https://api.example.com/v1/%2e%2e/admin",
  "https://api.example.com/v1/.%2E/admin",
  "https://api.example.com/v1/%2e%2e%2fadmin",
  "https://api.example.com/v1/..%2fadmin",
  "https://api.example.com/v1/..%5cadmin",
  "https://api.example.com/v1/%252e%252e%252fadmin",
  "https://api.example.com/v1/%25252e%25252e/admin",
  "https://api.example.com/v1/x%2f..%2f..%2fadmin",
  "https://api.example.com/v1\\..\\admin",
  "https://api.example.com/v1/..;/admin",
  "https://api.example.com/v1%2fpets",
  "http://api.example.com/v1",
  "http://api.example.com:443/v1",
  "wss://api.example.com/v1",
  "https://api.example.com:444/v1",
];

for (const url of REFUSED) {
  Deno.test(`C92 Allowlist.admit refuses ${url}`, () => {
    const refusal = refusalOf(() => listOf(ENTRY).admit(url));
    strictEqual(refusal.code, "url_not_allowed");
  });
}

for (
  const userinfo of ["user", "user:pw", "api.example.com", "api.example.com:443", ":pw", "%00"]
) {
  Deno.test(`C92 Allowlist.admit refuses the userinfo ${userinfo}@`, () => {
    for (const host of ["evil.test", "api.example.com"]) {
      const url = `https://${userinfo}@${host}/v1`;
      throws(() => listOf(ENTRY).admit(url), { code: "invalid_url" }, url);
    }
  });
}

Deno.test("C93 Allowlist.admit takes every spelling of an IPv4 address for the same host", () => {
  const spellings = [
    "127.0.0.1",
    "127.0.0.1.",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "[::ffff:7f00:1]",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:FFFF:7F00:1]",
  ];
  for (const entry of spellings) {
    for (const spelling of spellings) {
      const target = listOf(`http://${entry}:8080`).admit(`http://${spelling}:8080/x`);
      strictEqual(target.url, "http://127.0.0.1:8080/x");
    }
  }
});

Deno.test("C93 Allowlist.admit tells other addresses and ports from an allowed one", () => {
  const list = listOf("http://127.0.0.1:8080");
  for (
    const host of ["127.0.0.1:8081", "2130706434:8080", "127.2:8080", "[::1]:8080", "127.0.0.1"]
  ) {
    throws(() => list.admit(`http://${host}/`), { code: "url_not_allowed" }, host);
  }
  throws(() => list.admit("http://localhost:8080/"), { code: "url_not_allowed" });
});

Deno.test("Allowlist.admit takes an IDN host in either spelling", () => {
  ok(admits("http://bücher.example", "http://xn--bcher-kva.example/x"));
  ok(admits("http://xn--bcher-kva.example", "http://BÜCHER.example/x"));
  ok(!admits("http://bücher.example", "http://bucher.example/x"));
});

Deno.test("Allowlist.admit tells schemes apart", () => {
  ok(admits("ws://h:9", "ws://h:9/s"));
  ok(!admits("ws://h:9", "http://h:9/s"));
  ok(!admits("http://h:9", "ws://h:9/s"));
  ok(admits("grpc://Host:80", "grpc@GRPC://host:80"));
  ok(!admits("grpc://host:21", "grpc://host"));
  ok(admits("mqtt://h", "mqtt://h:1883/topic"));
});

Deno.test("Allowlist.admit lets everything below an entry without a path through", () => {
  ok(admits("http://h", "http://h/a/%2e%2e%2fb"));
  ok(admits("http://h/?only=1#x", "http://h/other"));
});

Deno.test("Allowlist.admit reads an entry without its hint, query and fragment", () => {
  const list = listOf("rest@http://h/v1?key=1#top");
  deepStrictEqual(list.entries, [{ url: "http://h/v1", source: "flag" }]);
  strictEqual(list.admit("http://h/v1/x").hint, undefined);
});

Deno.test("Allowlist.admit gives a Target its canonical parts", () => {
  const target = listOf("https://h/v1").admit("REST@HTTPS://H./v1/x?q=1");
  deepStrictEqual(
    [target.url, target.hint, target.scheme, target.host, target.port, target.origin],
    ["https://h/v1/x?q=1", "rest", "https", "h", 443, "https://h:443"],
  );
});

Deno.test("Allowlist.admit refuses everything while the list is empty", () => {
  throws(() => new Allowlist().admit("http://127.0.0.1/"), { code: "url_not_allowed" });
});

Deno.test("Allowlist.admit lets any sound URL through with allowArbitraryUrls", () => {
  const list = new Allowlist({ allowArbitraryUrls: true });
  ok(list.allowsArbitraryUrls);
  strictEqual(list.admit("http://ANY.example").url, "http://any.example/");
  throws(() => list.admit("http://user:pw@any.example"), { code: "invalid_url" });
});

Deno.test("Allowlist.admit says in a refusal what, through what, and what to do", () => {
  const refusal = refusalOf(() => listOf(ENTRY).admit("http://other:81/x", "redirect hop 2"));
  match(refusal.message, /^cannot reach "http:\/\/other:81\/x" \(redirect hop 2\): /);
  match(refusal.hint ?? "", /--allow-url http:\/\/other:81;/);
  match(refusal.hint ?? "", /bowire\.allowlist\.permit/);
  deepStrictEqual(refusal.details, { url: "http://other:81/x", via: "redirect hop 2" });
  strictEqual(refusal.retryable, false);
});

Deno.test("Allowlist.admit keeps a secret in the query out of the refusal", () => {
  const { message, hint, details } = refusalOf(() =>
    listOf(ENTRY).admit("http://other/x?access_token=hunter2&q=1")
  );
  doesNotMatch(JSON.stringify([message, hint, details]), /hunter2/);
  match(message, /q=1/);
});

Deno.test("Allowlist.permit adds a place once, under its first source", () => {
  const list = new Allowlist();
  const first = list.permit("HTTP://H:80/v1?q=1", "flag");
  const again = list.permit("http://h./v1#x", "permit");
  deepStrictEqual([first.added, again.added], [true, false]);
  deepStrictEqual(again.entry, { url: "http://h/v1", source: "flag" });
  strictEqual(list.entries.length, 1);
});

Deno.test("Allowlist.permit refuses what is no URL and adds nothing", () => {
  const list = new Allowlist();
  throws(() => list.permit("example.com", "permit"), { code: "invalid_url" });
  deepStrictEqual(list.entries, []);
});

Deno.test("Allowlist.seed notes what it cannot parse, redacted, and takes the rest", () => {
  const list = new Allowlist();
  list.seed(["http://a", "b.example?token=hunter2", "http://u:hunter2@c", "http://d"], "typed");
  deepStrictEqual(list.entries.map(({ url }) => url), ["http://a/", "http://d/"]);
  deepStrictEqual(list.ignored.map(({ source }) => source), ["typed", "typed"]);
  strictEqual(list.ignored[0]?.value, "b.example?token=***");
  match(list.ignored[0]?.reason ?? "", /no scheme/);
  doesNotMatch(JSON.stringify(list.ignored), /hunter2/);
});

const segment = fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom(..."aB0-_~ é/?#") });

Deno.test("Allowlist.admit goes by whole segments for any two paths", () => {
  const write = (path: readonly string[]) => `http://h/${path.map(encodeURIComponent).join("/")}`;
  const path = fc.array(segment, { minLength: 1, maxLength: 4 });
  let admitted = 0;
  fc.assert(
    fc.property(path, path, fc.boolean(), (parent, other, isBelow) => {
      const child = isBelow ? [...parent, ...other] : other;
      const expected = parent.every((part, index) => part === child[index]);
      if (expected) admitted++;
      strictEqual(admits(write(parent), write(child)), expected);
      if (expected) ok(!admits(`${write(parent)}x`, write(child)));
    }),
    { numRuns: 1000 },
  );
  ok(admitted > 300, `only ${admitted} pairs were admitted`);
});

Deno.test("Allowlist.admit never lets a URL with userinfo through", () => {
  const part = fc.string({ minLength: 1, unit: fc.constantFrom(..."abc.:@%20-_~!$&'()*+,;=") });
  fc.assert(fc.property(part, (userinfo) => {
    fc.pre(!/^:*$/.test(userinfo));
    ok(!admits("http://h", `http://${userinfo}@h/`), userinfo);
    ok(!admits("http://h", `http://h@${userinfo}@h/`), userinfo);
  }));
});
