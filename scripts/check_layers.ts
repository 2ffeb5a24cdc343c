// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Checks who imports whom, and that reserved code stands only in its place; the rule book is
 * `rules.ts`.
 *
 * Run: `deno run --allow-read=. scripts/check_layers.ts [root]`
 *
 * @module
 */
import { FLOORS, PLUGIN_MAY, RESERVED, WORD_PLACES } from "./rules.ts";
import { closingBracket, lineAt, readTree, type SourceFile } from "./source_text.ts";

interface Import {
  readonly from: SourceFile;
  readonly line: number;
  /** As written. */
  readonly specifier: string;
  /** From the root; `undefined` for a package. */
  readonly to: string | undefined;
}

/** The outcome of the check. */
export interface LayersReport {
  readonly files: number;
  readonly imports: number;
  /** One line each: `file:line: what, and what is allowed`. */
  readonly offences: readonly string[];
}

/** Checks the tree below a folder. */
export async function checkLayers(root: string): Promise<LayersReport> {
  const files = await readTree(root);
  const imports = files.flatMap(importsOf);
  const offences = [
    ...files.flatMap(findStrays),
    ...imports.flatMap(judgeImport),
    ...findCircles(imports),
    ...files.flatMap(findReserved),
    ...findProtocolIds(files),
  ];
  return { files: files.length, imports: imports.length, offences };
}

/** `import`, `export … from`, `import()` of a literal, and `import("…")` in types. */
function importsOf(from: SourceFile): Import[] {
  return from.strings
    .filter(({ start }) => /\b(?:from|import|import\s*\()\s*$/.test(from.code.slice(0, start)))
    .map(({ start, value }) => ({
      from,
      line: lineAt(from.text, start),
      specifier: value,
      to: value.startsWith(".")
        ? new URL(value, `file:///${from.path}`).pathname.slice(1)
        : undefined,
    }));
}

/** A folder of `lib`, `plugins` or `samples`; the first folder elsewhere; a file that stands alone. */
function roomOf(path: string): string {
  const [top = "", second, ...rest] = path.split("/");
  if (second === undefined) return path;
  if (!["lib", "plugins", "samples"].includes(top)) return top;
  return rest.length === 0 && top === "samples" ? top : `${top}/${second}`;
}

/** What a room may import besides itself; a star at the end stands for anything. */
function allowedRooms(room: string): readonly string[] {
  const floor = FLOORS.findIndex((rooms) => rooms.includes(room));
  const below = FLOORS.slice(0, floor).flat();
  if (floor >= 0) return room.startsWith("lib/") ? below : [...below, "plugins/mod.ts"];
  // The list of plugins: the one place that names them all.
  if (room === "plugins/mod.ts") return ["lib/protocol", "plugins/*"];
  if (room === "plugins/worker.ts") return ["lib/sandbox", "plugins/mod.ts"];
  if (room.startsWith("plugins/")) return PLUGIN_MAY;
  if (room.startsWith("samples")) return ["mod.ts", "samples/*"];
  return ["*"];
}

function judgeImport({ from, line, specifier, to }: Import): string[] {
  if (to === undefined || !to.endsWith(".ts")) return [];
  const [room, target] = [roomOf(from.path), roomOf(to)];
  const allowed = allowedRooms(room);
  const isAllowed = allowed.some((name) =>
    name === target || (name.endsWith("*") && target.startsWith(name.slice(0, -1)))
  );
  if (isAllowed || room === target) return [];
  const only = allowed.join(", ");
  return [`${from.path}:${line}: imports "${specifier}"; ${room} may import only ${only}`];
}

/** Files of the product that belong to no known room. */
function findStrays({ path }: SourceFile): string[] {
  const room = roomOf(path);
  const isKnown = FLOORS.flat().includes(room) || /^(?:plugins|samples|tests|scripts)\b/.test(room);
  return isKnown
    ? []
    : [`${path}:1: ${room} is no known room; add it to FLOORS in scripts/rules.ts`];
}

/** Each circle once, from the import that closes it. */
function findCircles(imports: readonly Import[]): string[] {
  const outgoing = Map.groupBy(imports, ({ from }) => from.path);
  const finished = new Set<string>();
  const offences: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    for (const { to, line } of outgoing.get(path) ?? []) {
      if (to === undefined || finished.has(to)) continue;
      const start = trail.indexOf(to);
      if (start < 0) visit(to, [...trail, to]);
      else {
        const circle = [...trail.slice(start), to].join(" -> ");
        offences.push(`${path}:${line}: imports in a circle: ${circle}; no circle is allowed`);
      }
    }
    finished.add(path);
  };
  for (const path of outgoing.keys()) if (!finished.has(path)) visit(path, [path]);
  return offences;
}

function findReserved({ path, text, code }: SourceFile): string[] {
  if (!/^(?:lib\/|plugins\/|main\.ts$|mod\.ts$)/.test(path)) return [];
  return RESERVED
    .filter(({ places }) => !places.includes(path) && !places.includes(roomOf(path)))
    .flatMap(({ what, pattern, places }) =>
      [...code.matchAll(new RegExp(pattern, "g"))]
        .filter(({ 0: found, index }) => !isMethodDefinition(code, index, index + found.length - 1))
        .map(({ index }) =>
          `${path}:${lineAt(text, index)}: uses ${what}; allowed only in ${places.join(", ")}`
        )
    );
}

/** True for `name(…) {` and, after a separator, `name(…):`. */
function isMethodDefinition(code: string, start: number, paren: number): boolean {
  if (code[paren] !== "(") return false;
  const next = code.slice(closingBracket(code, paren) + 1).trimStart()[0];
  return next === "{" || (next === ":" && /[{};,]\s*(?:async\s+)?$/.test(code.slice(0, start)));
}

/** Protocol ids of the manifests that stand as literals in `lib/`. */
function findProtocolIds(files: readonly SourceFile[]): string[] {
  const ids = files
    .filter(({ path }) => /^plugins\/[^/]+\/manifest\.ts$/.test(path))
    .flatMap(({ code, strings }) =>
      strings.filter(({ start }) => /\bid:\s*$/.test(code.slice(0, start)))
    )
    .map(({ value }) => value);
  const searched = files.filter(({ path }) =>
    path.startsWith("lib/") && !WORD_PLACES.includes(path)
  );
  return searched.flatMap(({ path, text, strings }) =>
    strings.filter(({ value }) => ids.includes(value)).map(({ start, value }) =>
      `${path}:${lineAt(text, start)}: names the protocol "${value}"; ` +
      "only its plugin may, lib asks the registry"
    )
  );
}

if (import.meta.main) {
  const { files, imports, offences } = await checkLayers(Deno.args[0] ?? ".");
  for (const offence of offences) console.error(offence);
  console.error(`layers: ${files} files, ${imports} imports, ${offences.length} offences`);
  if (offences.length > 0) Deno.exit(1);
}
