/**
 * Disagreements where Bowire does what it does on purpose, or the judge asks too much.
 *
 * @module
 */
import type { Explanation } from "./explanation.ts";

/** What Bowire does on purpose. */
export const CHOICES: readonly Explanation[] = [
  {
    kind: /^schema of .*: pattern$/,
    detail: /\(\?<?[=!]/,
    reason: "patterns run in linear time only, which leaves out those that look around",
  },
  {
    kind: /^call with (all arguments|awkward texts) refused: invalid_argument$/,
    where: /^(amazonaws\.com\/(dms|glue|kendra|medialive)|microsoft\.com\/graph(-beta)?) /,
    detail: /": "[\w.[\]]+" is not (an? |one of )/,
    reason:
      "the schema that callers get ends at 1,000 nodes, and the sample fills a list behind that " +
      "end with any text; the check knows the whole schema",
  },
  {
    kind: /^call with .* refused: invalid_argument$/,
    detail: /has no name for its root element$/,
    reason: "XML needs a name for its root, and the document has none",
  },
  {
    kind: /^text instead of JSON text$/,
    reason:
      "text for a parameter with JSON content goes as it is, as swagger-client sends it: APIs " +
      "that describe their path variables so take them without quotes",
  },
  {
    kind: /^required parameter not given$/,
    detail: /^(content-length|transfer-encoding) /i,
    reason: "the connection sets it by itself (RFC 9110, 7.6.1 and 8.6)",
  },
  {
    kind: /^second opinion: error$/,
    detail: /Required parameter (content-length|transfer-encoding)/i,
    reason: "the connection sets it by itself (RFC 9110, 7.6.1 and 8.6)",
  },
  {
    kind: /^required body not sent$/,
    detail: /^(GET|HEAD)$/,
    reason: "a GET has no body (OpenAPI 3.0.3: it shall be ignored; fetch refuses to send one)",
  },
  {
    kind: /^URL$/,
    detail: /its query has no "[^"]*=\{[^"{}]*\}"$/,
    reason:
      "a variable in the query of a path template that no parameter declares is an optional " +
      "argument; its pair is left out with it",
  },
  {
    kind: /^URL with reserved characters in its path$/,
    reason:
      "allowReserved is for queries until OpenAPI 3.2; who writes it at a path wants its slashes",
  },
];

/** Where the judge cannot tell, or asks too much. */
export const JUDGE: readonly Explanation[] = [
  {
    kind: /^value of a path variable in a segment with another$/,
    reason: "the judge cannot tell where one variable ends; swagger-client makes the same path",
  },
  {
    kind: /^value of a header parameter with structures within$/,
    reason: "JSON text within a list or an object has commas, and a header has no way to hide them",
  },
  {
    kind: /^call with (all arguments|awkward texts) refused: invalid_url$/,
    detail: /longer than 8192 characters/,
    reason: "all optional arguments at once make a longer URL than Bowire sends",
  },
];
