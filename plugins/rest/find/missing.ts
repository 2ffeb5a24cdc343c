/**
 * Why a target has no API document, in words.
 *
 * @module
 */
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import type { Look } from "./find.ts";

const NONE = "no OpenAPI or Swagger document here";

/**
 * What the looks came to.
 *
 * @returns the hint only where there is something to do about it.
 */
export function whyNone(looks: readonly Look[]): { reason: string; hint?: string } {
  const [own] = looks;
  const isLocked = own?.status === 401 || own?.status === 403;
  // Some servers refuse whatever they do not know; of the usual places only a challenge counts.
  const locked = isLocked ? own : looks.find(({ challenge }) => challenge !== undefined);
  if (locked?.status !== 401 && locked?.status !== 403) {
    return { reason: "no OpenAPI or Swagger document here" };
  }
  const challenge = cleanLine(locked.challenge ?? "", 200);
  return {
    reason: `${NONE}; "${locked.url}" asks for credentials${
      challenge === "" ? "" : ` (${challenge})`
    }`,
    hint: "give them as metadata, as in -H 'Authorization: Bearer …'",
  };
}
