/**
 * Full-text search over methods.
 *
 * @module
 */
import MiniSearch from "minisearch";
import type { Message } from "../../model/mod.ts";
import type { AdapterTool } from "../tools/tool.ts";

/** Most levels of fields that are searched. */
const MAX_DEPTH = 3;
/** Words this long may be misspelt. */
const MIN_FUZZY_LENGTH = 5;

/** What is searched of a method, the weightiest first. */
const WEIGHTS = { name: 5, title: 4, path: 3, summary: 3, tags: 2, fields: 1, description: 1 };

/** Tools by the words of their methods. */
export class MethodIndex {
  readonly #search: MiniSearch;

  constructor(tools: Iterable<AdapterTool>) {
    this.#search = new MiniSearch({
      fields: Object.keys(WEIGHTS),
      tokenize: wordsOf,
      searchOptions: {
        boost: WEIGHTS,
        prefix: true,
        fuzzy: (word) => word.length >= MIN_FUZZY_LENGTH ? 0.2 : false,
      },
    });
    this.#search.addAll([...tools].map(documentOf));
  }

  /** Names of tools that have any of the words, the best first. */
  find(query: string): string[] {
    return this.#search.search(query).map(({ id }) => String(id));
  }
}

function documentOf({ description: { name, title }, found }: AdapterTool) {
  const { service, method } = found;
  return {
    id: name,
    name: `${service.name} ${method.name}`,
    title,
    path: `${method.httpMethod ?? ""} ${method.httpPath ?? ""}`,
    summary: method.summary ?? "",
    tags: (method.tags ?? []).join(" "),
    fields: [...fieldNames(method.inputType, 0), ...fieldNames(method.outputType, 0)].join(" "),
    description: method.description ?? "",
  };
}

function fieldNames({ fields }: Message, depth: number): string[] {
  return fields.flatMap(({ name, messageType }) =>
    messageType === undefined || depth >= MAX_DEPTH
      ? [name]
      : [name, ...fieldNames(messageType, depth + 1)]
  );
}

/** The words of a text, those within names too: `listPetsByTag`, `list_pets`. */
function wordsOf(text: string): string[] {
  return text.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ")
    .split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
