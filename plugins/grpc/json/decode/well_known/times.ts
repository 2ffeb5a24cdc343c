/**
 * `google.protobuf.Timestamp` and `Duration`: text in JSON, seconds and nanoseconds on the wire.
 *
 * @module
 */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { isDuration, isTimestamp } from "../../shared/times.ts";
import { type Found, lastOf, readWellKnown } from "../context.ts";
import { readWire } from "../wire.ts";

/** The JSON text of a Timestamp. */
export function decodeTimestamp(found: Found): string {
  const { seconds, nanos } = readParts(found);
  if (!isTimestamp(Number(seconds)) || nanos < 0 || nanos >= 1e9) {
    return outOfRange(found, { seconds, nanos });
  }
  const date = new Date(Number(seconds) * 1000).toISOString().slice(0, -".000Z".length);
  return `"${date}${fractionText(nanos)}Z"`;
}

/** The JSON text of a Duration. */
export function decodeDuration(found: Found): string {
  const { seconds, nanos } = readParts(found);
  const isMixed = (seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0);
  if (!isDuration(Number(seconds)) || Math.abs(nanos) >= 1e9 || isMixed) {
    return outOfRange(found, { seconds, nanos });
  }
  const sign = seconds < 0n || nanos < 0 ? "-" : "";
  const whole = seconds < 0n ? -seconds : seconds;
  return `"${sign}${whole}${fractionText(Math.abs(nanos))}s"`;
}

interface Parts {
  readonly seconds: bigint;
  readonly nanos: number;
}

function readParts(found: Found): Parts {
  const records = readWellKnown(found, { 1: WireType.Varint, 2: WireType.Varint });
  const last = (no: number) => {
    const data = lastOf(records, no);
    return data === undefined ? undefined : new BinaryReader(data);
  };
  return readWire(found.place, () => ({
    seconds: BigInt(last(1)?.int64() ?? 0),
    nanos: last(2)?.int32() ?? 0,
  }));
}

/** Nothing, or 3, 6 or 9 digits. */
function fractionText(nanos: number): string {
  if (nanos === 0) return "";
  return `.${String(nanos).padStart(9, "0").replace(/(?:000){1,2}$/, "")}`;
}

function outOfRange({ place, context }: Found, { seconds, nanos }: Parts): string {
  context.report.note(place, "the time is out of range and stands as its numbers");
  return `{"seconds":"${seconds}","nanos":${nanos}}`;
}
