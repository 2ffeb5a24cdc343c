/**
 * An OpenAPI 3.1 document in memory, read piece by piece.
 *
 * @module
 */
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { isObject, type JsonObject, textOf } from "./json.ts";
import { listMethods, type MethodEntry, type MethodList } from "../method/methods.ts";
import type { LeftOut } from "../method/operations.ts";
import { type Parts, References } from "./references.ts";
import { Shapes } from "../../../lib/schema/shapes/shapes.ts";

/** A document and the views of it that are worth keeping. */
export class ApiDocument {
  /** Where it lies, after redirects. */
  readonly url: string;
  readonly root: JsonObject;
  readonly references: References;
  readonly shapes: Shapes;
  #list: MethodList | undefined;
  #byName: ReadonlyMap<string, MethodEntry> | undefined;

  constructor(root: JsonObject, url: string, parts: Parts) {
    this.root = root;
    this.url = url;
    this.references = new References(root, url, parts);
    this.shapes = new Shapes((node) => this.references.resolve(node));
  }

  get title(): string {
    return this.#info("title");
  }

  get version(): string {
    return this.#info("version");
  }

  /** All methods in the document's order. */
  get methods(): readonly MethodEntry[] {
    return this.#methodList.methods;
  }

  /** The method that discovery calls so. */
  methodNamed(service: string, name: string): MethodEntry | undefined {
    this.#byName ??= new Map(
      this.methods.map((entry) => [JSON.stringify([entry.service, entry.name]), entry]),
    );
    return this.#byName.get(JSON.stringify([service, name]));
  }

  /** What looks like a method and cannot be called, with the reason. */
  get leftOut(): readonly LeftOut[] {
    return this.#methodList.leftOut;
  }

  get #methodList(): MethodList {
    return this.#list ??= listMethods(this.root, this.references);
  }

  #info(name: string): string {
    const info = this.root["info"];
    return cleanLine((isObject(info) ? textOf(info[name]) : undefined) ?? "", 256);
  }
}
