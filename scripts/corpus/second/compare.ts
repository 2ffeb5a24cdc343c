/**
 * What the request of another client has that ours has not.
 *
 * @module
 */
import { bodyOf, isJson } from "../judge/body.ts";
import { type Complaint, nameOf, parametersOf, valueOf } from "../judge/case.ts";
import type { Judgement } from "../judge/judge.ts";
import type { RawObject } from "../judge/raw.ts";
import { featureOfForm, featureOfPath, featureOfQuery } from "./features.ts";
import { isSame, rounded } from "../judge/values.ts";

/** The other client's request. */
export interface OtherRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: RawObject;
  readonly body: unknown;
}

/** Compares what both clients sent, decoded. */
export function compareRequests(judgement: Judgement, other: OtherRequest): Complaint[] {
  const { call } = judgement;
  const ours = URL.parse(call.sent.url);
  const theirs = URL.parse(other.url);
  const complaints: Complaint[] = [];
  const differ = (kind: string, a: unknown, b: unknown) =>
    complaints.push({ kind: `second opinion: ${kind}`, detail: `ours ${a}, theirs ${b}` });
  if (call.sent.method !== other.method.toUpperCase()) {
    differ("method", call.sent.method, other.method);
  }
  if (ours === null || theirs === null) differ("URL", call.sent.url, other.url);
  else {
    const [ourPath, theirPath] = [pathOf(ours), pathOf(theirs)];
    if (ourPath !== theirPath) {
      const feature = theirPath.includes("{") ? "an unfilled template" : featureOfPath(call);
      differ(`path with ${feature}`, ourPath, theirPath);
    }
    const [ourQuery, theirQuery] = [pairsOf(ours.search), pairsOf(theirs.search)];
    if (ourQuery !== theirQuery) differ(`query with ${featureOfQuery(call)}`, ourQuery, theirQuery);
  }
  const headers = new Map(
    call.sent.headers.map(([name, value]) => [name.toLowerCase(), value]),
  );
  const otherHeaders = new Map(
    Object.entries(other.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  for (const parameter of parametersOf(call)) {
    const name = parameter.name.toLowerCase();
    if (parameter.place !== "header" || valueOf(call, parameter.name) === undefined) continue;
    const [our, their] = [headers.get(name), otherHeaders.get(name)];
    if (our !== their) differ("header", `${nameOf(parameter)} ${our}`, their);
  }
  const [our, their] = [headers.get("cookie"), otherHeaders.get("cookie")];
  if (our !== their) differ("cookie", our, their);
  return [...complaints, ...compareBodies(judgement, other)];
}

/** JSON and forms without files; other types are text here and there. */
function compareBodies({ call, content }: Judgement, other: OtherRequest): Complaint[] {
  const type = bodyOf(call.sent)?.type;
  if (content === undefined || type === undefined) return [];
  const { body } = other;
  if (isJson(type)) {
    return isSame(rounded(content.value), body) ? [] : [{
      kind: "second opinion: JSON body",
      detail: JSON.stringify(body) ?? "none",
    }];
  }
  const isForm = type === "application/x-www-form-urlencoded" &&
    typeof call.sent.body === "string";
  if (!isForm) return [];
  const [ours, theirs] = [pairsOf(call.sent.body), pairsOf(String(body))];
  if (ours === theirs) return [];
  return [{
    kind: `second opinion: form with ${featureOfForm(content)}`,
    detail: `ours ${ours}, theirs ${theirs}`,
  }];
}

function pathOf({ origin, pathname }: URL): string {
  return origin + pathname.split("/").map((segment) => decode(segment)).join("/");
}

/** Sorted, so that the order does not count. */
function pairsOf(query: string): string {
  return query.replace(/^\?/, "").split("&").map((pair) => decode(pair.replaceAll("+", " "))).sort()
    .join("&");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
