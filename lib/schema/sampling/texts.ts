/**
 * Short texts that a person would write: they fit a format, patterns and a length.
 *
 * @module
 */
import { generateSync } from "json-schema-faker";
import type { JsonObject } from "../json_schema.ts";
import { compilePattern } from "../patterns.ts";
import { missedFormat } from "../validation/formats.ts";
import { leastCount, mostCount, valuesOf } from "./demands.ts";

/** A text of each format; addresses are those that are set aside for examples (RFC 2606, 5737). */
const TEXTS: ReadonlyMap<unknown, string> = new Map(Object.entries({
  date: "2025-01-15",
  "date-time": "2025-01-15T09:30:00Z",
  datetime: "2025-01-15T09:30:00Z",
  dateTime: "2025-01-15T09:30:00Z",
  "google-datetime": "2025-01-15T09:30:00Z",
  time: "09:30:00Z",
  duration: "PT1H",
  "google-duration": "1.5s",
  email: "user@example.com",
  "idn-email": "user@example.com",
  hostname: "example.com",
  domain: "example.com",
  ipv4: "192.0.2.1",
  ip: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  url: "https://example.com/",
  iri: "https://example.com/",
  "uri-reference": "/example",
  "iri-reference": "/example",
  "uri-template": "https://example.com/{id}",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  guid: "123e4567-e89b-12d3-a456-426614174000",
  "json-pointer": "/example",
  regex: "^.*$",
  byte: "c3RyaW5n",
  base64: "c3RyaW5n",
  base64url: "c3RyaW5n",
  int32: "1",
  int64: "1",
  uint32: "1",
  uint64: "1",
  decimal: "1.00",
  currency: "USD",
  phone: "+15555550100",
  "phone-number": "+15555550100",
}));

/** What patterns and lengths often admit. */
const USUAL = [
  "String",
  "STRING",
  "a",
  "A",
  "1",
  "abc",
  "ABC",
  "example-1",
  "/string",
  "1.0",
  "123",
  "en-US",
  "true",
  "",
  "2025-01-15",
  "09:30:00",
  "2025-01-15T09:30:00Z",
  "2025-01-15T09:30:00.000Z",
  "2025-01-15T09:30:00+00:00",
  "2025-01-15T09:30:00.000+00:00",
  "example.com",
  "https://example.com/",
  "user@example.com",
  "192.0.2.1",
];

/** A text for nodes; `variant` tells several from each other. */
export function sampleText(
  nodes: readonly JsonObject[],
  { seed, variant }: { seed: number; variant: number },
): string | undefined {
  const least = leastCount(nodes, "minLength");
  const most = mostCount(nodes, "maxLength");
  const patterns = valuesOf(nodes, "pattern").filter((pattern) => typeof pattern === "string");
  const formats = valuesOf(nodes, "format");
  const fits = (text: string) =>
    text.length >= least && text.length <= most &&
    patterns.every((pattern) => compilePattern(pattern)?.test(text) !== false) &&
    formats.every((format) => missedFormat(format, text) === undefined);
  const formatted = TEXTS.get(formats[0] ?? valuesOf(nodes, "contentEncoding")[0]);
  const plain = resize(variant === 0 ? "string" : `string${variant + 1}`, least, most);
  const candidates = formatted === undefined || variant > 0
    ? [plain]
    : [formatted, resize(formatted, least, most), plain];
  return [...candidates, ...USUAL.slice(variant)].find(fits) ??
    fromPatterns(patterns, { least, most, seed: seed + variant, fits });
}

/** The text cut, or repeated, to fit a length. */
function resize(text: string, least: number, most: number): string {
  if (text.length > most) return text.slice(0, most);
  return text.length < least ? text.padEnd(Math.min(least, MAX_LENGTH), text) : text;
}

/** Longest text that is made. */
const MAX_LENGTH = 100_000;

/** What a text must be like besides its pattern. */
interface Wanted {
  readonly least: number;
  readonly most: number;
  readonly seed: number;
  readonly fits: (text: string) => boolean;
}

function fromPatterns(patterns: readonly string[], wanted: Wanted): string | undefined {
  // Where repetition has no end of its own, the generator stops early: ask for more of it.
  const counts = [0, 1, 2, 3, 5, 8, 12].map((less) => wanted.least - less).filter((n) => n > 0);
  for (const source of patterns.map(spellOut)) {
    for (const pattern of [tame(source), source]) {
      for (const attempt of [pattern, ...counts.map((count) => repeat(pattern, count))]) {
        const text = fromPattern(attempt, wanted);
        if (text !== undefined && wanted.fits(text)) return text;
      }
    }
  }
  return undefined;
}

/** The pattern with characters in place of their codes, which the generator does not know. */
function spellOut(pattern: string): string {
  return pattern.replace(/\\u([\da-fA-F]{4})/g, (_, code) => {
    const character = String.fromCharCode(parseInt(code, 16));
    return /[\^$\\.*+?()[\]{}|\/-]/.test(character) ? `\\${character}` : character;
  });
}

/** The pattern with plain letters or digits wherever it admits them among others. */
function tame(pattern: string): string {
  return pattern.replace(/\\p\{\w+\}|\\(.)|\[(?:\\.|[^\]\\])*\]|\./gsu, (part, escaped) => {
    if (escaped !== undefined) return /[wSD]/.test(escaped) ? "[a-z]" : part;
    if (part === "." || /a-z|\\[wp]|^\[\^/.test(part)) return "[a-z]";
    return part.includes("A-Z") ? "[A-Z]" : /0-9|\\d/.test(part) ? "[0-9]" : part;
  });
}

/** The pattern with everything that may be repeated at will, outside classes, repeated so often. */
function repeat(pattern: string, count: number): string {
  return pattern.replace(
    /\\.|\[(?:\\.|[^\]\\])*\]|([+*]|\{\d+,(\d*)\})\??/gu,
    (part, repeated, most) =>
      repeated === undefined ? part : `{${Math.min(count, Number(most) || Infinity)}}`,
  );
}

function fromPattern(pattern: string, { least, most, seed }: Wanted): string | undefined {
  const lengths = {
    ...(least > 0 ? { minLength: least } : {}),
    ...(most < Infinity ? { maxLength: most } : {}),
  };
  try {
    const text = generateSync({ type: "string", pattern, ...lengths }, { seed });
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined; // a pattern that it cannot read
  }
}
