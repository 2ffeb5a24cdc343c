/**
 * How a method wants its callers to show who they are (OpenAPI 3.1, "Security Scheme Object").
 *
 * @module
 */
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import type { ApiDocument } from "../document/api_document.ts";
import { entriesOf, isObject, type JsonObject, listOf, textOf } from "../document/json.ts";
import type { MethodEntry } from "./methods.ts";

/** One way to show a credential. */
export type Scheme =
  & { readonly name: string }
  & (
    | {
      readonly kind: "apiKey";
      readonly place: "header" | "query" | "cookie";
      readonly key: string;
    }
    // `Authorization: WORD credential`; OAuth 2 and OpenID Connect bring a bearer token.
    | { readonly kind: "http"; readonly word: string }
    | { readonly kind: "mutualTLS" }
  );

/** Schemes that are needed together. */
export type Requirement = readonly Scheme[];

/**
 * The requirements of a method, any one of which is enough. An empty one among them means that
 * the method can be called without a credential; so does an empty list.
 */
export function requirementsOf(entry: MethodEntry, document: ApiDocument): Requirement[] {
  const { components, security } = document.root;
  const schemes = isObject(components) ? components["securitySchemes"] : undefined;
  return listOf(entry.operation["security"] ?? security).map((requirement) =>
    entriesOf(requirement).flatMap(([name]) => {
      const node = entriesOf(schemes).find(([key]) => key === name)?.[1];
      const scheme = toScheme(cleanLine(name, 100), document.references.resolve(node)?.value);
      return scheme === undefined ? [] : [scheme];
    })
  );
}

function toScheme(name: string, definition: JsonObject | undefined): Scheme | undefined {
  switch (definition?.["type"]) {
    case "apiKey": {
      const [place, key] = [definition["in"], textOf(definition["name"])];
      const isKnown = place === "header" || place === "query" || place === "cookie";
      return isKnown && key !== undefined ? { name, kind: "apiKey", place, key } : undefined;
    }
    case "http": {
      const word = textOf(definition["scheme"])?.trim() ?? "";
      return /^[\w-]+$/.test(word)
        ? { name, kind: "http", word: word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase() }
        : undefined;
    }
    case "oauth2":
    case "openIdConnect":
      return { name, kind: "http", word: "Bearer" };
    case "mutualTLS":
      return { name, kind: "mutualTLS" };
    default:
      return undefined;
  }
}

/** Requirements in words, none when there is a way without a credential. */
export function describeRequirements(requirements: readonly Requirement[]): string[] {
  if (requirements.some(({ length }) => length === 0)) return [];
  return [...new Set(requirements.map((schemes) => schemes.map(describeScheme).join(" and ")))];
}

/** A scheme in words. */
function describeScheme(scheme: Scheme): string {
  switch (scheme.kind) {
    case "apiKey":
      return `${scheme.name} (API key in the ${scheme.place} "${cleanLine(scheme.key, 100)}")`;
    case "http":
      return `${scheme.name} (header "Authorization: ${scheme.word} …")`;
    case "mutualTLS":
      return `${scheme.name} (client certificate, as __bowireMtls__)`;
  }
}
