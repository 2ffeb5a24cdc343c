/**
 * Judges path, query, headers and cookies: each argument is in its place, and nothing else is.
 *
 * @module
 */
import { type Address, variablesOf } from "./address.ts";
import { type Case, type Complaint, nameOf, parametersOf, valueOf } from "./case.ts";
import type { RawParameter } from "./inputs.ts";
import { Pairs } from "./query.ts";
import { isRawObject } from "./raw.ts";
import { isReadingOf, isUnwritten, readText } from "./styles.ts";
import { isJsonOf, isNested } from "./values.ts";

/** Headers that a client adds by itself. */
const OWN_HEADERS = new Set(["accept", "user-agent", "content-type", "cookie"]);

/** All that is wrong with the places. */
export function judgePlaces(call: Case, address: Address): Complaint[] {
  const complaints: Complaint[] = [];
  const query = new Pairs(address.query, { separator: "&", decode: decodeURIComponent });
  const headers = new Map(
    call.sent.headers.map(([name, value]) => [name.toLowerCase(), value]),
  );
  const given = parametersOf(call).filter(({ name }) => valueOf(call, name) !== undefined);
  // Some documents have the header itself for a parameter.
  const hasOwnCookies = !given.some(({ place, name }) =>
    place === "header" && name.toLowerCase() === "cookie"
  );
  const cookies = new Pairs(hasOwnCookies ? headers.get("cookie") ?? "" : "", {
    separator: "; ",
    decode: decodeURIComponent,
  });
  const read = new Set<string>();
  const ambiguous = namesOfSeveral(call, given);
  for (const name of ambiguous) {
    query.drop(name);
    complaints.push({ kind: "query name of several parameters", detail: name });
  }
  for (const parameter of given) {
    const { name, place } = parameter;
    const value = valueOf(call, name);
    if (place === "query" && queryNamesOf(parameter, value).some((own) => ambiguous.has(own))) {
      for (const own of queryNamesOf(parameter, value)) query.drop(own);
      continue;
    }
    const isRight = attempt(() => {
      if (place === "query" && !address.queryVariables.includes(name)) {
        return query.take({ ...parameter, value });
      }
      if (place === "cookie") return cookies.take({ ...parameter, value });
      const text = place === "header"
        ? headers.get(name.toLowerCase())
        : address.variables.get(name);
      if (place === "header") read.add(name.toLowerCase());
      return isTextRight(text, parameter, value);
    });
    if (!isRight) complaints.push(wrongValue(call, parameter));
    else if (parameter.isJson && typeof value === "string") {
      complaints.push({ kind: "text instead of JSON text", detail: nameOf(parameter) });
    }
  }
  return [
    ...complaints,
    ...judgeUndeclared(call, address),
    ...query.left.map((detail) => ({ kind: "query that nobody gave", detail })),
    ...cookies.left.map((detail) => ({ kind: "cookie that nobody gave", detail })),
    ...[...headers.keys()].filter((name) => !OWN_HEADERS.has(name) && !read.has(name))
      .map((detail) => ({ kind: "header that nobody gave", detail })),
  ];
}

/** Variables of the path that the document does not declare are text. */
function judgeUndeclared(call: Case, { variables }: Address): Complaint[] {
  const { inputs, operation } = call;
  const declared = inputs.parameters.filter(({ place }) => place === "path")
    .map(({ name }) => name);
  return [...new Set(variablesOf(operation.path))].filter((name) => !declared.includes(name))
    .filter((name) =>
      !attempt(() => decodeURIComponent(variables.get(name) ?? "") === valueOf(call, name))
    )
    .map((detail) => ({ kind: "value of an undeclared path variable", detail }));
}

function wrongValue(call: Case, parameter: RawParameter): Complaint {
  const { operation, inputs, sent } = call;
  // In a segment with two variables nobody can tell for sure where one ends.
  const isSure = parameter.place !== "path" || !/\}[^/]*\{/.test(operation.path);
  // The case of a header's name does not count, so that two parameters can be one header.
  const namesakes = inputs.parameters.filter(({ place, name }) =>
    place === "header" && name.toLowerCase() === parameter.name.toLowerCase()
  );
  const kind = parameter.place === "header" && namesakes.length > 1
    ? "header of several parameters"
    : parameter.place === "header" && isNested(valueOf(call, parameter.name))
    ? "value of a header parameter with structures within"
    : isSure
    ? `value of a ${parameter.place} parameter`
    : "value of a path variable in a segment with another";
  return { kind, detail: `${nameOf(parameter)} ${sent.url}` };
}

/** Names that more than one parameter writes into the query. */
export function namesOfSeveral(call: Case, parameters: readonly RawParameter[]): Set<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const parameter of parameters) {
    for (const name of queryNamesOf(parameter, valueOf(call, parameter.name))) {
      (seen.has(name) ? twice : seen).add(name);
    }
  }
  return twice;
}

/** An exploded object writes the names of its members. */
function queryNamesOf({ name, place, style, explode, isJson }: RawParameter, value: unknown) {
  if (place !== "query") return [];
  const isSpread = isRawObject(value) && explode && !isJson && style === "form";
  return isSpread ? Object.keys(value) : [name];
}

function isTextRight(text: string | undefined, parameter: RawParameter, value: unknown): boolean {
  if (text === undefined) return parameter.place === "header" && isUnwritten(value);
  const decode = parameter.place === "header" ? (piece: string) => piece : decodeURIComponent;
  if (parameter.isJson) return isJsonOf(decode(text), value);
  if (isUnwritten(value)) return text === "";
  return isReadingOf(readText(text, { ...parameter, like: value, decode }), value);
}

/** Texts that cannot be read are not right. */
function attempt(isRight: () => boolean): boolean {
  try {
    return isRight();
  } catch {
    return false;
  }
}
