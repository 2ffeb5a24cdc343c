/**
 * Disagreements for which a document is to blame.
 *
 * @module
 */
import type { Explanation } from "./explanation.ts";

/** Limits and faults of documents. */
export const DOCUMENTS: readonly Explanation[] = [
  {
    kind: /^schema of .*: enum of another type$/,
    reason:
      "no listed value is of the schema's type (a list's items are listed for the list, numbers " +
      "for a text): one of them is sent in the form of the type",
  },
  {
    kind: /^schema of .*: the author's own example$/,
    reason: "the example or default of the schema is not of its own format",
  },
  {
    kind: /^schema of (bytes|a form with parts): type$/,
    reason: "the media type is one of bytes, or a form, and the schema asks for something else",
  },
  {
    kind: /^schema of a body: type$/,
    detail: /^application\/x-www-form-urlencoded #: .* Expected "(string|array)"/,
    reason: "a form whose schema is a text or a list names no fields; it is sent without any",
  },
  {
    kind: /^schema of .*: oneOf, of which several fit$/,
    reason:
      "the alternatives do not exclude each other, as authors of every seventh oneOf have it; " +
      "Bowire lets a value have several forms",
  },
  {
    kind: /^schema of a body: false$/,
    where: /^(shipengine\.com|linqr\.app) /,
    reason: "closed schemas put together: what one describes the other does not allow",
  },
  {
    kind: /^schema of a body: format$/,
    where: /^amadeus\.com\/amadeus-hotel-booking /,
    reason: "the pattern wants a backslash in an e-mail address, which its format does not allow",
  },
  {
    kind: /^schema of .*: pattern$/,
    detail: / pattern\. \/.*\/[a-z]*$/,
    reason: "the pattern is written with the slashes around it that a programming language wants",
  },
  {
    kind: /^call with .* refused: invalid_argument$/,
    detail: /nothing tells the boundary of its parts$/,
    reason: "a form with parts whose schema is bytes or text: the document names no part",
  },
  {
    kind: /^call with .* refused: invalid_argument$/,
    where:
      /^(atlassian\.com\/jira PUT .*\/member|azure\.com\/(web-logicApps|datafactory )|e-conomic\.com |windows\.net\/graphrbac )/,
    detail: /is not a property that exists here|missing required arguments|is not an object but/,
    reason: "closed schemas put together: what one describes or requires the other does not allow",
  },
  {
    kind: /^call with (all arguments|awkward texts) refused: invalid_argument$/,
    where: /^azure\.com\/logic POST .*\/listKeyVaultKeys/,
    reason: "a property that is read-only in one part of an allOf and not in another",
  },
  {
    kind: /^header of several parameters$/,
    reason: "two parameters whose names differ in case only are one header",
  },
  {
    kind: /^body: XML: lists with the same element name$/,
    reason:
      "a list without a wrapper whose items have the name of another member: nobody can part them",
  },
  {
    kind: /^content type not offered$/,
    detail: /^"application\/json" of $/,
    reason: "the media type of the body is an empty text; it is taken for JSON",
  },
  {
    kind: /^no sample$/,
    where: /^zuora\.com DELETE \/query\/jobs\/\{job-id\}/,
    reason: "a UUID of 64 characters: there is none",
  },
  {
    kind: /^no sample$/,
    where: /^amazonaws\.com\/(appsync [A-Z]+ \/v1\/tags|iottwinmaker POST \/workspaces)/,
    reason: "patterns for which no text was found within a bounded number of tries",
  },
  {
    kind: /^(no sample|call with .* refused: invalid_argument)$/,
    where: /^jellyfin\.local [A-Z]+ \/Plugins\/\{pluginId\}\/\{version\}/,
    reason:
      "an object in the path, all of whose properties are read-only: there is nothing to write",
  },
  {
    kind: /^(schema of a query parameter: type|second opinion: error)$/,
    where: /^ix-api\.net GET \/roles\/\{id\}$/,
    reason: "two parameters of one name, a text in the path and a list in the query",
  },
  {
    kind: /^no sample$/,
    where: /^cpy\.re\/peertube POST \/api\/v1\/(users\/token|videos\/imports)/,
    reason:
      "a text of one character that has 32; closed schemas that require what they do not allow",
  },
  {
    kind: /^no sample$/,
    where:
      /^(atlassian\.com\/jira .*(\/member|\/screenscheme)|shipengine\.com |azure\.com\/logic PUT .*\/(assemblies|batchConfigurations)\/|windows\.net\/graphrbac )/,
    reason: "closed schemas that require what they do not allow",
  },
  {
    kind: /^query name of several parameters$/,
    reason: "two parameters write the same name, one of them as a member of an exploded object",
  },
];
