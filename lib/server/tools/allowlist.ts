/**
 * `bowire.allowlist.show` and `bowire.allowlist.permit`.
 *
 * @module
 */
import * as z from "zod";
import { BowireError } from "../../errors/mod.ts";
import { parseAddress, redactUrl } from "../../gate/mod.ts";
import { defineTool } from "../tool.ts";

/** Shows what may be reached. */
export const allowlistShow = defineTool({
  name: "bowire.allowlist.show",
  title: "Show the allowlist",
  description:
    "Show which URLs may be reached, and where each entry comes from. An entry covers everything below its path.",
  access: "read",
  input: z.strictObject({}),
  output: z.object({
    allowArbitraryUrls: z.boolean(),
    loadFromEnvironments: z.boolean(),
    loadFromTypedUrls: z.boolean(),
    requireConfirmationForMutations: z.boolean(),
    urls: z.array(z.string()),
    entries: z.array(z.object({ url: z.string(), source: z.string() })),
    ignored: z.array(z.object({ value: z.string(), source: z.string(), reason: z.string() }))
      .describe("What could not become an entry, and why"),
  }),
  run(host) {
    const { entries, ignored } = host.allowlist;
    return Promise.resolve({
      allowArbitraryUrls: host.options.allowArbitraryUrls,
      loadFromEnvironments: host.options.loadAllowlistFromEnvironments,
      loadFromTypedUrls: host.options.loadAllowlistFromTypedUrls,
      requireConfirmationForMutations: host.options.requireConfirmationForMutations,
      urls: entries.map(({ url }) => redactUrl(url)),
      entries: entries.map(({ url, source }) => ({ url: redactUrl(url), source })),
      ignored: [...ignored],
    });
  },
});

/** Adds a URL to what may be reached. */
export const allowlistPermit = defineTool({
  name: "bowire.allowlist.permit",
  title: "Permit a URL",
  description:
    "Let agents reach a URL and everything below its path, in this run, and in later ones that load the typed URLs. " +
    "A change: the user must agree first.",
  access: "change",
  input: z.strictObject({
    url: z.string().min(1).describe("The URL to permit, as the user typed it"),
  }),
  output: z.object({
    url: z.string(),
    addedToFile: z.boolean().describe("False when the file has it already or cannot be written"),
    addedToMemory: z.boolean(),
    allowlistSize: z.number().int(),
    note: z.string().optional().describe("Why the file was not written, when it should have been"),
  }),
  plan: (host, { url }) =>
    `Let agents reach ${
      redactUrl(canonical(url))
    } and everything below it, from now on (kept in ${host.typedUrls.path})`,
  async run(host, { url }) {
    const { entry, added } = host.allowlist.permit(url, "permit");
    return {
      url: redactUrl(entry.url),
      addedToMemory: added,
      allowlistSize: host.allowlist.entries.length,
      ...await remember(() => host.typedUrls.add(entry.url)),
    };
  },
});

/** The file is for later runs: failing to write it does not undo the permission. */
async function remember(
  add: () => Promise<boolean>,
): Promise<{ addedToFile: boolean; note?: string }> {
  try {
    return { addedToFile: await add() };
  } catch (error) {
    if (!(error instanceof BowireError)) throw error;
    return { addedToFile: false, note: `holds for this run only: ${error.message}` };
  }
}

function canonical(url: string): string {
  return parseAddress(url).url.replace(/[?#].*$/s, "");
}
