/**
 * Arguments that are hard to write: where a sample has plain text, text that must be encoded.
 *
 * @module
 */
import { variablesOf } from "./judge/address.ts";
import { bareType, isJson } from "./judge/body.ts";
import { WHOLE_NAMES } from "./judge/content.ts";
import { type RawInputs, rawInputsOf, type RawParameter } from "./judge/inputs.ts";
import { follow, isRawObject, objectAt, type RawObject, type RawOperation } from "./judge/raw.ts";
import type { Validator } from "./judge/schema/validator.ts";

/** What samples have where a schema asks for no more than text. */
const PLAIN = "string";
/** Holds what ends or splits a part of a URL or a form, and text that looks encoded already. */
const AWKWARD = 'a/b c&d=e+f%20;"ü" €😀?#[x]';
/** Headers have no encoding; a comma in their lists cannot be told from one between items. */
const AWKWARD_HEADER = 'a/b c&d=e+f%20;"x" ?#[x]';
/** Nor can a space in a list that has spaces between its items. */
const AWKWARD_ITEM = 'a/b&d=e+f%20;"ü"€😀?#[x]';

/** Where reserved characters go as they are, so does what is encoded already (RFC 6570, 3.2.3). */
const AWKWARD_BARE = 'a/b c&d=e+f;"ü" €😀?#[x]';

/** An operation, and what checks its values. */
export interface Callee {
  readonly root: RawObject;
  readonly operation: RawOperation;
  readonly validator: Validator;
}

/** Arguments with awkward texts where the schemas allow them; `undefined` when that is nowhere. */
export function withAwkwardTexts(values: RawObject, callee: Callee): RawObject | undefined {
  const inputs = rawInputsOf(callee.root, callee.operation);
  // What is in the body as well has another schema there.
  const shared = new Set(
    inputs.media.flatMap(({ schema }) =>
      Object.keys(objectAt(follow(callee.root, schema), "properties"))
    ),
  );
  const names = new Set([
    ...inputs.parameters.map(({ name }) => name),
    ...variablesOf(callee.operation.path),
  ]);
  const parameters = Object.entries(values).filter(([name]) => names.has(name))
    .flatMap(([name, value]) => {
      const takers = inputs.parameters.filter((parameter) => parameter.name === name);
      const awkward = replaceTexts(value, textFor(takers));
      const fits = takers.every(({ schema }) =>
        callee.validator.check(awkward, schema) === undefined
      );
      return awkward !== value && fits && !shared.has(name) ? [[name, awkward]] : [];
    });
  const body = Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
  const changed = { ...Object.fromEntries(parameters), ...awkwardBody(body, inputs, callee) };
  return Object.keys(changed).length === 0 ? undefined : { ...values, ...changed };
}

/** The arguments of a body, if it is still what its schemas ask for. */
function awkwardBody(body: RawObject, { media }: RawInputs, { validator }: Callee): RawObject {
  const awkward = replaceTexts(body, AWKWARD);
  if (awkward === body || !isRawObject(awkward)) return {};
  const whole = WHOLE_NAMES.find((name) => Object.hasOwn(body, name));
  const value = whole === undefined ? awkward : awkward[whole];
  const json = media.filter(({ type }) => isJson(bareType(type)));
  const fits = (json.length === 0 ? media : json)
    .every(({ schema }) => validator.check(value, schema) === undefined);
  return fits ? awkward : {};
}

function textFor(takers: readonly RawParameter[]): string {
  if (takers.some(({ definition }) => definition["allowReserved"] === true)) return AWKWARD_BARE;
  if (takers.some(({ place }) => place === "header")) return AWKWARD_HEADER;
  return takers.some(({ style }) => style === "spaceDelimited") ? AWKWARD_ITEM : AWKWARD;
}

/** The same value when there is no plain text in it. */
function replaceTexts(value: unknown, text: string): unknown {
  if (value === PLAIN) return text;
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceTexts(item, text));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isRawObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    replaceTexts(member, text),
  ]);
  return members.every(([name, member]) => member === value[name])
    ? value
    : Object.fromEntries(members);
}
