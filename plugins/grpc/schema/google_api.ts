/**
 * The HTTP request that a method stands for at a gateway, as `google.api.http` tells it. It is read
 * from the bytes of the options, so that `google/api/annotations.proto` need not be there.
 *
 * @module
 */
import type { DescMethod } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { cleanLine } from "../../../lib/schema/clean_text.ts";

/** Verb and path template of a method. */
export interface HttpRule {
  /** In upper case. */
  readonly httpMethod: string;
  /** With the names of fields in braces. */
  readonly httpPath: string;
  /** The field that is the body of the request, `*` for all fields that are not in the path. */
  readonly body?: string;
}

/** Number of `google.api.http` in `google.protobuf.MethodOptions`. */
const HTTP_OPTION = 72295728;
/** Fields of `google.api.HttpRule` that are verbs with a path. */
const VERBS: ReadonlyMap<number, string> = new Map([
  [2, "GET"],
  [3, "PUT"],
  [4, "POST"],
  [5, "DELETE"],
  [6, "PATCH"],
]);
const [BODY, CUSTOM] = [7, 8];
/** Fields of `google.api.CustomHttpPattern`. */
const [KIND, PATH] = [1, 2];

const MAX_LENGTH = 2000;

/** The rule of a method; `undefined` when it has none that can be read. */
export function httpRuleOf({ proto }: DescMethod): HttpRule | undefined {
  // A reader takes the last of several.
  const option = proto.options?.$unknown?.findLast(({ no, wireType }) =>
    no === HTTP_OPTION && wireType === WireType.LengthDelimited
  );
  if (option === undefined) return undefined;
  try {
    return readRule(new BinaryReader(option.data).bytes());
  } catch {
    return undefined; // options are bytes of strangers
  }
}

function readRule(bytes: Uint8Array): HttpRule | undefined {
  const parts = readParts(bytes);
  const body = text(parts.get(BODY));
  const [last] = [...parts.keys()].filter((no) => VERBS.has(no) || no === CUSTOM).slice(-1);
  if (last === undefined) return undefined;
  const custom = last === CUSTOM ? readParts(parts.get(CUSTOM)) : undefined;
  const httpMethod = custom === undefined ? VERBS.get(last) : text(custom.get(KIND))?.toUpperCase();
  const httpPath = text(custom === undefined ? parts.get(last) : custom.get(PATH));
  if (httpMethod === undefined || httpPath === undefined) return undefined;
  return { httpMethod, httpPath, ...(body === undefined ? {} : { body }) };
}

/** The fields of a message that are texts or messages, by number; the last of each. */
function readParts(bytes: Uint8Array = new Uint8Array()): Map<number, Uint8Array> {
  const reader = new BinaryReader(bytes);
  const parts = new Map<number, Uint8Array>();
  while (reader.pos < reader.len) {
    const [no, wireType] = reader.tag();
    if (wireType === WireType.LengthDelimited) parts.set(no, reader.bytes());
    else reader.skip(wireType, no);
  }
  return parts;
}

function text(bytes: Uint8Array | undefined): string | undefined {
  return cleanLine(new TextDecoder().decode(bytes), MAX_LENGTH) || undefined;
}
