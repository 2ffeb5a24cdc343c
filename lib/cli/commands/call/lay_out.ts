/**
 * An answer as it is printed.
 *
 * @module
 */
import { parseJson } from "../../../schema/mod.ts";
import { safe, type Terminal } from "../../terminal.ts";

/** JSON set out to read, its numbers unchanged; other text as it is, made safe for a terminal. */
export function layOut(
  response: string,
  { isInteractive }: Terminal,
  isCompact: boolean,
): string {
  try {
    const text = JSON.stringify(parseJson(response), null, isCompact ? undefined : 2);
    return isInteractive ? safe(text) : text;
  } catch {
    return isInteractive ? safe(response) : response;
  }
}
