/**
 * Whether a value satisfies a schema as the document writes it, by a validator that Bowire does not
 * use: `@cfworker/json-schema`, which follows references while it validates and compiles nothing.
 *
 * OpenAPI 3.0 is draft 4 with three differences, which {@linkcode Validator} makes up for:
 * `nullable`, patterns of other dialects, and that a property only one way is not required the other.
 *
 * @module
 */
import {
  type LibraryError,
  memberOf,
  nameOf,
  pickError,
  type SchemaFault,
  tokensOf,
} from "./faults.ts";
import { follow, isRawObject, listAt, objectAt, pointed, type RawObject } from "../raw.ts";
import { isSame, rounded } from "../values.ts";

type Validate = (
  instance: unknown,
  schema: unknown,
  draft: string,
  lookup: unknown,
  shortCircuit: boolean,
) => { errors: LibraryError[] };

const LIBRARY = new URL(
  "../../documents/node_modules/@cfworker/json-schema/dist/esm/index.js",
  import.meta.url,
);
const { validate }: { validate: Validate } = await import(LIBRARY.href);

/** Keywords whose value is a schema, a list of schemas or schemas by name. */
const NESTED = ["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then"];
const LISTED = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED = ["properties", "patternProperties"];

/** Validates against the schemas of one document. */
export class Validator {
  readonly #root: RawObject;
  readonly #draft: string;
  readonly #adapted = new WeakMap<object, unknown>();
  readonly #lookup: unknown;

  constructor(root: RawObject) {
    this.#root = root;
    this.#draft = String(root["openapi"]).startsWith("3.0") ? "4" : "2020-12";
    // The library asks by reference; the goal is adapted when it is reached.
    this.#lookup = new Proxy({}, {
      get: (_, reference) => this.#lookUp(String(reference)),
    });
  }

  /** The innermost fault, `undefined` when the value is right. */
  check(value: unknown, schema: unknown): SchemaFault | undefined {
    const adapted = this.#adapt(schema ?? true);
    const { errors } = validate(rounded(value), adapted, this.#draft, this.#lookup, true);
    const fault = pickError(errors);
    if (fault === undefined) return undefined;
    const { instanceLocation: at, error } = fault;
    const holders = this.#holdersOf(fault, adapted);
    const holder = holders.at(-1) ?? {};
    const faulty = tokensOf(at).reduce<unknown>((node, token) => memberOf(node, token), value);
    const keyword = nameOf(fault, holder, faulty);
    const authors = holders.flatMap((schema) => [
      schema["default"],
      schema["example"],
      ...listAt(schema, "examples"),
    ]);
    return {
      keyword,
      at,
      error: keyword === "pattern" ? `${error} ${holder["pattern"]}` : error,
      isAuthors: authors.some((example) => example !== undefined && isSame(example, faulty)),
    };
  }

  /** The schemas on the way to a keyword; the last one has it. */
  #holdersOf({ keywordLocation }: LibraryError, adapted: unknown): RawObject[] {
    let node = adapted;
    const nodes = [objectAt(node)];
    for (const token of tokensOf(keywordLocation).slice(0, -1)) {
      node = token === "$ref" && isRawObject(node) && typeof node["$ref"] === "string"
        ? this.#lookUp(node["$ref"])
        : memberOf(node, token);
      nodes.push(objectAt(node));
    }
    return nodes;
  }

  #lookUp(reference: string): unknown {
    return this.#adapt(pointed(this.#root, reference) ?? true);
  }

  #adapt(schema: unknown): unknown {
    if (!isRawObject(schema)) return typeof schema === "boolean" ? schema : true;
    const known = this.#adapted.get(schema);
    if (known !== undefined) return known;
    const adapted = this.#adaptObject(schema);
    this.#adapted.set(schema, adapted);
    return adapted;
  }

  #adaptObject(schema: RawObject): unknown {
    const copy: Record<string, unknown> = { ...schema };
    for (const name of NESTED) if (name in copy) copy[name] = this.#adapt(copy[name]);
    for (const name of LISTED) {
      if (name in copy) copy[name] = listAt(schema, name).map((part) => this.#adapt(part));
    }
    for (const name of NAMED) {
      if (!(name in copy)) continue;
      copy[name] = Object.fromEntries(
        Object.entries(objectAt(schema, name)).map(([key, part]) => [key, this.#adapt(part)]),
      );
    }
    if (Array.isArray(schema["required"])) {
      copy["required"] = schema["required"].filter((name) => !this.#isReadOnly(schema, name));
    } else delete copy["required"];
    const { pattern, type } = schema;
    copy["pattern"] = typeof pattern === "string" ? cleanPattern(pattern) : undefined;
    copy["type"] = typeof type === "string" || Array.isArray(type) ? type : undefined;
    return schema["nullable"] === true && this.#draft === "4"
      ? { anyOf: [{ type: "null" }, copy] }
      : copy;
  }

  #isReadOnly(schema: RawObject, name: unknown): boolean {
    const property = follow(this.#root, objectAt(schema, "properties")[String(name)]);
    return objectAt(property)["readOnly"] === true;
  }
}

/** As Unicode mode wants backslashes, hyphens and braces; `undefined` for other dialects. */
function cleanPattern(text: string): string | undefined {
  const tidy = text.replace(/\\([^\w^$\\.*+?()[\]{}|/-]|_)/g, "$1")
    .replace(/(\\[dswDSW])-/g, "$1\\-").replace(/\{(,\d*)\}/g, "\\{$1\\}");
  for (const pattern of [text, tidy]) {
    try {
      new RegExp(pattern, "u");
      return pattern;
    } catch {
      // The next one may do.
    }
  }
  return undefined;
}
