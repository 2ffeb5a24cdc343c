/**
 * Name-and-value pairs of a query, a form or a cookie header, taken out one parameter after the
 * other, so that what nobody asked for is left.
 *
 * @module
 */
import { isRawObject } from "./raw.ts";
import { isReadingOf, isUnwritten, type Reading, readText } from "./styles.ts";
import { isJsonOf, isTextOf } from "./values.ts";

/** How pairs are written. */
export interface PairSyntax {
  readonly separator: string;
  decode(text: string): string;
}

/** A parameter and the value that should be there. */
export interface Expected extends Omit<Reading, "decode" | "like"> {
  readonly value: unknown;
  readonly isJson: boolean;
}

/** Pairs that were not taken yet. */
export class Pairs {
  #left: { readonly name: string; readonly text: string }[];
  readonly #decode: (text: string) => string;

  constructor(text: string, { separator, decode }: PairSyntax) {
    this.#decode = decode;
    this.#left = text.split(separator).filter((pair) => pair !== "").map((pair) => {
      const at = pair.indexOf("=");
      return at < 0
        ? { name: decode(pair), text: "" }
        : { name: decode(pair.slice(0, at)), text: pair.slice(at + 1) };
    });
  }

  /** Names of the pairs that nobody took. */
  get left(): readonly string[] {
    return this.#left.map(({ name }) => name);
  }

  /** Takes out a parameter's pairs; true when they stand for its value. */
  take(expected: Expected): boolean {
    const { name, value, isJson, style, explode } = expected;
    if (isJson) return this.#isOnly(name, (text) => isJsonOf(this.#decode(text), value));
    if (style === "deepObject") return this.#takeDeep(name, value);
    if (isUnwritten(value)) return this.#takeNamed(name).length === 0;
    if (explode && Array.isArray(value)) {
      return isReadingOf(this.#takeNamed(name).map(this.#decode), value);
    }
    if (explode && isRawObject(value)) {
      return Object.entries(value).every(([key, member]) =>
        member === null ||
        this.#isOnly(key, (text) => isTextOf(this.#decode(text), member))
      );
    }
    return this.#isOnly(name, (text) => {
      const reading = { ...expected, like: value, decode: this.#decode };
      return isReadingOf(readText(text, reading), value);
    });
  }

  /** Takes out a name's pairs unread. */
  drop(name: string): void {
    this.#takeNamed(name);
  }

  #takeNamed(name: string): string[] {
    return this.#takeWhere((other) => other === name).map(({ text }) => text);
  }

  #takeWhere(isTaken: (name: string) => boolean): { name: string; text: string }[] {
    const { yes = [], no = [] } = Object.groupBy(
      this.#left,
      ({ name }) => isTaken(name) ? "yes" : "no",
    );
    this.#left = no;
    return yes;
  }

  #isOnly(name: string, isRight: (text: string) => boolean): boolean {
    const [text, ...others] = this.#takeNamed(name);
    return text !== undefined && others.length === 0 && isRight(text);
  }

  /** `name[a][b]=1`; a list repeats its name, or counts its items as in `name[0]=1`. */
  #takeDeep(name: string, value: unknown): boolean {
    const taken = this.#takeWhere((other) => other === name || other.startsWith(`${name}[`));
    return [false, true].some((isCounted) => {
      const leaves = leavesOf(name, value, isCounted);
      const found = Map.groupBy(taken, (pair) => pair.name);
      return leaves.size === found.size &&
        leaves.entries().every(([key, values]) =>
          isReadingOf(found.get(key)?.map(({ text }) => this.#decode(text)) ?? [], values)
        );
    });
  }
}

/** The leaves of a value by their name in brackets. */
function leavesOf(name: string, value: unknown, isCounted: boolean): Map<string, unknown[]> {
  if (value === null) return new Map();
  if (!Array.isArray(value) && !isRawObject(value)) return new Map([[name, [value]]]);
  const leaves = new Map<string, unknown[]>();
  for (const [key, member] of Object.entries(value)) {
    const below = Array.isArray(value) && !isCounted ? name : `${name}[${key}]`;
    for (const [leaf, values] of leavesOf(below, member, isCounted)) {
      leaves.set(leaf, [...leaves.get(leaf) ?? [], ...values]);
    }
  }
  return leaves;
}
