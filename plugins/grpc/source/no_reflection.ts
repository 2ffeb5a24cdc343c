/**
 * What to say of a server that does not describe itself.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { place, type Target } from "../../../lib/protocol/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import type { NoReflection } from "../reflection/reflection.ts";
import { Code, codeName } from "../status/codes.ts";

const ADD_FILES = "add its schema files: bowire schema add FILE.proto --url URL, or " +
  "bowire.schema.add; for one call: -proto, -import-path, -protoset";

/** How a server answered the question for reflection. */
export type Refusal = "absent" | "refused" | "no gRPC";

/** Whether a server has no reflection, does not let it be used, or speaks no gRPC at all. */
export function refusalOf({ end }: NoReflection): Refusal {
  const { "content-type": type = "application/grpc" } = { ...end.headers, ...end.trailers };
  const isUnknownType = end.message.startsWith("unsupported content type");
  if (isUnknownType || !/^application\/(?:grpc|connect|proto|json)/.test(type)) return "no gRPC";
  return end.code === Code.unimplemented || end.code === Code.unavailable ? "absent" : "refused";
}

/** The same in a sentence, and what to do about it. */
export function sentenceOf(
  reason: NoReflection,
): { readonly message: string; readonly hint: string } {
  const { end } = reason;
  switch (refusalOf(reason)) {
    case "no gRPC":
      return {
        message: "it answers HTTP, but not gRPC",
        hint: "is the port that of the gRPC server?",
      };
    case "absent":
      return { message: "it speaks gRPC without reflection", hint: ADD_FILES };
    case "refused": {
      const said = end.message === "" ? "" : ` (${cleanLine(end.message, 200)})`;
      return {
        message: `its reflection answered ${codeName(end.code)}${said}`,
        hint: end.code === Code.unauthenticated
          ? "send credentials as metadata, with discovery as well"
          : ADD_FILES,
      };
    }
  }
}

/** The error of a call that nothing describes. */
export function explainNoReflection(target: Target, reason: NoReflection): BowireError {
  const { message, hint } = sentenceOf(reason);
  return new BowireError("not_discovered", `cannot call ${place(target)}: ${message}`, { hint });
}
