/**
 * `google.protobuf.Timestamp` and `Duration`: text in JSON, seconds and nanoseconds on the wire.
 *
 * @module
 */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { isDuration, isTimestamp } from "../../shared/times.ts";
import type { Given } from "../given.ts";
import { textOf } from "../scalar.ts";

/** RFC 3339, section 5.6. */
const TIMESTAMP =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const DURATION = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/;

/** The bytes of a Timestamp, from the year 1 to the year 9999. */
export function encodeTimestamp(given: Given): Uint8Array {
  const wanted = 'wanted a date and time as in "2024-02-29T12:30:00.5Z"';
  const [, local = "", fraction, sign, hours, minutes] = TIMESTAMP.exec(textOf(given)) ?? [];
  const localMs = Date.parse(`${local}Z`);
  // The engine takes the 30th of February for a day in March, and 24:00 for the next day.
  if (Number.isNaN(localMs) || !new Date(localMs).toISOString().startsWith(local)) {
    throw given.place.error(`is no date and time that exists, ${wanted}`);
  }
  const offsetSeconds = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60;
  const seconds = localMs / 1000 - (sign === "-" ? -offsetSeconds : offsetSeconds);
  if (!isTimestamp(seconds)) {
    throw given.place.error("is out of range, wanted a time from the year 1 to the year 9999");
  }
  return encodeParts(seconds, nanosOf(fraction));
}

/** The bytes of a Duration, of up to 10,000 years. */
export function encodeDuration(given: Given): Uint8Array {
  const found = DURATION.exec(textOf(given));
  if (found === null) throw given.place.error('is no duration, wanted seconds as in "1.5s"');
  const [, sign, whole, fraction] = found;
  const direction = sign === "-" ? -1 : 1;
  const [seconds, nanos] = [Number(whole), nanosOf(fraction)];
  if (!isDuration(seconds)) throw given.place.error("is out of range, wanted up to 10,000 years");
  return encodeParts(direction * seconds, direction * nanos);
}

function nanosOf(fraction = ""): number {
  return Number(fraction.padEnd(9, "0"));
}

function encodeParts(seconds: number, nanos: number): Uint8Array {
  const writer = new BinaryWriter();
  if (seconds !== 0) writer.tag(1, WireType.Varint).int64(seconds);
  if (nanos !== 0) writer.tag(2, WireType.Varint).int32(nanos);
  return writer.finish();
}
