// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Checks the lengths of files and functions and the number of files in a folder; the limits are
 * in `rules.ts`.
 *
 * Run: `deno run --allow-read=. scripts/check_sizes.ts [root]`
 *
 * @module
 */
import { SIZES } from "./rules.ts";
import { closingBracket, lineAt, readTree, type SourceFile } from "./source_text.ts";

/** The outcome of the check, one line an entry. */
export interface SizesReport {
  readonly files: number;
  readonly warnings: readonly string[];
  readonly offences: readonly string[];
}

/** Checks the tree below a folder. */
export async function checkSizes(root: string): Promise<SizesReport> {
  const files = await readTree(root);
  return {
    files: files.length,
    warnings: files.flatMap(warnOfLength),
    offences: [
      ...files.flatMap(judgeLength),
      ...files.flatMap(judgeFunctions),
      ...judgeFolders(files),
    ],
  };
}

function isTest(path: string): boolean {
  return path.startsWith("tests/") || path.endsWith("_test.ts");
}

function linesOf({ text }: SourceFile): number {
  return text.trimEnd().split("\n").length;
}

function judgeLength(file: SourceFile): string[] {
  const max = isTest(file.path) ? SIZES.testLines : SIZES.sourceLines;
  const lines = linesOf(file);
  if (lines <= max) return [];
  return [`${file.path}:${max + 1}: the file has ${lines} lines; at most ${max} are allowed`];
}

function warnOfLength(file: SourceFile): string[] {
  const lines = linesOf(file);
  if (isTest(file.path) || lines <= SIZES.sourceLinesToWarn) return [];
  return [`${file.path}: ${lines} lines; ${SIZES.sourceLinesToWarn} are aimed at`];
}

function judgeFolders(files: readonly SourceFile[]): string[] {
  const folders = Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf("/") + 1));
  return [...folders].flatMap(([folder, { length }]) => {
    if (length <= SIZES.filesInFolder || folder === "tests/peers/") return [];
    const name = folder === "" ? "./" : folder;
    return [`${name}: the folder has ${length} files; at most ${SIZES.filesInFolder} are allowed`];
  });
}

function judgeFunctions({ path, text, code }: SourceFile): string[] {
  return [...functionsOf(code)].flatMap(({ name, start, end }) => {
    const line = lineAt(text, start);
    const lines = lineAt(text, end) - line + 1;
    if (lines <= SIZES.functionLines) return [];
    return [
      `${path}:${line}: ${name} has ${lines} lines; at most ${SIZES.functionLines} are allowed`,
    ];
  });
}

// What stands before the parameters: keyword or name, and type parameters.
const HEAD = /(?:([\w$#]+)\s*(?:=\s*(?:async\s*)?)?)?(?:<[^()]*>)?\s*$/;
const NO_FUNCTION = new Set(["if", "for", "while", "switch", "catch", "await"]);
const UNNAMED = new Set(["function", "async"]);

/** Every function, method and arrow function with a body in braces. */
function* functionsOf(code: string): Generator<{ name: string; start: number; end: number }> {
  for (const { index } of code.matchAll(/\(/g)) {
    const name = HEAD.exec(code.slice(Math.max(0, index - 200), index))?.[1];
    if (name !== undefined && NO_FUNCTION.has(name)) continue;
    const body = bodyAfter(code, closingBracket(code, index) + 1);
    if (body === undefined) continue;
    yield {
      name: name === undefined || UNNAMED.has(name) ? "a function" : name,
      start: index,
      end: closingBracket(code, body),
    };
  }
}

const TOKEN = /\s*(=>|[\w$]+|[^])/y;
const NEEDS_TYPE = /^(?:[|&:]|=>|is|extends|keyof|typeof|readonly|asserts|unique)$/;

/**
 * The brace that opens the body of a function whose parameters end before `at`; `undefined` when
 * these were no parameters or the body has no braces. A return type may stand between.
 */
function bodyAfter(code: string, at: number): number | undefined {
  let isFirst = true;
  let needsType = false;
  for (TOKEN.lastIndex = at;;) {
    const token = TOKEN.exec(code)?.[1];
    if (token === undefined) return undefined;
    const start = TOKEN.lastIndex - token.length;
    if (token === "=>" && /^\s*\{/.test(code.slice(start + 2, start + 100))) {
      return code.indexOf("{", start);
    }
    if (token === "{" && !needsType) return start;
    if (isFirst && token !== ":" && token !== "=>") return undefined;
    if (/^[;,)}\]>=?`]$/.test(token)) return undefined;
    if (/^[{([<]$/.test(token)) TOKEN.lastIndex = closingBracket(code, start) + 1;
    needsType = NEEDS_TYPE.test(token);
    isFirst = false;
  }
}

if (import.meta.main) {
  const { files, warnings, offences } = await checkSizes(Deno.args[0] ?? ".");
  for (const warning of warnings) console.error(`long: ${warning}`);
  for (const offence of offences) console.error(offence);
  console.error(`sizes: ${files} files, ${warnings.length} long, ${offences.length} offences`);
  if (offences.length > 0) Deno.exit(1);
}
