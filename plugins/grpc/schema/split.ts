/**
 * Files that need each other in a circle, as files that do not. Servers that put all files of a
 * package together make such circles.
 *
 * @module
 */
import { create } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { type Faults, quote } from "./faults.ts";
import { groupByNeed } from "./order.ts";
import { withRoots } from "./symbols.ts";
import { joinNames, referencesIn, typesIn, withoutDot } from "./walk.ts";

const NO_IMPORTS = { dependency: [], publicDependency: [], weakDependency: [] };

/**
 * The types of the files in files of their own, those that need each other together, and then the
 * files with what is left: services and extensions.
 */
export function splitFiles(
  files: readonly FileDescriptorProto[],
  faults: Faults,
): FileDescriptorProto[] {
  const pieces = files.flatMap(piecesOf);
  const owners = new Map(
    pieces.flatMap((piece) =>
      [...typesIn(piece)].map(({ fullName }) => [fullName, piece] as const)
    ),
  );
  const needsOf = (piece: FileDescriptorProto) =>
    [...referencesIn(piece)].map((name) => owners.get(withoutDot(name)))
      .filter((owner) => owner !== undefined);
  const parts = groupByNeed(pieces, needsOf).flatMap((group) => joinPieces(group, faults));
  const names = new Set(files.map(({ name }) => name));
  const rests = files.map((file) =>
    Object.assign(withRoots(file, { messageType: [], enumType: [], service: file.service }), {
      ...NO_IMPORTS,
      dependency: file.dependency.filter((name) => !names.has(name)),
    })
  );
  return [...parts, ...rests];
}

/** One file for each message and enum that is not within another. */
function piecesOf(file: FileDescriptorProto): FileDescriptorProto[] {
  const pieces = [
    ...file.messageType.map((root) => ({ messageType: [root], enumType: [] })),
    ...file.enumType.map((root) => ({ messageType: [], enumType: [root] })),
  ];
  return pieces.map((roots, index) =>
    Object.assign(withRoots(file, { ...roots, service: [] }), {
      ...NO_IMPORTS,
      name: `${file.name}#${index + 1}`,
      extension: [],
    })
  );
}

/** The pieces of one circle as one file; no compiler lets a circle go through several packages. */
function joinPieces(
  pieces: readonly FileDescriptorProto[],
  faults: Faults,
): readonly FileDescriptorProto[] {
  const [first, ...others] = pieces;
  if (first === undefined || others.length === 0) return pieces;
  if (others.every((piece) => piece.package === first.package)) {
    return [Object.assign(first, {
      messageType: pieces.flatMap(({ messageType }) => messageType),
      enumType: pieces.flatMap(({ enumType }) => enumType),
    })];
  }
  return pieces.map((piece) => {
    for (const { name } of piece.messageType) {
      faults.add(
        `the message ${quote(joinNames(piece.package, name))} and one of another package contain ` +
          "each other: both are shown without fields",
      );
    }
    return Object.assign(piece, { messageType: piece.messageType.map(emptied) });
  });
}

function emptied({ name, nestedType, enumType }: DescriptorProto): DescriptorProto {
  return create(DescriptorProtoSchema, {
    name,
    enumType,
    nestedType: nestedType.filter(({ options }) => options?.mapEntry !== true).map(emptied),
  });
}
