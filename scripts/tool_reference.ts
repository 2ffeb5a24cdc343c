/**
 * Writes TOOLS.md and tests/golden/tools.json from the live list of tools; with `--check`, fails
 * when they differ from it, or when the list is larger than clients put up with.
 *
 * Run: deno run --allow-read=. --allow-write=TOOLS.md,tests/golden scripts/tool_reference.ts [--check]
 *
 * @module
 */
import { tools } from "../lib/server/mod.ts";

/** Largest `tools/list` of the full server, in bytes of JSON. */
const MAX_LIST_BYTES = 24 * 1024;

const descriptions = tools.map(({ description }) => description);
const outputs: Readonly<Record<string, string>> = {
  "TOOLS.md": renderPage(),
  "tests/golden/tools.json": `${JSON.stringify(descriptions, null, 2)}\n`,
};

const size = new TextEncoder().encode(JSON.stringify({ tools: descriptions })).byteLength;
if (size > MAX_LIST_BYTES) fail(`the tool list has ${size} bytes, more than ${MAX_LIST_BYTES}`);

for (const [path, text] of Object.entries(outputs)) {
  if (!Deno.args.includes("--check")) await Deno.writeTextFile(path, text);
  else if (await Deno.readTextFile(path) !== text) {
    fail(`${path} differs from the live list; run: deno task tools`);
  }
}
report(`${tools.length} tools, ${size} of ${MAX_LIST_BYTES} bytes`);

function renderPage(): string {
  const sections = tools.map(({ description, access }) => {
    const { name, title, inputSchema, annotations } = description;
    const hints = Object.entries(annotations).filter(([, value]) => value).map(([hint]) => hint);
    return [
      `## ${name}`,
      `**${title}.** ${description.description}`,
      `Access: ${access}${hints.length === 0 ? "" : ` (${hints.join(", ")})`}.`,
      renderArguments(inputSchema.properties ?? {}, inputSchema.required ?? []),
    ].join("\n\n");
  });
  return [
    "# Tools",
    "What Bowire offers an agent. This page is generated from the code (`deno task tools`).",
    "`read` tools only look, `call` tools call an API, `change` tools change something of Bowire's own and " +
    "need the user's agreement. Names are accepted with dots or with underscores.",
    ...sections,
  ].join("\n\n") + "\n";
}

function renderArguments(
  properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  required: readonly string[],
): string {
  const rows = Object.entries(properties).map(([name, { type, description = "" }]) =>
    `| \`${name}\` | ${type ?? "any"} | ${required.includes(name) ? "yes" : ""} | ${description} |`
  );
  if (rows.length === 0) return "No arguments.";
  return ["| argument | type | required | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

function report(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}

function fail(reason: string): never {
  report(reason);
  Deno.exit(1);
}
