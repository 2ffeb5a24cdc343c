/**
 * Links parsed files into one set of descriptors.
 *
 * @module
 */
import { Edition, type FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import type { GatheredFile } from "../gather.ts";
import { interpretOptions } from "../options/interpret.ts";
import type { ParsedFile } from "../syntax/tree.ts";
import { declareFile, type Scopes } from "./declare.ts";
import { Entity, type LinkedFile } from "./entity.ts";
import { linkTypes } from "./link_types.ts";
import { Lookup } from "./lookup.ts";

/** Where what is linked was declared. */
interface Declared {
  readonly file: LinkedFile;
  readonly scopes: Scopes;
}

/**
 * Completes the descriptors of files, each of which stands after what it imports.
 *
 * @param options What declares the options messages; the files themselves if absent.
 * @throws {BowireError} `bad_document` for names that are taken or lead nowhere.
 */
export function linkFiles(files: readonly GatheredFile[], options?: FileDescriptorProto): void {
  new Linker(options).link(files);
}

class Linker {
  readonly #root = new Entity("", { kind: "package" });
  readonly #files = new Map<string, LinkedFile>();
  readonly #options: Entity;

  constructor(options?: FileDescriptorProto) {
    this.#options = options === undefined ? this.#root : new Entity("", { kind: "package" });
    if (options !== undefined) declareFile(this.#fileOf(options, undefined), this.#options);
  }

  link(files: readonly GatheredFile[]): void {
    const all = files.map(({ proto, parsed }) => this.#declare(proto, parsed));
    for (const declared of all) this.#link(declared);
  }

  #declare(proto: FileDescriptorProto, parsed: ParsedFile | undefined): Declared {
    const file = this.#fileOf(proto, parsed);
    this.#files.set(proto.name, file);
    return { file, scopes: declareFile(file, this.#root) };
  }

  #link({ file, scopes }: Declared): void {
    const { proto, parsed } = file;
    if (parsed === undefined) return;
    const { dependency, optionDependency } = proto;
    const lookup = new Lookup(this.#root, this.#visibleTo(file, dependency));
    linkTypes(parsed, lookup, scopes.get(proto) ?? this.#root);
    const forOptions = optionDependency.length === 0
      ? lookup
      : new Lookup(this.#root, this.#visibleTo(file, [...dependency, ...optionDependency]));
    interpretOptions(parsed, { lookup: forOptions, scopes, root: this.#options });
  }

  #fileOf(proto: FileDescriptorProto, parsed: ParsedFile | undefined): LinkedFile {
    const paths = proto.publicDependency.map((index) => proto.dependency[index] ?? "");
    return { proto, parsed, edition: editionOf(proto), publicImports: this.#filesAt(paths) };
  }

  /** The file itself, what it imports, and what that imports publicly. */
  #visibleTo(file: LinkedFile, imports: readonly string[]): ReadonlySet<LinkedFile> {
    const visible = new Set([file, ...this.#filesAt(imports)]);
    // A set that grows while it is walked through is walked through to its end.
    for (const { publicImports } of visible) {
      for (const shown of publicImports) visible.add(shown);
    }
    return visible;
  }

  #filesAt(paths: readonly string[]): LinkedFile[] {
    return paths.flatMap((path) => this.#files.get(path) ?? []);
  }
}

function editionOf({ syntax, edition }: FileDescriptorProto): Edition {
  if (syntax === "editions") return edition;
  return syntax === "proto3" ? Edition.EDITION_PROTO3 : Edition.EDITION_PROTO2;
}
