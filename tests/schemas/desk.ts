/**
 * A protocol whose targets do not describe themselves: its services come from schema files, of which
 * each line is `service NAME` or `import FILE`. It imports no other test, for its worker may read
 * this folder only.
 *
 * @module
 */
import { BowireError } from "../../lib/errors/mod.ts";
import type { Message, Service } from "../../lib/model/mod.ts";
import type { CallContext, Plugin, Protocol, SchemaRequest } from "../../lib/protocol/mod.ts";

const manifest = {
  id: "desk",
  name: "Desk",
  description: "Speaks desk.",
  hints: ["desk", "lamp"],
  schemaFiles: [".desk", ".deskset", ".both"],
  claims: () => "possible" as const,
};

const desk: Protocol = {
  manifest,
  async readSchema({ files, roots }, context) {
    const services: string[] = [];
    const remarks: string[] = [];
    const read = async (path: string): Promise<void> => {
      const { bytes } = await context.readFile(path);
      for (
        const line of new TextDecoder().decode(bytes).split("\n").filter((text) => text !== "")
      ) {
        const [word, name = ""] = line.split(" ");
        if (word === "service") services.push(name);
        else if (word === "import") await readImport(name);
        else throw new BowireError("bad_document", `cannot read "${path}": "${word}" is no word`);
      }
    };
    const readImport = async (name: string) => {
      for (const root of roots) {
        if (await read(`${root}/${name}`).then(() => true, () => false)) return;
      }
      remarks.push(`"${name}" was not found`);
    };
    for (const path of await expand(files, context)) await read(path);
    return { bytes: new TextEncoder().encode(JSON.stringify(services)), services, remarks };
  },
  async discover(_request, context) {
    const services = (await servicesOf(context)).map(serviceOf);
    return { services, diagnostics: [] };
  },
  describe: ({ service, method }) =>
    Promise.resolve({
      input: `{"title":"input of ${service}/${method}","maximum":9007199254740993}`,
      output: '{"title":"output"}',
      sample: '{"on":true}',
      definition: { language: "desk", text: `service ${service}\n  common\n` },
    }),
  async invoke({ target: { url }, metadata }, context) {
    const response = JSON.stringify({ url, metadata, services: await servicesOf(context) });
    return { status: "OK", ok: true, retryable: false, durationMs: 0, response, metadata: {} };
  },
};

async function expand(files: SchemaRequest["files"], context: CallContext): Promise<string[]> {
  const paths = await Promise.all(files.map(async (path) => {
    if (/\.\w+$/.test(path)) return [path];
    const below = await context.listFiles(path);
    return below.filter((name) => name.endsWith(".desk")).map((name) => `${path}/${name}`);
  }));
  return paths.flat();
}

async function servicesOf(context: CallContext): Promise<string[]> {
  const names: string[] = [];
  for (const id of context.schemas) {
    names.push(...JSON.parse(new TextDecoder().decode(await context.loadSchema(id))));
  }
  return names;
}

function serviceOf(name: string): Service {
  const message: Message = { name: "Any", fullName: "Any", fields: [] };
  const methods = ["sit", "stand"].map((method) => ({
    name: method,
    fullName: `${name}/${method}`,
    methodType: "Unary" as const,
    clientStreaming: false,
    serverStreaming: false,
    inputType: message,
    outputType: message,
    deprecated: false,
  }));
  return { name, package: "", methods, source: "desk" };
}

/** A protocol that finds nothing and reads nothing, whatever its manifest says. */
function idleOf(id: string, schemaFiles: readonly string[]): Plugin {
  const { discover: _discover, readSchema: _readSchema, ...rest } = desk;
  const own = { ...manifest, id, hints: [id], schemaFiles };
  const discover = () => Promise.resolve({ services: [], diagnostics: [] });
  return { manifest: own, load: () => Promise.resolve({ ...rest, manifest: own, discover }) };
}

/** Desk, one more whose manifest has schema files, and one whose manifest has none. */
export const plugins: readonly Plugin[] = [
  { manifest, load: () => Promise.resolve(desk) },
  idleOf("shelf", [".shelf", ".both"]),
  idleOf("plain", []),
];
