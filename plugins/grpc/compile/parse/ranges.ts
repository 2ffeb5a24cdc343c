/**
 * Ranges of numbers and reserved names.
 *
 * @module
 */
import { create } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  DescriptorProto_ExtensionRangeSchema,
  DescriptorProto_ReservedRangeSchema,
  type EnumDescriptorProto,
  EnumDescriptorProto_EnumReservedRangeSchema,
} from "@bufbuild/protobuf/wkt";
import type { Draft } from "./draft.ts";
import { parseBrackets } from "./options.ts";

/** Most that a field's number may be. */
export const MAX_FIELD_NUMBER = 2 ** 29 - 1;
const MAX_INT32 = 2 ** 31 - 1;
const MIN_INT32 = -(2 ** 31);

/** Both ends belong to it; one up to `max` has no last number yet. */
interface Range {
  readonly first: number;
  readonly last: number | undefined;
  readonly offset: number;
}

/** The end of a range up to `max` while the message is being parsed. */
const OPEN_END = 0;

/** Reads an integer of 32 bits with its sign. */
export function parseInt32(draft: Draft, what: string): number {
  const isNegative = draft.cursor.accept("-");
  const { start } = draft.cursor.token;
  const value = Number(draft.cursor.integer(what)) * (isNegative ? -1 : 1);
  if (value > MAX_INT32 || value < MIN_INT32) {
    draft.fail(`${what} is not within 32 bits`, start);
  }
  // No negative zero.
  return value + 0;
}

/** `2`, `4 to 6`, `8 to max`, separated by commas. */
function parseRanges(draft: Draft, least: number): Range[] {
  const { cursor } = draft;
  const ranges: Range[] = [];
  do {
    const offset = cursor.token.start;
    const first = parseInt32(draft, "a number");
    const isRange = cursor.accept("to");
    const isOpen = isRange && cursor.accept("max");
    const last = isOpen ? undefined : isRange ? parseInt32(draft, "a number") : first;
    if (first < least) draft.fail(`the range starts before ${least}`, offset);
    if (last !== undefined && last < first) draft.fail("the range ends before it starts", offset);
    ranges.push({ first, last, offset });
  } while (cursor.accept(","));
  return ranges;
}

function endOf({ last }: Range): number {
  return last === undefined ? OPEN_END : last + 1;
}

/** `extensions 100 to 199, 500 [declaration = …];` */
export function parseExtensions(draft: Draft, message: DescriptorProto): void {
  const { cursor } = draft;
  const { start } = cursor.token;
  cursor.expect("extensions");
  const [head, ...others] = parseRanges(draft, 1).map((range) => {
    const made = create(DescriptorProto_ExtensionRangeSchema, {
      start: range.first,
      end: endOf(range),
    });
    draft.place(made, range.offset);
    message.extensionRange.push(made);
    return made;
  });
  if (head !== undefined) {
    parseBrackets(draft, head);
    for (const other of others) draft.twins.set(other, head);
  }
  draft.within(5, undefined, () => draft.end(";", start));
}

/** `reserved 2, 4 to 6;`, `reserved "a", "b";` or, in editions, `reserved a, b;`. */
export function parseReserved(draft: Draft, owner: DescriptorProto): void {
  parseReservation(draft, owner.reservedName, {
    fields: [9, 10],
    addRanges: () => {
      for (const range of parseRanges(draft, 1)) {
        const ends = { start: range.first, end: endOf(range) };
        owner.reservedRange.push(create(DescriptorProto_ReservedRangeSchema, ends));
      }
    },
  });
}

/** The same in an enum, where the end of a range belongs to it. */
export function parseEnumReserved(draft: Draft, owner: EnumDescriptorProto): void {
  parseReservation(draft, owner.reservedName, {
    fields: [4, 5],
    addRanges: () => {
      for (const { first, last } of parseRanges(draft, MIN_INT32)) {
        const ends = { start: first, end: last ?? MAX_INT32 };
        owner.reservedRange.push(create(EnumDescriptorProto_EnumReservedRangeSchema, ends));
      }
    },
  });
}

function parseReservation(
  draft: Draft,
  names: string[],
  { fields, addRanges }: {
    fields: readonly [ranges: number, names: number];
    addRanges: () => void;
  },
): void {
  const { cursor } = draft;
  const { start } = cursor.token;
  cursor.expect("reserved");
  const { kind } = cursor.token;
  const areNames = kind === "word" || kind === "string";
  if (areNames) {
    do {
      names.push(kind === "word" ? cursor.word("a name") : cursor.string("a name in quotes"));
    } while (cursor.accept(","));
  } else addRanges();
  draft.within(fields[areNames ? 1 : 0], undefined, () => draft.end(";", start));
}

/** Gives the ranges up to `max` of a message that was parsed their end. */
export function closeRanges(draft: Draft, message: DescriptorProto): void {
  const open = [...message.extensionRange, ...message.reservedRange]
    .filter(({ end }) => end === OPEN_END);
  if (open.length === 0) return;
  // Extensions of message sets have numbers of 31 bits.
  const isMessageSet = draft.statementsOf(message).some(({ name, value }) =>
    name.length === 1 && name[0]?.name === "message_set_wire_format" &&
    value.kind === "word" && value.word === "true"
  );
  for (const range of open) range.end = isMessageSet ? MAX_INT32 : MAX_FIELD_NUMBER + 1;
}
