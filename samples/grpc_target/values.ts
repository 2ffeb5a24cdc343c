/**
 * Reads the values of a message in JSON.
 *
 * @module
 */
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** An object; empty for everything else. */
export function objectIn(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** A list; empty for everything else. */
export function listIn(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A text; empty for everything else. */
export function textIn(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A number; 0 for what is none. */
export function numberIn(value: JsonValue | undefined): number {
  return Number(value ?? 0) || 0;
}

/** The seconds of a google.protobuf.Duration; 0 without one. */
export function secondsIn(value: JsonValue | undefined): number {
  return numberIn(textIn(value).replace(/s$/, ""));
}
