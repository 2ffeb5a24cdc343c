/**
 * The formats that values are held to. All other formats only describe.
 *
 * @module
 */
import { parseJson } from "../exact_json.ts";
import { isNumber, isWhole, isWithin } from "../numbers.ts";

/** A format that is asserted, of texts or of numbers. */
interface Format {
  readonly name: string;
  readonly has: (value: unknown) => boolean;
}

const FORMATS: ReadonlyMap<string, Format> = new Map(Object.entries({
  date: { name: "a date", has: ofText(isDate) },
  "date-time": { name: "a date-time", has: ofText(isDateTime) },
  uuid: {
    name: "a UUID",
    has: ofText((text) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)),
  },
  ipv4: { name: "an IPv4 address", has: ofText(isIpv4) },
  ipv6: { name: "an IPv6 address", has: ofText(isIpv6) },
  int32: { name: "a 32-bit integer", has: ofRange("-2147483648", "2147483647") },
  int64: {
    name: "a 64-bit integer",
    has: ofRange("-9223372036854775808", "9223372036854775807"),
  },
}));

/** What the value should be and is not, such as `a date`; `undefined` when nothing is wrong. */
export function missedFormat(format: unknown, value: unknown): string | undefined {
  const known = typeof format === "string" ? FORMATS.get(format) : undefined;
  return known === undefined || known.has(value) ? undefined : known.name;
}

function ofText(test: (text: string) => boolean): (value: unknown) => boolean {
  return (value) => typeof value !== "string" || test(value);
}

function ofRange(low: string, high: string): (value: unknown) => boolean {
  const [minimum, maximum] = [low, high].map(parseJson);
  return (value) => {
    if (!isNumber(value) || !isNumber(minimum) || !isNumber(maximum)) return true;
    return isWhole(value) && isWithin(value, { minimum, maximum });
  };
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** RFC 3339, section 5.6, `full-date`. */
function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : DAYS[month - 1] ?? 0;
  return day >= 1 && day <= days;
}

/** RFC 3339, section 5.6, `date-time`, with the notes there: lower case, and a space for the T. */
function isDateTime(text: string): boolean {
  const [, date = "", hour, minute, second, offsetHour = "0", offsetMinute = "0"] =
    /^([\d-]{10})[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d):(\d\d))$/.exec(text) ?? [];
  return isDate(date) && Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 60 &&
    Number(offsetHour) <= 23 && Number(offsetMinute) <= 59;
}

function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/.test(text) && !text.endsWith(".") &&
    !/(?:^|\.)0\d/.test(text);
}

/** RFC 4291, section 2.2. */
function isIpv6(text: string): boolean {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) return false;
  const groups = [head, tail ?? ""].flatMap((part) => part === "" ? [] : part.split(":"));
  const last = groups.at(-1) ?? "";
  const isMixed = last.includes(".");
  const isRight = groups.every((group, index) =>
    isMixed && index === groups.length - 1 ? isIpv4(group) : /^[\da-f]{1,4}$/i.test(group)
  );
  const count = groups.length + (isMixed ? 1 : 0);
  return isRight && (tail === undefined ? count === 8 : count <= 7);
}
