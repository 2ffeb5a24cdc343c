/**
 * Judges the body: in a form that the document offers, and holding the arguments that are no
 * parameters.
 *
 * @module
 */
import { variablesOf } from "./address.ts";
import { bodyOf, compareBody, memberNames, offeredAs, type SentBody } from "./body.ts";
import { type Case, type Complaint, withWrittenNames } from "./case.ts";
import type { RawMedia } from "./inputs.ts";
import type { RawObject } from "./raw.ts";

/** A body that is right so far. */
export interface Content {
  readonly media: RawMedia;
  readonly value: unknown;
}

/** Names under which a body may be given whole. */
export const WHOLE_NAMES = ["body", "requestBody", "wholeBody"];

/** The body of a request, `undefined` when it has none and needs none, or what is wrong with it. */
export async function judgeContent(
  call: Case,
  root: RawObject,
): Promise<Content | Complaint | undefined> {
  const { inputs, operation, sent } = call;
  const own = withoutParameters(call);
  const body = bodyOf(sent);
  if (body === undefined) {
    if (Object.keys(own).length > 0) {
      return { kind: "argument not sent", detail: Object.keys(own).join(", ") };
    }
    return inputs.isBodyRequired
      ? { kind: "required body not sent", detail: operation.verb }
      : undefined;
  }
  const media = offeredAs(inputs.media, body.type);
  if (media === undefined) {
    const offered = inputs.media.map(({ type }) => type).join(", ");
    return { kind: "content type not offered", detail: `"${body.type}" of ${offered}` };
  }
  const found = await readValue(body, media, { root, own, values: call.values });
  return typeof found === "string"
    ? { kind: `body: ${found}`, detail: `"${media.type}"` }
    : { media, value: found.value };
}

function withoutParameters({ inputs, operation, values }: Case): RawObject {
  const names = new Set(inputs.parameters.map(({ name }) => name));
  for (const name of variablesOf(operation.path)) names.add(name);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
}

/** The body's value: an argument that is the whole, or an object of several arguments. */
async function readValue(
  body: SentBody,
  media: RawMedia,
  { root, own, values }: { root: RawObject; own: RawObject; values: RawObject },
): Promise<{ value: unknown } | string> {
  const wholes = WHOLE_NAMES.filter((name) => Object.hasOwn(own, name)).map((name) => own[name]);
  // What is in the path may be in the body as well.
  const members = await memberNames(body);
  const shared = members.filter((name) => Object.hasOwn(values, name));
  const object = {
    ...withWrittenNames(own, members),
    ...Object.fromEntries(shared.map((name) => [name, values[name]])),
  };
  const faults: string[] = [];
  for (const value of [...wholes, object]) {
    const copy = { type: body.type, response: body.response.clone() };
    const fault = await attempt(() => compareBody(copy, media, { root, value }));
    if (fault === undefined) return { value };
    faults.push(fault);
  }
  return faults[0] ?? "no value";
}

async function attempt(
  compare: () => Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    return await compare();
  } catch (error) {
    if (error instanceof Error) return "it cannot be read";
    throw error;
  }
}
