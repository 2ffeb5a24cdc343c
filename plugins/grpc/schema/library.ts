/**
 * The types that a server describes, linked: what all other parts of the plugin read.
 *
 * @module
 */
import { create, createFileRegistry, type FileRegistry } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { isDeepStrictEqual } from "node:util";
import { Faults, quote } from "./faults.ts";
import { SPECIAL_FILES } from "../protobuf_files.ts";
import { knownFilesFor } from "./known_files.ts";
import { groupByNeed } from "./order.ts";
import { missingTypes, placeholderFor, stubFor } from "./placeholders.ts";
import { isInOrder, renameMapEntries, repair } from "./repair.ts";
import { defectOf } from "./soundness.ts";
import { splitFiles } from "./split.ts";
import { Symbols } from "./symbols.ts";
import { referencesIn, withoutDot } from "./walk.ts";

/** The types and services of one server. */
export interface Library {
  /** All types, the well-known ones among them. */
  readonly registry: FileRegistry;
  /** The files as they were linked, those that are needed first. */
  readonly files: readonly FileDescriptorProto[];
  /** Sentences about what is missing or broken. */
  readonly faults: readonly string[];
}

/** Most files of one server. */
const MAX_FILES = 20_000;

/**
 * Links files in any order. What is missing is replaced by placeholders, what is not as a compiler
 * writes it is repaired, what cannot be linked is left out; faults tell of it. Files that are in
 * order are kept as they are. Never throws for what a server sends.
 */
export function buildLibrary(files: readonly FileDescriptorProto[]): Library {
  const faults = new Faults();
  const given = distinct(files, faults);
  try {
    return link(given, new Faults(faults));
  } catch {
    return linkSound(given, faults);
  }
}

/** Links without the files that cannot even be linked alone. */
function linkSound(given: readonly FileDescriptorProto[], faults: Faults): Library {
  const sound = given.filter((file) => {
    const reason = whyUnlinkable([file]);
    if (reason !== undefined) faults.add(`${quote(file.name)} was left out: ${reason}`);
    return reason === undefined;
  });
  const reason = whyUnlinkable(sound);
  if (reason === undefined) return link(sound, faults);
  faults.add(`no file of the server could be linked: ${reason}`);
  return link([], faults);
}

function whyUnlinkable(files: readonly FileDescriptorProto[]): string | undefined {
  try {
    link(files, new Faults());
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Each name once, the first one; without files that have a defect of their own. */
function distinct(files: readonly FileDescriptorProto[], faults: Faults): FileDescriptorProto[] {
  const byName = new Map<string, FileDescriptorProto>(
    SPECIAL_FILES.map((file) => [file.name, file]),
  );
  for (const file of files.slice(0, MAX_FILES)) {
    const first = byName.get(file.name);
    const defect = first === undefined ? defectOf(file) : undefined;
    if (defect !== undefined) faults.add(`${quote(file.name)} was left out: ${defect}`);
    else if (first === undefined) byName.set(file.name, file);
    else if (!SPECIAL_FILES.includes(first) && !isDeepStrictEqual(first, file)) {
      faults.add(`there are several files ${quote(file.name)}; the first one is used`);
    }
  }
  if (files.length > MAX_FILES) {
    faults.add(`there are ${files.length} files; those after the first ${MAX_FILES} were left out`);
  }
  for (const { name } of SPECIAL_FILES) byName.delete(name);
  return [...byName.values()];
}

/** @throws {Error} when one of the files cannot be linked. */
function link(given: readonly FileDescriptorProto[], faults: Faults): Library {
  const symbols = new Symbols(faults);
  const whole = complete(given, { symbols, faults })
    .map((file) => isInOrder(file, symbols) ? file : repair(file, symbols));
  const files = inOrder(whole, { symbols, faults });
  return {
    registry: createFileRegistry(create(FileDescriptorSetSchema, { file: files })),
    files,
    faults: faults.list(),
  };
}

/** The files, those of Protobuf itself that they need, and placeholders for all else. */
function complete(
  given: readonly FileDescriptorProto[],
  { symbols, faults }: { symbols: Symbols; faults: Faults },
): FileDescriptorProto[] {
  const names = new Set<string>();
  const files: FileDescriptorProto[] = [];
  const add = (file: FileDescriptorProto) => {
    if (names.has(file.name)) return;
    names.add(file.name);
    files.push(symbols.take(renameMapEntries(file)));
  };
  [...SPECIAL_FILES, ...given].forEach(add);
  for (const file of [...files]) {
    for (const name of file.dependency) {
      if (!names.has(name)) knownFilesFor(name).forEach(add);
      if (!names.has(name)) add(stubFor(name, file.name, faults));
    }
  }
  for (const file of [...files]) {
    for (const missing of missingTypes(file, symbols)) {
      knownFilesFor(missing.fullName).forEach(add);
      if (symbols.get(missing.fullName) === undefined) add(placeholderFor(missing, faults));
    }
  }
  return files;
}

/** The files, those that are needed before those that need them. */
function inOrder(
  files: readonly FileDescriptorProto[],
  { symbols, faults }: { symbols: Symbols; faults: Faults },
): FileDescriptorProto[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const needsOf = (file: FileDescriptorProto) => {
    const used = [...referencesIn(file)].map((name) => symbols.get(withoutDot(name))?.file ?? "");
    return [...new Set([...file.dependency, ...used])].map((name) => byName.get(name))
      .filter((needed) => needed !== undefined);
  };
  return groupByNeed(files, needsOf).flatMap((group) =>
    group.length === 1 ? group : splitFiles(group, faults)
  );
}
