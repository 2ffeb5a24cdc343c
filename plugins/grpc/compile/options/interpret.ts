/**
 * Gives declarations their options.
 *
 * @module
 */
import { messageOf } from "../../../../lib/errors/error.ts";
import { failAt, quote } from "../failure.ts";
import type { Scopes } from "../link/declare.ts";
import { type Entity, isMessage } from "../link/entity.ts";
import type { Lookup } from "../link/lookup.ts";
import type { OptionOwner, OptionStatement, ParsedFile } from "../syntax/tree.ts";
import { Assigner } from "./assign.ts";
import { encodeMessage } from "./encode.ts";
import { optionsTypeOf, setOptions } from "./owner.ts";
import { MessageValue } from "./value.ts";

/** What the names in options are looked up with. */
export interface OptionNames {
  readonly lookup: Lookup;
  readonly scopes: Scopes;
  /** Where `google.protobuf.FieldOptions` and its like are declared. */
  readonly root: Entity;
}

/**
 * Interprets all options of a file whose types are linked.
 *
 * @throws {BowireError} `bad_document` for an option that is not known or does not fit.
 */
export function interpretOptions(parsed: ParsedFile, names: OptionNames): void {
  const values = new Map<OptionOwner, MessageValue>();
  // Features decide how custom options are encoded, so the options without extensions come first.
  for (const isCustom of [false, true]) {
    for (const [owner, statements] of parsed.options) {
      const chosen = statements.filter((statement) => isCustomOption(statement) === isCustom);
      if (isCustom && chosen.length === 0) continue;
      const value = values.get(owner) ?? emptyOptions(owner, parsed, names.root);
      values.set(owner, value);
      const scope = names.scopes.get(owner) ?? names.root;
      const assigner = new Assigner(parsed.source, names.lookup, scope);
      for (const statement of chosen) {
        if (assigner.isDeclared(statement)) assigner.assign(value, statement);
        else parsed.warnings.push(unknownOption(parsed, statement));
      }
      complete(owner, parsed, encodeMessage(value));
    }
  }
  for (const [range, first] of parsed.twins) {
    if (first.options !== undefined) range.options = first.options;
  }
}

/** What nobody declares means nothing to anybody here: the rest of the file is worth having. */
function unknownOption({ proto }: ParsedFile, { name: [first] }: OptionStatement): string {
  return `${quote(proto.name)} uses the option ${quote(`(${first?.name})`)}, which none of the ` +
    "files declares: it is left out";
}

function isCustomOption({ name }: OptionStatement): boolean {
  return name.some(({ isExtension }) => isExtension);
}

function emptyOptions(owner: OptionOwner, parsed: ParsedFile, root: Entity): MessageValue {
  const type = root.find(optionsTypeOf(owner));
  // A loader may bring its own descriptor.proto.
  if (!isMessage(type)) failAtOwner(owner, parsed, `${optionsTypeOf(owner)} is not declared`);
  return new MessageValue(type);
}

function complete(owner: OptionOwner, parsed: ParsedFile, bytes: Uint8Array): void {
  try {
    setOptions(owner, bytes);
  } catch (error) {
    failAtOwner(owner, parsed, `these are no options: ${messageOf(error)}`);
  }
  if (owner.$typeName === "google.protobuf.DescriptorProto" && owner.options?.mapEntry === true) {
    failAtOwner(owner, parsed, "map_entry is not for people: expected a field of type map<…>");
  }
}

function failAtOwner(owner: OptionOwner, { source, offsets }: ParsedFile, problem: string): never {
  failAt(source, offsets.get(owner) ?? 0, problem);
}
