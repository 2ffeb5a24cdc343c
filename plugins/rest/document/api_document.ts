/**
 * An OpenAPI 3.1 document in memory, read piece by piece.
 *
 * @module
 */
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { isObject, type JsonObject, textOf } from "./json.ts";
import { listMethods, type MethodEntry } from "../method/methods.ts";
import { References } from "./references.ts";
import { Shapes } from "./shapes.ts";

/** A document and the views of it that are worth keeping. */
export class ApiDocument {
  /** Where it was read, after redirects. */
  readonly url: string;
  readonly root: JsonObject;
  readonly references: References;
  readonly shapes: Shapes;
  #methods: readonly MethodEntry[] | undefined;

  constructor(root: JsonObject, url: string) {
    this.root = root;
    this.url = url;
    this.references = new References(root);
    this.shapes = new Shapes(this.references);
  }

  get title(): string {
    return this.#info("title");
  }

  get version(): string {
    return this.#info("version");
  }

  /** All methods in the document's order. */
  get methods(): readonly MethodEntry[] {
    return this.#methods ??= listMethods(this.root, this.references);
  }

  #info(name: string): string {
    const info = this.root["info"];
    return cleanLine((isObject(info) ? textOf(info[name]) : undefined) ?? "", 256);
  }
}
