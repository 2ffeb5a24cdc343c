import { strictEqual, throws } from "node:assert/strict";
import { BowireError } from "../../lib/errors/mod.ts";
import { parseAttachEndpoint } from "../../lib/forwarder/mod.ts";

for (
  const [address, url] of [
    ["localhost:5081", "http://localhost:5081/bowire/mcp"],
    [" ci-runner:80 ", "http://ci-runner/bowire/mcp"],
    ["10.0.0.7:5198", "http://10.0.0.7:5198/bowire/mcp"],
    ["[::1]:5081", "http://[::1]:5081/bowire/mcp"],
    ["http://localhost:5081/mcp", "http://localhost:5081/mcp"],
    ["HTTPS://Example.org/agents/mcp?key=1", "https://example.org/agents/mcp?key=1"],
    ["http://localhost:5081", "http://localhost:5081/"],
  ] as const
) {
  Deno.test(`--attach "${address}" is ${url}`, () => {
    strictEqual(parseAttachEndpoint(address).href, url);
  });
}

for (
  const [address, reason] of [
    ["", "it is empty"],
    ["  ", "it is empty"],
    ["localhost", "neither host:port nor an http or https URL"],
    ["localhost/mcp", "neither host:port nor an http or https URL"],
    ["user@localhost:5081", "neither host:port nor an http or https URL"],
    ["localhost:0", "a port is a number from 1 to 65535"],
    ["localhost:65536", "a port is a number from 1 to 65535"],
    ["localhost:5081/mcp", "neither host:port nor an http or https URL"],
    ["ws://localhost:5081/mcp", "MCP is not spoken over ws"],
    ["file:///etc/passwd", "MCP is not spoken over file"],
    ["http://me:canary@localhost:5081/mcp", "it carries a user name or password"],
    ["http://", "it has no scheme"],
    ["mcp@http://localhost/mcp", "neither host:port nor an http or https URL"],
  ] as const
) {
  Deno.test(`--attach "${address}" is refused with the reason`, () => {
    throws(() => parseAttachEndpoint(address), (error) => {
      strictEqual(error instanceof BowireError && error.code, "usage");
      const text = String(error);
      return text.includes(reason) && !text.includes("canary");
    });
  });
}
