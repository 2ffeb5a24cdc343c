/**
 * Random messages of a type as JSON text.
 *
 * @module
 */
import {
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescMessage,
  ScalarType,
} from "@bufbuild/protobuf";
import type { Dice } from "./dice.ts";
import { anyText, integerOf, scalarText } from "./scalars.ts";
import { wellKnownText } from "./well_known.ts";

/** What messages are made of. */
export interface Making {
  readonly dice: Dice;
  /** Types that stand in Any. */
  readonly packable: readonly DescMessage[];
  readonly extensionsOf: (type: DescMessage) => readonly DescExtension[];
  /** How many more fields may be set, besides those required. */
  budget: number;
  /** How many more messages may lie within one another. */
  readonly depth: number;
}

type AnyField = DescField | DescExtension;
const REQUIRED = 3;

/** A message as JSON text. */
export function messageText(type: DescMessage, making: Making): string {
  if (type.typeName === "google.protobuf.Any") return packedText(making);
  return wellKnownText(type.typeName, making.dice) ?? `{${membersText(type, making)}}`;
}

function packedText(making: Making): string {
  if (making.depth <= 0 || making.packable.length === 0) return "{}";
  const type = making.dice.pick(making.packable);
  const opening = `{"@type":"type.googleapis.com/${type.typeName}"`;
  const json = messageText(type, { ...making, depth: making.depth - 2 });
  const isPlain = wellKnownText(type.typeName, making.dice) === undefined &&
    type.typeName !== "google.protobuf.Any";
  if (!isPlain) return `${opening},"value":${json}}`;
  return json === "{}" ? `${opening}}` : `${opening},${json.slice(1)}`;
}

function membersText(type: DescMessage, making: Making): string {
  const { dice } = making;
  const taken = new Set<unknown>();
  const members: string[] = [];
  for (const field of [...type.fields, ...making.extensionsOf(type)]) {
    const isRequired = field.presence === REQUIRED;
    if (!isRequired && (making.budget <= 0 || !dice.isIn(field.message ? 45 : 60))) continue;
    if (!isRequired && field.message !== undefined && making.depth <= 0) continue;
    if (field.oneof !== undefined && taken.has(field.oneof)) continue;
    taken.add(field.oneof);
    making.budget--;
    const isExtension = field.kind === "extension";
    const name = isExtension || dice.isIn(70) ? field.jsonName : field.name;
    const isNull = !isRequired && field.oneof === undefined && dice.isIn(4);
    members.push(`${JSON.stringify(name)}:${isNull ? "null" : fieldText(field, making)}`);
  }
  return members.join(",");
}

function fieldText(field: AnyField, making: Making): string {
  const { dice } = making;
  const inner = { ...making, depth: making.depth - 1 };
  // The budget is one for the whole message.
  const value = () => {
    inner.budget = making.budget;
    const text = elementText(field, inner);
    making.budget = inner.budget;
    return text;
  };
  if (field.fieldKind === "list") {
    return `[${Array.from({ length: dice.below(4) }, value).join(",")}]`;
  }
  if (field.fieldKind !== "map") return value();
  const entries = new Map(
    Array.from({ length: dice.below(4) }, () => [keyText(field.mapKey, dice), value()]),
  );
  return `{${[...entries].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")}}`;
}

function keyText(scalar: ScalarType, dice: Dice): string {
  if (scalar === ScalarType.STRING) return anyText(dice);
  return scalar === ScalarType.BOOL
    ? dice.pick(["true", "false"])
    : String(integerOf(scalar, dice));
}

function elementText(field: AnyField, making: Making): string {
  if (field.scalar !== undefined) return scalarText(field.scalar, making.dice);
  if (field.message !== undefined) return messageText(field.message, making);
  return enumText(field.enum, making.dice);
}

function enumText(type: DescEnum, dice: Dice): string {
  if (type.typeName === "google.protobuf.NullValue") return "null";
  if (type.open && dice.isIn(15)) return dice.pick(["12345", "-1", "2147483647"]);
  const value = dice.pick(type.values);
  return dice.isIn(25) ? String(value.number) : JSON.stringify(value.name);
}
