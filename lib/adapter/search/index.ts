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
/** Words this long may be misspelt, and may be the beginning of longer ones. */
const [MIN_FUZZY_LENGTH, MIN_PREFIX_LENGTH] = [5, 3];

/** Words that say nothing about a method. */
const STOP_WORDS = new Set(
  "a an and are as at be by for from i in is it of on or that the this to what with".split(
    " ",
  ),
);

/** What is searched of a method, the weightiest first. */
const WEIGHTS = { name: 5, title: 4, path: 3, summary: 3, tags: 2, fields: 1, description: 1 };

/** What a search knows of a tool. */
export type SearchedTool = Pick<AdapterTool, "name" | "title" | "found">;

/** Tools by the words of their methods. */
export class MethodIndex {
  readonly #search: MiniSearch;
  /** The words of all that a method goes by. */
  readonly #heads = new Map<string, readonly ReadonlySet<string>[]>();
  /** All words that stand somewhere. */
  readonly #known = new Set<string>();

  constructor(tools: Iterable<SearchedTool>) {
    const documents = [...tools].map(documentOf);
    this.#search = new MiniSearch({
      fields: Object.keys(WEIGHTS),
      tokenize: (text) => {
        const words = wordsOf(text);
        for (const word of words) this.#known.add(word);
        return words;
      },
      processTerm: (word) => word,
      searchOptions: {
        boost: WEIGHTS,
        tokenize: wordsOf,
        prefix: (word) => word.length >= MIN_PREFIX_LENGTH,
        // A word that stands somewhere is no other one misspelt.
        fuzzy: (word) => word.length >= MIN_FUZZY_LENGTH && !this.#known.has(word) ? 0.2 : false,
      },
    });
    this.#search.addAll(documents);
    for (const { id, name, method, path, summary } of documents) {
      this.#heads.set(id, [name, method, path, summary].map((text) => new Set(wordsOf(text))));
    }
  }

  /** Names of tools that have any of the words, the best first. */
  find(query: string): string[] {
    const words = new Set(wordsOf(query));
    return this.#search.search(query)
      .map(({ id, score }) => ({
        id: String(id),
        score: score * this.#closeness(String(id), words),
      }))
      .sort((a, b) => b.score - a.score)
      .map(({ id }) => id);
  }

  /** From 1 to 32: how near the words come to being all of a name, a path or a summary. */
  #closeness(id: string, words: ReadonlySet<string>): number {
    const shares = (this.#heads.get(id) ?? []).map((head) =>
      2 * words.intersection(head).size / Math.max(1, words.size + head.size)
    );
    return 2 ** (5 * Math.max(0, ...shares));
  }
}

function documentOf({ name, title, found }: SearchedTool) {
  const { service, method } = found;
  return {
    id: name,
    name: `${service.name} ${method.name}`,
    method: method.name,
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

/** The words of a text, those within names too: `listPetsByTag`, `list_pets`; in the singular. */
function wordsOf(text: string): string[] {
  return text.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").toLowerCase()
    .split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "" && !STOP_WORDS.has(word)).map(
      singularOf,
    );
}

/** About that: whatever it makes of a word, it makes the same of it everywhere. */
function singularOf(word: string): string {
  if (word.length < 4) return word;
  return word.replace(/ies$/, "y").replace(/(?<=x|ch|sh|ss)es$|(?<![su])s$/, "");
}
