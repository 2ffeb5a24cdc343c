/**
 * The names of types as they are written at one place of a `.proto` file.
 *
 * @module
 */
import type { DescEnum, DescFile, DescMessage } from "@bufbuild/protobuf";

/** A type that fields refer to. */
export type NamedType = DescMessage | DescEnum;

/** Words that mean something else where a type may stand. */
const KEYWORD = new RegExp(
  "^(?:option|message|enum|oneof|reserved|extensions|extend|map|group|optional|required|" +
    "repeated|stream|rpc|export|local|double|float|bool|string|bytes|s?fixed(?:32|64)|" +
    "[us]?int(?:32|64))$",
);

/**
 * The shortest name that means the type within a message, or outside of one. Names are looked up
 * from the innermost scope outwards, by their first part.
 */
export function nameAt(type: NamedType, place: DescMessage | DescFile): string {
  const path = pathOf(type);
  for (const [index, start] of [...path.entries()].reverse()) {
    if (lookUp(start, place) !== start || KEYWORD.test(start.name)) continue;
    return path.slice(index).map(({ name }) => name).join(".");
  }
  const [first = ""] = type.typeName.split(".");
  const isPlain = !isHidden(first, place) && !KEYWORD.test(first);
  return isPlain ? type.typeName : `.${type.typeName}`;
}

/** The type and those around it, the outermost first. */
export function pathOf(type: NamedType): [NamedType, ...NamedType[]] {
  return type.parent === undefined ? [type] : [...pathOf(type.parent), type] as const;
}

/** The outermost type around a type, or itself. */
export function rootOf(type: NamedType): NamedType {
  return pathOf(type)[0];
}

/** What the name of a type means at a place. */
function lookUp(type: NamedType, place: DescMessage | DescFile): NamedType | undefined {
  const nested = nestedAt(type.name, place);
  if (nested !== undefined) return nested;
  const isNear = type.parent === undefined &&
    type.file.proto.package === fileOf(place).proto.package;
  return isNear ? type : undefined;
}

/** True when the first part of a full name means something else at a place. */
function isHidden(first: string, place: DescMessage | DescFile): boolean {
  if (nestedAt(first, place) !== undefined) return true;
  const file = fileOf(place);
  const files = [file, ...file.dependencies];
  const parts = file.proto.package.split(".");
  return parts.some((_, index) => {
    const around = parts.slice(0, index + 1).join(".");
    return files.some(({ proto }) =>
      `${proto.package}.`.startsWith(`${around}.${first}.`) ||
      (proto.package === around &&
        [...proto.messageType, ...proto.enumType].some(({ name }) => name === first))
    );
  });
}

/** A type of a name within the messages around a place, the innermost first. */
function nestedAt(name: string, place: DescMessage | DescFile): NamedType | undefined {
  if (place.kind === "file") return undefined;
  return [...place.nestedMessages, ...place.nestedEnums].find((type) => type.name === name) ??
    nestedAt(name, place.parent ?? place.file);
}

function fileOf(place: DescMessage | DescFile): DescFile {
  return place.kind === "file" ? place : place.file;
}
