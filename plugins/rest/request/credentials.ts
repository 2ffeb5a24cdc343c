/**
 * A method's credentials: taken from the metadata, put where the document wants them, and named
 * when they are missing.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { type HttpRequest, QUERY_PREFIX } from "../../../lib/protocol/mod.ts";
import { describeRequirements, type Requirement, type Scheme } from "../method/security.ts";

type Entries = Readonly<Record<string, string>>;

/**
 * Moves metadata that is named like a security scheme, or like its API key, to where the document
 * wants it: `petstore_auth: TOKEN` becomes `Authorization: Bearer TOKEN`. Of several entries for
 * one place the last counts.
 */
export function placeCredentials(metadata: Entries, requirements: readonly Requirement[]): Entries {
  const schemes = requirements.flat();
  const placed = new Map<string, string>();
  const cookies = new Map<string, string>();
  for (const [name, value] of Object.entries(metadata)) {
    const scheme = schemeNamed(name, schemes);
    if (scheme?.kind === "apiKey" && scheme.place === "cookie") cookies.set(scheme.key, value);
    else {
      const goal = scheme === undefined ? name : goalOf(scheme);
      const isMoved = scheme !== undefined && goal.toLowerCase() !== name.toLowerCase();
      placed.delete(goal);
      placed.set(goal, isMoved ? textOf(scheme, value) : value);
    }
  }
  if (cookies.size > 0) {
    const given = [...placed].findLast(([name]) => name.toLowerCase() === "cookie")?.[1];
    const pairs = [...cookies].map(([name, value]) => `${name}=${value}`);
    placed.delete("Cookie");
    placed.set("Cookie", [...given === undefined ? [] : [given], ...pairs].join("; "));
  }
  return Object.fromEntries(placed);
}

/** The scheme of a name, or the first whose API key has it. */
function schemeNamed(name: string, schemes: readonly Scheme[]): Scheme | undefined {
  const lower = name.toLowerCase();
  return schemes.find((scheme) => scheme.name.toLowerCase() === lower) ??
    schemes.find((scheme) => scheme.kind === "apiKey" && scheme.key.toLowerCase() === lower);
}

/** The metadata entry that carries a scheme's credential. */
function goalOf(scheme: Scheme): string {
  switch (scheme.kind) {
    case "mutualTLS":
      return "__bowireMtls__";
    case "http":
      return "Authorization";
    case "apiKey":
      return scheme.place === "query" ? QUERY_PREFIX + scheme.key : scheme.key;
  }
}

/** A credential as its entry has it: `user:pass` and tokens need a word in front. */
function textOf(scheme: Scheme, value: string): string {
  if (scheme.kind !== "http") return value;
  if (value.toLowerCase().startsWith(`${scheme.word.toLowerCase()} `)) return value;
  const isPair = scheme.word === "Basic" && value.includes(":");
  return `${scheme.word} ${isPair ? Buffer.from(value).toString("base64") : value}`;
}

/** The schemes, in words, that a request lacks to meet any requirement; none when it meets one. */
export function missingCredentials(
  requirements: readonly Requirement[],
  url: string,
  { headers = [], tls }: HttpRequest,
): string[] {
  const valueOf = (wanted: string) => headers.find(([name]) => name === wanted)?.[1] ?? "";
  const isMet = (scheme: Scheme): boolean => {
    switch (scheme.kind) {
      case "mutualTLS":
        return tls?.certificate !== undefined;
      case "http":
        return valueOf("authorization") !== "";
      case "apiKey":
        if (scheme.place === "header") return valueOf(scheme.key.toLowerCase()) !== "";
        if (scheme.place === "query") return new URL(url).searchParams.has(scheme.key);
        return valueOf("cookie").split("; ").some((pair) => pair.startsWith(`${scheme.key}=`));
    }
  };
  return describeRequirements(
    requirements.map((schemes) => schemes.filter((scheme) => !isMet(scheme))),
  );
}
