/**
 * Where `swagger-client` does otherwise.
 *
 * @module
 */
import type { Explanation } from "./explanation.ts";

/** Each with the reason why Bowire does not. */
export const SECOND: readonly Explanation[] = [
  {
    kind: /^second opinion: query with a list as deepObject$/,
    reason: "the style is for objects only: Bowire counts the items in brackets, swagger-client " +
      "repeats the name",
  },
  {
    kind: /^second opinion: form with a list$/,
    reason:
      "without an Encoding Object items go one by one (OpenAPI 3.0.3: form, exploded), and in a " +
      "deepObject they are counted; swagger-client joins them with commas, or repeats the name",
  },
  {
    kind: /^second opinion: (query|form) with structures within$/,
    reason: "below one level no style is defined: Bowire goes on with brackets in a deepObject, " +
      "swagger-client writes JSON text",
  },
  {
    kind: /^second opinion: form with text that is JSON$/,
    reason: "swagger-client parses text that looks like JSON and writes it anew",
  },
  {
    kind: /^second opinion: query with empty text$/,
    reason: "swagger-client leaves empty text out; Bowire sends what it is given",
  },
  {
    kind: /^second opinion: query with an empty list$/,
    reason: "an empty list is not written (RFC 6570, 2.3); swagger-client writes the bare name",
  },
  {
    kind: /^second opinion: query with reserved characters$/,
    reason: 'swagger-client lets "&" and "#" through as well, which ends the value',
  },
  {
    kind: /^second opinion: query with a name of several parameters$/,
    reason: "swagger-client keeps one parameter of a name; Bowire sends what it is given",
  },
  {
    kind: /^second opinion: (query with a query in the path|path with an unfilled) template$/,
    reason:
      "swagger-client does not fill the variables of a template that its grammar does not have",
  },
];
