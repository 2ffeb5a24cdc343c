/**
 * Reads TypeScript as far as the checks of this folder need it: what is code, what is comment,
 * text or pattern, and where the string literals stand.
 *
 * @module
 */

/** A string literal, or a template without substitutions. */
export interface StringLiteral {
  /** Offset of the opening quote. */
  readonly start: number;
  readonly value: string;
}

/** A source file taken apart. */
export interface SourceText {
  /** As long as the file: comments and the inside of strings and patterns are blank. */
  readonly code: string;
  readonly strings: readonly StringLiteral[];
}

const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//y;
const QUOTED = /"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'/y;
const PATTERN = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const TEMPLATE_TEXT = /(?:\\[^]|[^`\\$]|\$(?!\{))*/y;
const PLAIN_CODE = /[^/"'`{}]+/y;
// After these a slash begins a pattern; after anything else it divides.
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|else|void))\s*$/;

/** Takes one file apart. */
export function readSource(text: string): SourceText {
  return new Reader(text).read();
}

/** The line of an offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/**
 * The offset of the bracket that closes the one at `start`, or the end of the code.
 *
 * @param start offset of a `(`, `[`, `{` or `<` in code without text.
 */
export function closingBracket(code: string, start: number): number {
  const open = code.charAt(start);
  const close = { "(": ")", "[": "]", "{": "}", "<": ">" }[open] ?? "";
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    const char = code[at];
    if (char === open) depth++;
    // The head of an arrow is no bracket.
    else if (
      char === close && !(close === ">" && code[at - 1] === "=") &&
      --depth === 0
    ) return at;
  }
  return code.length;
}

class Reader {
  readonly #text: string;
  readonly #strings: StringLiteral[] = [];
  #code = "";

  constructor(text: string) {
    this.#text = text;
  }

  read(): SourceText {
    this.#readCode(false);
    return { code: this.#code, strings: this.#strings };
  }

  // The code so far is as long as the text read so far.
  get #at(): number {
    return this.#code.length;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0] ?? "";
  }

  #keep(length: number): void {
    this.#code += this.#text.slice(this.#at, this.#at + length);
  }

  #blank(length: number): void {
    this.#code += this.#text.slice(this.#at, this.#at + length).replace(
      /[^\n]/g,
      " ",
    );
  }

  /** To the end, or to the brace that closes a substitution. */
  #readCode(isSubstitution: boolean): void {
    let depth = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === "}" && isSubstitution && depth === 0) return;
      if (char === "{") depth++;
      if (char === "}") depth--;
      if (char === "/") this.#readSlash();
      else if (char === '"' || char === "'") this.#readQuoted();
      else if (char === "`") this.#readTemplate();
      else this.#keep(this.#match(PLAIN_CODE).length || 1);
    }
  }

  #readSlash(): void {
    const comment = this.#match(COMMENT);
    if (comment !== "") return this.#blank(comment.length);
    const pattern = BEFORE_PATTERN.test(this.#code.slice(-200)) ? this.#match(PATTERN) : "";
    if (pattern === "") return this.#keep(1);
    this.#blank(pattern.length);
  }

  #readQuoted(): void {
    const quoted = this.#match(QUOTED);
    if (quoted === "") return this.#keep(1);
    this.#strings.push({ start: this.#at, value: quoted.slice(1, -1) });
    this.#keep(1);
    this.#blank(quoted.length - 2);
    this.#keep(1);
  }

  #readTemplate(): void {
    const start = this.#at;
    this.#keep(1);
    for (let isFirst = true; this.#at < this.#text.length; isFirst = false) {
      const text = this.#match(TEMPLATE_TEXT);
      this.#blank(text.length);
      if (this.#text[this.#at] === "`") {
        if (isFirst) this.#strings.push({ start, value: text });
        return this.#keep(1);
      }
      this.#keep(2);
      this.#readCode(true);
      this.#keep(1);
    }
  }
}

/** A TypeScript file of the tree. */
export interface SourceFile extends SourceText {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Reads every TypeScript file below the root; hidden folders and `node_modules` are passed over. */
export async function readTree(root: string): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  const walk = async (folder: string): Promise<void> => {
    const entries = await Array.fromAsync(Deno.readDir(`${root}/${folder}`));
    for (
      const { name, isDirectory } of entries.toSorted((a, b) => a.name < b.name ? -1 : 1)
    ) {
      if (name.startsWith(".") || name === "node_modules") continue;
      if (isDirectory) await walk(`${folder}${name}/`);
      else if (name.endsWith(".ts")) {
        files.push(await readFile(root, folder + name));
      }
    }
  };
  await walk("");
  return files;
}

async function readFile(root: string, path: string): Promise<SourceFile> {
  const text = await Deno.readTextFile(`${root}/${path}`);
  return { path, text, ...readSource(text) };
}
