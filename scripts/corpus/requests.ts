/**
 * Part two: calls of drawn operations with arguments made for them, each request judged.
 *
 * @module
 */
import { BowireError } from "../../lib/errors/mod.ts";
import type { Protocol } from "../../lib/protocol/mod.ts";
import { parseJson } from "../../lib/schema/exact_json.ts";
import { sampleOf } from "../../lib/schema/sample.ts";
import { withAwkwardTexts } from "./awkward.ts";
import type { MethodName } from "./discovery.ts";
import type { Gateway, SentRequest } from "./gateway.ts";
import type { Complaint } from "./judge/case.ts";
import type { Judge, Judgement } from "./judge/judge.ts";
import { isRawObject, type RawObject, type RawOperation } from "./judge/raw.ts";
import { parseExact } from "./judge/values.ts";

/** A drawn operation and the method that it became. */
export interface Draw {
  readonly operation: RawOperation;
  readonly name: MethodName;
}

/** Arguments as JSON text. */
export interface ArgumentSet {
  readonly label: "the sample" | "all arguments" | "awkward texts";
  readonly text: string;
}

/** What is needed to call the operations of one document. */
export interface Bench {
  readonly rest: Protocol;
  readonly gateway: Gateway;
  readonly judge: Judge;
  readonly root: RawObject;
  /** Of the values that are made up. */
  readonly seed: number;
}

/**
 * Arguments for one method, as JSON texts: its sample, a set that has all optional arguments too, and
 * that set with awkward texts.
 *
 * @returns complaints when there are none.
 */
export async function makeArguments(
  { rest, gateway, judge, root, seed }: Bench,
  { operation, name }: Draw,
): Promise<{ sets: ArgumentSet[]; complaints: Complaint[] }> {
  try {
    const schema = await rest.describe?.(
      { target: gateway.target, ...name, metadata: {} },
      gateway.context,
    );
    if (schema === undefined) {
      return { sets: [], complaints: [{ kind: "no description", detail: "" }] };
    }
    const input = parseJson(schema.input);
    const full = isRawObject(input) ? sampleOf(input, { optionals: true, seed }) : undefined;
    const sets: ArgumentSet[] = [];
    if (schema.sample !== undefined) sets.push({ label: "the sample", text: schema.sample });
    if (full !== undefined) sets.push({ label: "all arguments", text: JSON.stringify(full) });
    const values = parseExact(sets.at(-1)?.text ?? "null");
    const awkward = isRawObject(values)
      ? withAwkwardTexts(values, { root, operation, validator: judge.validator })
      : undefined;
    if (awkward !== undefined) {
      sets.push({ label: "awkward texts", text: JSON.stringify(awkward) });
    }
    const complaints = schema.sample === undefined ? [{ kind: "no sample", detail: "" }] : [];
    return { sets, complaints };
  } catch (error) {
    return { sets: [], complaints: [complaintOf("description", error)] };
  }
}

/** Calls a method with arguments and judges the request. */
export async function makeRequest(
  { rest, gateway, judge }: Bench,
  { operation, name }: Draw,
  { label, text }: ArgumentSet,
): Promise<Judgement | Complaint> {
  let sent: SentRequest | undefined;
  try {
    sent = await gateway.record(() =>
      rest.invoke(
        { target: gateway.target, ...name, messages: [text], metadata: {}, validate: true },
        gateway.context,
      )
    );
  } catch (error) {
    return complaintOf(`call with ${label}`, error);
  }
  if (sent === undefined) return { kind: "nothing was sent", detail: "" };
  const values = parseExact(text);
  return isRawObject(values)
    ? await judge.judge({ operation, values, sent })
    : { kind: "arguments are no object", detail: text };
}

function complaintOf(action: string, error: unknown): Complaint {
  if (!(error instanceof BowireError)) {
    const detail = error instanceof Error ? error.stack ?? error.message : String(error);
    return { kind: `${action} crashed`, detail };
  }
  return { kind: `${action} refused: ${error.code}`, detail: error.message };
}
