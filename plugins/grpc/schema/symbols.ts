/**
 * Which type is defined where; a name stands for one type.
 *
 * @module
 */
import { create } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { isDeepStrictEqual } from "node:util";
import { type Faults, quote } from "./faults.ts";
import { SPECIAL_FILES } from "../protobuf_files.ts";
import { type TypeEntry, type TypeRoot, typesIn } from "./walk.ts";

/** A type and the file that defines it. */
export interface TypeSymbol extends TypeEntry {
  /** Name of the file. */
  readonly file: string;
}

/** All types and services of a set of files. */
export class Symbols {
  readonly #types = new Map<string, TypeSymbol>();
  readonly #faults: Faults;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  /** What a full name stands for. */
  get(fullName: string): TypeSymbol | undefined {
    return this.#types.get(fullName);
  }

  /**
   * Takes in what a file defines. The file that comes back lacks what is defined already: servers
   * give one file under two names, and well-known types in files of their own.
   */
  take(file: FileDescriptorProto): FileDescriptorProto {
    const taken = new Set<TypeRoot>();
    for (const [root, types] of Map.groupBy(typesIn(file), (entry) => entry.root)) {
      const other = types.map(({ fullName }) => this.#types.get(fullName))
        .find((symbol) => symbol !== undefined);
      if (other === undefined) {
        for (const type of types) this.#types.set(type.fullName, { ...type, file: file.name });
      } else {
        taken.add(root);
        this.#report(other, { root, file });
      }
    }
    return taken.size === 0 ? file : withoutRoots(file, taken);
  }

  #report(
    first: TypeSymbol,
    { root, file }: { root: TypeRoot; file: FileDescriptorProto },
  ): void {
    const isKnown = SPECIAL_FILES.some(({ name }) => name === first.file);
    if (isKnown || isDeepStrictEqual(first.root, root)) return;
    this.#faults.add(
      `${quote(first.fullName)} is defined in ${quote(first.file)} and differently in ` +
        `${quote(file.name)}; the former is used`,
    );
  }
}

/** What a file defines, extensions aside. */
type Roots = Pick<FileDescriptorProto, "messageType" | "enumType" | "service">;

function withoutRoots(
  file: FileDescriptorProto,
  roots: ReadonlySet<TypeRoot>,
): FileDescriptorProto {
  return withRoots(file, {
    messageType: file.messageType.filter((root) => !roots.has(root)),
    enumType: file.enumType.filter((root) => !roots.has(root)),
    service: file.service.filter((root) => !roots.has(root)),
  });
}

/** The file with other definitions, and without comments, which go by their positions. */
export function withRoots(file: FileDescriptorProto, roots: Roots): FileDescriptorProto {
  const copy = Object.assign(create(FileDescriptorProtoSchema), file, roots);
  delete copy.sourceCodeInfo;
  return copy;
}
