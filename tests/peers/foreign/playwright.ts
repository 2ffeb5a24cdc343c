/**
 * A visit of Playwright: one call finds the page as the call before left it.
 *
 * @module
 */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { PLAYWRIGHT, playwrightServer } from "../large_mcp_peers.ts";
import { folderOfOwn, openVisit } from "./mcp.ts";
import type { Tour } from "./visit.ts";

const PAGE = `<title>Harbour</title><h1>Ahoy</h1>
<button onclick="this.textContent = 'at sea'">Cast off</button>`;

/** The visit. */
export const playwrightTour: Tour = {
  name: "Playwright",
  needs: Object.values(PLAYWRIGHT),
  packages: ["chromium"],
  async run(tally) {
    await using folder = await folderOfOwn();
    await using server = servePage();
    const expected = { revision: "2025-11-25", tools: 25 };
    await using visit = await openVisit(tally, playwrightServer(folder.path), expected);
    const { call } = visit;
    await call("browser_navigate", { url: server.url }, ({ text }) => {
      match(text, /Page Title: Harbour/);
    });
    let button = "";
    await call("browser_snapshot", {}, ({ text }) => {
      match(text, /heading "Ahoy" \[level=1\]/);
      button = /button "Cast off" \[ref=(\w+)\]/.exec(text)?.[1] ?? "";
      ok(button !== "", text);
    });
    await call("browser_click", { element: "the button", target: button }, ({ isError, text }) => {
      strictEqual(isError, false, text);
    });
    await call("browser_snapshot", {}, ({ text }) => {
      match(text, /button "at sea"/);
    });
    await call("browser_take_screenshot", { type: "png", scale: "css" }, ({ content }) => {
      const [image] = content.filter(({ type }) => type === "image");
      deepStrictEqual([image?.mimeType, atob(image?.data).slice(1, 4)], ["image/png", "PNG"]);
    });
    await call("browser_navigate", { url: "file:///etc/hostname" }, ({ isError, text }) => {
      strictEqual(isError, true);
      match(text, /"file:" protocol is blocked/);
    });
  },
};

function servePage(): AsyncDisposable & { url: string } {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(PAGE, { headers: { "Content-Type": "text/html" } }),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
