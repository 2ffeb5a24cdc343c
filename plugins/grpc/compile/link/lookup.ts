/**
 * Finds what a name stands for in a scope.
 *
 * @module
 */
import type { Entity, LinkedFile } from "./entity.ts";

const HOLDERS: ReadonlySet<string> = new Set(["package", "message", "enum", "service"]);

/** Looks names up for one file: only what the file declares or imports is there. */
export class Lookup {
  readonly #root: Entity;
  readonly #files: ReadonlySet<LinkedFile>;
  readonly #packages: ReadonlySet<Entity>;

  constructor(root: Entity, files: ReadonlySet<LinkedFile>) {
    this.#root = root;
    this.#files = files;
    this.#packages = packagesOf(root, files);
  }

  /**
   * The entity of a name: the innermost scope that knows its first part decides, as in C++
   * (`descriptor.proto`, `FieldDescriptorProto.type_name`).
   */
  find(name: string, scope: Entity, isWanted: (found: Entity) => boolean): Entity | undefined {
    if (name.startsWith(".")) return this.#wanted(this.#root.find(name.slice(1)), isWanted);
    const [first = "", ...rest] = name.split(".");
    for (let around: Entity | undefined = scope; around !== undefined; around = around.parent) {
      const found = around.member(first);
      if (found === undefined || !this.#isVisible(found)) continue;
      if (rest.length === 0) {
        if (isWanted(found)) return found;
      } else if (HOLDERS.has(found.meaning.kind)) {
        return this.#wanted(found.find(rest.join(".")), isWanted);
      }
    }
    return undefined;
  }

  /** The entity of a name wherever it is declared, to say what is wrong. */
  findAnywhere(name: string, scope: Entity): Entity | undefined {
    if (name.startsWith(".")) return this.#root.find(name.slice(1));
    for (let around: Entity | undefined = scope; around !== undefined; around = around.parent) {
      const found = around.find(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #wanted(
    found: Entity | undefined,
    isWanted: (found: Entity) => boolean,
  ): Entity | undefined {
    return found !== undefined && this.#isVisible(found) && isWanted(found) ? found : undefined;
  }

  #isVisible(entity: Entity): boolean {
    return entity.file === undefined ? this.#packages.has(entity) : this.#files.has(entity.file);
  }
}

function packagesOf(root: Entity, files: ReadonlySet<LinkedFile>): Set<Entity> {
  const packages = new Set<Entity>();
  for (const { proto } of files) {
    let at: Entity | undefined = root.find(proto.package);
    for (; at !== undefined && !packages.has(at); at = at.parent) packages.add(at);
  }
  return packages;
}
