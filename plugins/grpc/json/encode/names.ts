/**
 * Which field a member of a JSON object is.
 *
 * @module
 */
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { editDistance } from "../../../../lib/schema/spelling/edit_distance.ts";
import type { AnyField } from "../shared/element.ts";
import { shownName } from "../shared/place.ts";
import type { Given } from "./given.ts";

const MAX_SUGGESTIONS = 5;

const known = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** The fields by both of their names; where names clash, the JSON name counts. */
function fieldsByName(type: DescMessage): ReadonlyMap<string, DescField> {
  const before = known.get(type);
  if (before !== undefined) return before;
  const made = new Map([
    ...type.fields.map((field) => [field.name, field] as const),
    ...type.fields.map((field) => [field.jsonName, field] as const),
  ]);
  known.set(type, made);
  return made;
}

/**
 * The field of a name; `[pkg.name]` is an extension.
 *
 * @throws {BowireError} `invalid_argument` with the closest names when there is none.
 */
export function findField(
  type: DescMessage,
  { name, given }: { readonly name: string; readonly given: Given },
): AnyField {
  const field = fieldsByName(type).get(name);
  if (field !== undefined) return field;
  if (!name.startsWith("[") || !name.endsWith("]")) throw unknownName(type, { name, given });
  const extension = given.context.types.extension(type, name.slice(1, -1));
  if (extension !== undefined) return extension;
  throw given.place.error(
    `has no extension ${shownName(name)} in "${type.typeName}"`,
    "wanted the full name of an extension of this type, as in [pkg.name]",
  );
}

function unknownName(
  type: DescMessage,
  { name, given }: { readonly name: string; readonly given: Given },
) {
  const near = type.fields
    .map(({ jsonName }) => ({ jsonName, distance: editDistance(name, jsonName) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ jsonName }) => jsonName);
  const rest = type.fields.length - near.length;
  return given.place.error(
    `has no field ${shownName(name)} in "${type.typeName}"`,
    near.length === 0
      ? "it has no fields: write {}"
      : `its fields are, the closest first: ${near.join(", ")}${
        rest > 0 ? ` and ${rest} more` : ""
      }`,
  );
}
