/**
 * Where in a message something stands, for errors that name it and for the bound of nesting.
 *
 * @module
 */
import { BowireError, type ErrorCode } from "../../../../lib/errors/mod.ts";

/**
 * Most steps from the outermost message to a value. Servers of C++ and Java stop at 100 messages
 * by default, those of Go at 10,000.
 */
export const MAX_DEPTH = 300;

/** Longest path that is shown, in UTF-16 units; the end is what tells places apart. */
const MAX_PATH_LENGTH = 200;
const MAX_KEY_LENGTH = 40;
const PLAIN_NAME = /^(?:\w+|\[[\w.]+\])$/;

/** What is being done, for the errors. */
export interface Action {
  readonly code: ErrorCode;
  /** As in `cannot encode "pkg.Type"`. */
  readonly verb: "encode" | "decode";
  readonly typeName: string;
}

/** One place in a message; the outermost has no path. */
export class Place {
  readonly #action: Action;
  readonly #parent: Place | undefined;
  readonly #step: string;
  readonly #depth: number;

  private constructor(action: Action, above?: { readonly parent: Place; readonly step: string }) {
    this.#action = action;
    this.#parent = above?.parent;
    this.#step = above?.step ?? "";
    this.#depth = above === undefined ? 0 : above.parent.#depth + 1;
    if (this.#depth > MAX_DEPTH) {
      throw this.error(`is nested too deep: wanted at most ${MAX_DEPTH} levels`);
    }
  }

  /** The outermost message. */
  static outermost(action: Action): Place {
    return new Place(action);
  }

  /**
   * A field of the message here.
   *
   * @throws {BowireError} beyond {@linkcode MAX_DEPTH}, as the other two do.
   */
  field(name: string): Place {
    const step = PLAIN_NAME.test(name) ? `.${name}` : `[${shownName(name)}]`;
    return new Place(this.#action, { parent: this, step });
  }

  /** An item of the list here, from 0. */
  item(index: number): Place {
    return new Place(this.#action, { parent: this, step: `[${index}]` });
  }

  /** A value of the map here. */
  entry(key: string): Place {
    return new Place(this.#action, { parent: this, step: `[${shownName(key)}]` });
  }

  /** The path as `items[2].price`, its beginning left out when it is long; empty for the outermost. */
  get path(): string {
    const path = this.#steps().replace(/^\./, "");
    return path.length > MAX_PATH_LENGTH ? `…${path.slice(-MAX_PATH_LENGTH)}` : path;
  }

  #steps(): string {
    return (this.#parent === undefined ? "" : this.#parent.#steps()) + this.#step;
  }

  /** The failure of what stands here; the reason follows the path as its verb. */
  error(reason: string, hint?: string): BowireError {
    const { code, verb, typeName } = this.#action;
    const { path } = this;
    return new BowireError(
      code,
      `cannot ${verb} "${typeName}": ${path === "" ? "the message" : path} ${reason}`,
      { ...(hint === undefined ? {} : { hint }), details: { type: typeName, path } },
    );
  }
}

/** A name that strangers or callers chose, quoted and cut. */
export function shownName(name: string): string {
  const isLong = name.length > MAX_KEY_LENGTH;
  return JSON.stringify(isLong ? `${name.slice(0, MAX_KEY_LENGTH)}…` : name);
}
