import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { type IpKind, parseIp } from "../../lib/gate/mod.ts";

const KINDS: readonly (readonly [raw: string, text: string, kind: IpKind])[] = [
  ["8.8.8.8", "8.8.8.8", "public"],
  ["1.1.1.1", "1.1.1.1", "public"],
  ["9.255.255.255", "9.255.255.255", "public"],
  ["10.0.0.0", "10.0.0.0", "private"],
  ["10.255.255.255", "10.255.255.255", "private"],
  ["11.0.0.0", "11.0.0.0", "public"],
  ["100.63.255.255", "100.63.255.255", "public"],
  ["100.64.0.0", "100.64.0.0", "private"],
  ["100.100.100.200", "100.100.100.200", "private"],
  ["100.127.255.255", "100.127.255.255", "private"],
  ["100.128.0.0", "100.128.0.0", "public"],
  ["172.15.255.255", "172.15.255.255", "public"],
  ["172.16.0.0", "172.16.0.0", "private"],
  ["172.31.255.255", "172.31.255.255", "private"],
  ["172.32.0.0", "172.32.0.0", "public"],
  ["192.168.0.1", "192.168.0.1", "private"],
  ["192.169.0.1", "192.169.0.1", "public"],
  ["127.0.0.1", "127.0.0.1", "loopback"],
  ["127.255.255.254", "127.255.255.254", "loopback"],
  ["128.0.0.1", "128.0.0.1", "public"],
  ["169.253.255.255", "169.253.255.255", "public"],
  ["169.254.0.0", "169.254.0.0", "link-local"],
  ["169.254.169.254", "169.254.169.254", "link-local"],
  ["169.255.0.0", "169.255.0.0", "public"],
  ["223.255.255.255", "223.255.255.255", "public"],
  ["224.0.0.1", "224.0.0.1", "multicast"],
  ["239.255.255.255", "239.255.255.255", "multicast"],
  ["255.255.255.254", "255.255.255.254", "public"],
  ["255.255.255.255", "255.255.255.255", "broadcast"],
  ["0.0.0.0", "0.0.0.0", "unspecified"],
  ["0.255.255.255", "0.255.255.255", "unspecified"],
  ["2606:4700:4700::1111", "2606:4700:4700::1111", "public"],
  ["::", "::", "unspecified"],
  ["0:0:0:0:0:0:0:0", "::", "unspecified"],
  ["::1", "::1", "loopback"],
  ["0000:0000:0000:0000:0000:0000:0000:0001", "::1", "loopback"],
  ["fbff::1", "fbff::1", "public"],
  ["fc00::1", "fc00::1", "private"],
  ["fdff:ffff::1", "fdff:ffff::1", "private"],
  ["fe00::1", "fe00::1", "public"],
  ["fe80::1", "fe80::1", "link-local"],
  ["FE80:0::0:1", "fe80::1", "link-local"],
  ["febf:ffff::1", "febf:ffff::1", "link-local"],
  ["fec0::1", "fec0::1", "private"],
  ["feff::1", "feff::1", "private"],
  ["ff02::1", "ff02::1", "multicast"],
  // Zones and brackets, as sockets and URLs have them.
  ["fe80::1%eth0", "fe80::1", "link-local"],
  ["fe80::1%25eth0", "fe80::1", "link-local"],
  ["[fe80::1]", "fe80::1", "link-local"],
  ["[::1%lo]", "::1", "loopback"],
  // Numbers as old resolvers take them.
  ["169.254.169.254.", "169.254.169.254", "link-local"],
  ["2852039166", "169.254.169.254", "link-local"],
  ["0xa9fea9fe", "169.254.169.254", "link-local"],
  ["0xA9.0376.169.254", "169.254.169.254", "link-local"],
  ["169.16689662", "169.254.169.254", "link-local"],
  ["127.1", "127.0.0.1", "loopback"],
  ["0", "0.0.0.0", "unspecified"],
  // IPv4 inside of IPv6.
  ["::ffff:169.254.169.254", "169.254.169.254", "link-local"],
  ["::FFFF:a9fe:a9fe", "169.254.169.254", "link-local"],
  ["[0:0:0:0:0:ffff:a9fe:a9fe]", "169.254.169.254", "link-local"],
  ["::ffff:169.254.169.254%eth0", "169.254.169.254", "link-local"],
  ["::ffff:0.0.0.0", "0.0.0.0", "unspecified"],
  ["::ffff:8.8.8.8", "8.8.8.8", "public"],
  ["::169.254.169.254", "169.254.169.254", "link-local"],
  ["::7f00:1", "127.0.0.1", "loopback"],
  ["::2", "0.0.0.2", "unspecified"],
  ["::ffff:0:a9fe:a9fe", "169.254.169.254", "link-local"],
  ["64:ff9b::a9fe:a9fe", "169.254.169.254", "link-local"],
  ["64:ff9b::10.0.0.1", "10.0.0.1", "private"],
  ["64:ff9b::808:808", "8.8.8.8", "public"],
  ["64:ff9b::", "0.0.0.0", "unspecified"],
  ["64:ff9b:0:1::a9fe:a9fe", "64:ff9b:0:1::a9fe:a9fe", "public"],
  ["2002:a9fe:a9fe::1", "169.254.169.254", "link-local"],
  ["2002:0808:0808::1", "8.8.8.8", "public"],
];

for (const [raw, text, kind] of KINDS) {
  Deno.test(`parseIp takes ${raw} for ${text}, which is ${kind}`, () => {
    deepStrictEqual(parseIp(raw), { text, kind });
  });
}

const NONE = [
  "",
  "example.com",
  "beef.ab",
  "localhost",
  "256.1.1.1",
  "1.2.3.4.5",
  "1.2.3.4/8",
  "1.2.3.4:80",
  "8.8.8.8@169.254.169.254",
  " 8.8.8.8",
  "8.8.8.8\n",
  "..",
  "::1::",
  ":::",
  "1:2",
  "[::1",
  "::ffff:999.1.1.1",
  "[]",
  "%eth0",
  "x",
];

for (const raw of NONE) {
  Deno.test(`parseIp takes ${JSON.stringify(raw)} for no address`, () => {
    strictEqual(parseIp(raw), undefined);
  });
}

Deno.test("parseIp reads its own text back, and IPv4 the same inside of IPv6", () => {
  const v4 = fc.ipV4();
  fc.assert(fc.property(fc.oneof(v4, fc.ipV6()), (raw) => {
    const ip = parseIp(raw);
    ok(ip !== undefined);
    deepStrictEqual(parseIp(ip.text), ip);
  }));
  fc.assert(fc.property(v4, fc.constantFrom("::ffff:", "64:ff9b::"), (raw, carrier) => {
    deepStrictEqual(parseIp(carrier + raw), parseIp(raw));
  }));
});
