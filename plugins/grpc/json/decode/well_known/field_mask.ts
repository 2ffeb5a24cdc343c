/**
 * `google.protobuf.FieldMask`: paths in one text, each in lowerCamelCase.
 *
 * @module
 */
import { protoCamelCase, protoSnakeCase } from "@bufbuild/protobuf/reflect";
import { WireType } from "@bufbuild/protobuf/wire";
import { type Found, readWellKnown } from "../context.ts";
import { readText } from "../scalar.ts";

/** The JSON text of a field mask. */
export function decodeFieldMask(found: Found): string {
  const paths = readWellKnown(found, { 1: WireType.LengthDelimited })
    .map(({ data }) => readText(data, found));
  const shown = paths.map((path) => {
    const camel = protoCamelCase(path);
    if (protoSnakeCase(camel) === path) return camel;
    found.context.report.note(found.place, "a path has no form in JSON and stands as it was sent");
    return path;
  });
  return JSON.stringify(shown.join(","));
}
