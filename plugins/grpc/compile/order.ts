/**
 * Brings files into the order in which they can be linked.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/error.ts";
import { failAt, quote } from "./failure.ts";
import type { GatheredFile, GatheredFiles } from "./gather.ts";

/**
 * All files that some paths lead to, each once, imports first.
 *
 * @throws {BowireError} `bad_document` when files import each other in a circle.
 */
export function orderFiles(paths: readonly string[], files: GatheredFiles): GatheredFile[] {
  const ordered = new Set<GatheredFile>();
  for (const path of paths) visit(path, files, ordered);
  return [...ordered];
}

/** One file on the way down, and its imports that are still to be visited. */
interface Step {
  readonly file: GatheredFile;
  readonly rest: string[];
}

function visit(start: string, files: GatheredFiles, ordered: Set<GatheredFile>): void {
  const way: Step[] = [];
  const onTheWay = new Set<GatheredFile>();
  const enter = (path: string) => {
    const file = files.get(path);
    if (file === undefined || ordered.has(file)) return;
    if (onTheWay.has(file)) failCircle(way, path);
    onTheWay.add(file);
    way.push({ file, rest: file.imports.toReversed() });
  };
  enter(start);
  for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
    const path = step.rest.pop();
    if (path !== undefined) enter(path);
    else {
      ordered.add(step.file);
      onTheWay.delete(step.file);
      way.pop();
    }
  }
}

function failCircle(way: readonly Step[], path: string): never {
  const circle = way.slice(way.findIndex(({ file }) => file.proto.name === path))
    .map(({ file }) => quote(file.proto.name));
  const shown = circle.length > 5 ? [...circle.slice(0, 5), "…"] : circle;
  const problem = `files import each other in a circle: ${[...shown, quote(path)].join(" -> ")}`;
  const importer = way.at(-1)?.file.parsed;
  if (importer !== undefined) {
    failAt(importer.source, importer.imports.get(path) ?? 0, problem, "remove one of the imports");
  }
  throw new BowireError("bad_document", `cannot compile ${quote(path)}: ${problem}`);
}
