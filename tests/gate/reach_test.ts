import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { Allowlist } from "../../lib/gate/mod.ts";
import { refusalOf } from "../fakes/rooms.ts";

function listOf(entries: readonly string[], allowArbitraryUrls = false): Allowlist {
  const list = new Allowlist({ allowArbitraryUrls });
  for (const entry of entries) list.permit(entry, "flag");
  return list;
}

/** Entries (with `*` for every URL), the URL dialled, the address it leads to, and the verdict. */
const VERDICTS: readonly (readonly [
  entries: readonly string[],
  url: string,
  address: string,
  verdict: "passes" | "is refused",
])[] = [
  // Public addresses are nobody's secret.
  [["http://api.test"], "http://api.test", "93.184.216.34", "passes"],
  [["http://api.test"], "http://api.test", "2606:4700::1111", "passes"],
  [["*"], "http://api.test", "93.184.216.34", "passes"],
  // An entry for the host opens private and loopback addresses, in whatever spelling.
  [["http://api.test"], "http://api.test", "10.0.0.1", "passes"],
  [["http://api.test"], "http://api.test", "100.64.0.1", "passes"],
  [["http://api.test"], "http://api.test", "fd00::1", "passes"],
  [["http://api.test"], "http://api.test", "127.0.0.1", "passes"],
  [["http://api.test"], "http://api.test", "::1", "passes"],
  [["http://api.test"], "http://api.test", "::ffff:127.0.0.1", "passes"],
  [["http://localhost:8080"], "http://localhost:8080", "127.0.0.1", "passes"],
  [["http://10.0.0.1"], "http://10.0.0.1", "10.0.0.1", "passes"],
  // It does not open special ones.
  [["http://api.test"], "http://api.test", "169.254.169.254", "is refused"],
  [["http://api.test"], "http://api.test", "::ffff:169.254.169.254", "is refused"],
  [["http://api.test"], "http://api.test", "64:ff9b::a9fe:a9fe", "is refused"],
  [["http://api.test"], "http://api.test", "fe80::1%eth0", "is refused"],
  [["http://api.test"], "http://api.test", "224.0.0.1", "is refused"],
  [["http://api.test"], "http://api.test", "ff02::1", "is refused"],
  [["http://api.test"], "http://api.test", "0.0.0.0", "is refused"],
  [["http://api.test"], "http://api.test", "::", "is refused"],
  [["http://api.test"], "http://api.test", "255.255.255.255", "is refused"],
  [["http://api.test"], "http://api.test", "no address", "is refused"],
  // An entry for the address does, at any port and in any spelling.
  [["http://api.test", "http://169.254.169.254"], "http://api.test", "169.254.169.254", "passes"],
  [["http://api.test", "ws://2852039166:9"], "http://api.test", "169.254.169.254", "passes"],
  [["http://api.test", "http://169.254.1.1"], "http://api.test", "169.254.1.2", "is refused"],
  [["http://169.254.1.1"], "http://169.254.1.1", "169.254.1.1", "passes"],
  [["http://api.test", "http://[fe80::1]"], "http://api.test", "fe80::1%eth0", "passes"],
  [["http://0.0.0.0:9"], "http://0.0.0.0:9", "127.0.0.1", "passes"],
  // With every URL admitted, a name does not lead where nobody named.
  [["*"], "http://api.test", "10.0.0.1", "is refused"],
  [["*"], "http://api.test", "127.0.0.1", "is refused"],
  [["*"], "http://api.test", "::1", "is refused"],
  [["*"], "http://api.test", "fc00::1", "is refused"],
  [["*"], "http://api.test", "169.254.169.254", "is refused"],
  [["*"], "http://10.0.0.1.api.test", "10.0.0.1", "is refused"],
  [["*"], "http://notlocalhost", "127.0.0.1", "is refused"],
  [["*"], "http://localhost.api.test", "127.0.0.1", "is refused"],
  [["*"], "http://10.0.0.1", "10.0.0.1", "passes"],
  [["*"], "http://10.0.0.1", "10.0.0.2", "is refused"],
  [["*"], "http://[::ffff:10.0.0.1]", "10.0.0.1", "passes"],
  [["*"], "http://[fd00::1]", "fd00::1", "passes"],
  [["*"], "http://127.0.0.1", "127.0.0.1", "passes"],
  [["*"], "http://localhost", "127.0.0.1", "passes"],
  [["*"], "http://localhost", "::1", "passes"],
  [["*"], "http://localhost", "10.0.0.1", "is refused"],
  [["*"], "http://app.localhost:8080", "127.0.0.1", "passes"],
  [["*", "http://api.test"], "http://api.test", "10.0.0.1", "passes"],
  [["*", "http://api.test:81"], "https://api.test:82", "10.0.0.1", "passes"],
  [["*", "http://10.0.0.1"], "http://api.test", "10.0.0.1", "passes"],
  [["*", "http://other.test"], "http://api.test", "10.0.0.1", "is refused"],
  [["*", "http://api.test"], "http://api.test", "169.254.169.254", "is refused"],
  [["*", "http://169.254.169.254"], "http://169.254.169.254", "169.254.169.254", "passes"],
];

for (const [entries, url, address, verdict] of VERDICTS) {
  Deno.test(`Allowlist.checkAddress [${entries}]: ${url} at ${address} ${verdict}`, () => {
    const isArbitrary = entries.includes("*");
    const list = listOf(entries.filter((entry) => entry !== "*"), isArbitrary);
    const target = list.admit(url);
    if (verdict === "passes") list.checkAddress(target, address);
    else strictEqual(refusalOf(() => list.checkAddress(target, address)).code, "url_not_allowed");
  });
}

const METADATA = [
  "http://169.254.169.254/latest/meta-data",
  "http://2852039166/",
  "http://[::ffff:169.254.169.254]/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "grpc://169.254.169.254:80",
];

for (const url of METADATA) {
  Deno.test(`Allowlist.admit keeps ${url} closed when every URL is admitted`, () => {
    const { code, hint } = refusalOf(() => listOf([], true).admit(url));
    strictEqual(code, "url_not_allowed");
    match(hint ?? "", /start with --allow-url (http|grpc):\/\/169\.254\.169\.254:80$/);
    listOf(["http://169.254.169.254"], true).admit(url);
  });
}

Deno.test("Allowlist.admit keeps the other special addresses closed, too", () => {
  for (
    const host of ["0.0.0.0", "0", "[::]", "[fe80::1]", "224.0.0.1", "[ff02::1]", "4294967295"]
  ) {
    strictEqual(refusalOf(() => listOf([], true).admit(`http://${host}`)).code, "url_not_allowed");
    listOf([`http://${host}`], true).admit(`http://${host}`);
  }
});

Deno.test("Allowlist.checkAddress says where a special address is and how to open it", () => {
  const list = listOf(["http://api.test:8080"]);
  const target = list.admit("http://api.test:8080/x?token=hunter2");
  const refusal = refusalOf(() => list.checkAddress(target, "fe80::1%eth0"));
  strictEqual(
    refusal.message,
    'cannot reach "http://api.test:8080/x?token=***": it leads to fe80::1, which is link-local, ' +
      "and no entry of the allowlist names that address itself",
  );
  strictEqual(refusal.hint, "ask the user, then start with --allow-url http://[fe80::1]:8080");
  deepStrictEqual(refusal.details, {
    url: "http://api.test:8080/x?token=***",
    address: "fe80::1",
  });
});

Deno.test("Allowlist.checkAddress says how to open a name that leads to a private address", () => {
  const list = listOf([], true);
  const target = list.admit("https://evil.test/x?token=hunter2");
  const refusal = refusalOf(() => list.checkAddress(target, "::ffff:192.168.0.1"));
  strictEqual(
    refusal.message,
    'cannot reach "https://evil.test/x?token=***": it leads to 192.168.0.1, which is private, ' +
      "and no entry of the allowlist names that address or the host",
  );
  strictEqual(refusal.hint, "ask the user, then start with --allow-url https://evil.test:443");
  doesNotMatch(JSON.stringify(refusal.details), /hunter2/);
});
