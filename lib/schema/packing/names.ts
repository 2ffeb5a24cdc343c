/**
 * Names of definitions: what the document calls them, spelt so that a reference needs no escapes.
 *
 * @module
 */

/** Longest name that is taken over, in UTF-16 units. */
const MAX_LENGTH = 100;

/** Gives out names, each once. */
export class DefinitionNames {
  readonly #taken = new Set<string>();
  /** What is added to a name that is taken. */
  readonly #next = new Map<string, number>();

  /** A name of `[A-Za-z0-9._-]` that no other definition has. */
  take(title: string | undefined): string {
    const clean = (title ?? "").slice(0, MAX_LENGTH).replace(/[^A-Za-z0-9._-]+/g, "_");
    const base = /[A-Za-z0-9]/.test(clean) && clean !== "__proto__" ? clean : "schema";
    let [name, next] = [base, this.#next.get(base) ?? 2];
    while (this.#taken.has(name)) name = `${base}_${next++}`;
    this.#next.set(base, next);
    this.#taken.add(name);
    return name;
  }
}
