/**
 * A method's credentials: taken from the metadata, put where the document wants them, and named
 * when they are missing.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { HttpRequest } from "../../../lib/protocol/mod.ts";
import { describeRequirements, type Requirement, type Scheme } from "../method/security.ts";
import { QUERY_PREFIX } from "./metadata.ts";

type Entries = Readonly<Record<string, string>>;

/**
 * Moves metadata that is named like a security scheme, or like its API key, to where the document
 * wants it: `petstore_auth: TOKEN` becomes `Authorization: Bearer TOKEN`.
 */
export function placeCredentials(metadata: Entries, requirements: readonly Requirement[]): Entries {
  const placed = new Map(Object.entries(metadata));
  for (const scheme of requirements.flat()) {
    const names = [scheme.name, ...scheme.kind === "apiKey" ? [scheme.key] : []]
      .map((name) => name.toLowerCase());
    for (const [name, value] of [...placed]) {
      if (!names.includes(name.toLowerCase())) continue;
      const [goal, text] = placeOf(scheme, value, placed.get("Cookie") ?? placed.get("cookie"));
      if (goal.toLowerCase() === name.toLowerCase()) continue;
      placed.delete(name);
      placed.set(goal, text);
    }
  }
  return Object.fromEntries(placed);
}

/** The metadata entry that carries a scheme's credential. */
function placeOf(scheme: Scheme, value: string, cookie: string | undefined): [string, string] {
  switch (scheme.kind) {
    case "mutualTLS":
      return ["__bowireMtls__", value];
    case "http": {
      const isWhole = value.toLowerCase().startsWith(`${scheme.word.toLowerCase()} `);
      const isPair = scheme.word === "Basic" && value.includes(":");
      const text = isPair ? Buffer.from(value).toString("base64") : value;
      return ["Authorization", isWhole ? value : `${scheme.word} ${text}`];
    }
    case "apiKey": {
      if (scheme.place === "header") return [scheme.key, value];
      if (scheme.place === "query") return [QUERY_PREFIX + scheme.key, value];
      const pair = `${scheme.key}=${value}`;
      return ["Cookie", cookie === undefined ? pair : `${cookie}; ${pair}`];
    }
  }
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
