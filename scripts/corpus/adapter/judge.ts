/**
 * Judges the tools of one document as a client of any making would.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ToolDescription } from "../../../lib/mcp/mod.ts";
import { isRawObject, listAt, type RawObject } from "../judge/raw.ts";

/** Off: what alternatives require need not stand among their own properties; formats are hints. */
const STRICT = {
  strict: true,
  strictRequired: false,
  validateFormats: false,
  // Nothing is validated: the code need not be good.
  code: { optimize: false },
} as const;
/** It keeps what it compiled, and is slow to make. */
const SCHEMAS_PER_AJV = 200;

/** Names that every client and every model API takes. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,50}$/;
const ARGUMENT_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Keywords that clients refuse at the root of a tool's schema. */
const REFUSED_AT_ROOT = [
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "if",
  "enum",
  "const",
  "$ref",
  "$schema",
];

/** Keywords that hold schemas; `true` where some client would stumble over a boolean. */
const SINGLE: ReadonlyMap<string, boolean> = new Map(Object.entries({
  items: true,
  contains: true,
  not: true,
  if: true,
  then: true,
  else: true,
  propertyNames: true,
  additionalProperties: false,
  unevaluatedProperties: false,
  unevaluatedItems: false,
}));
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const MAPS = ["properties", "patternProperties", "dependentSchemas", "$defs"];

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/** Something that is wrong with a tool. */
export interface Fault {
  readonly tool: string;
  readonly what: string;
}

/** What the schemas of one document come to. */
export interface Judgement {
  readonly faults: readonly Fault[];
  /** Of the list with input schemas alone, as UTF-8. */
  readonly bytes: number;
  /** The same with output schemas. */
  readonly bytesWithOutputs: number;
  /** The largest input schema, in bytes. */
  readonly largestSchema: { readonly tool: string; readonly bytes: number };
}

/** Judges lists of tools; a schema that comes again is compiled once. */
export class Judge {
  #ajv = new Ajv2020(STRICT);
  readonly #seen = new Set<string>();

  /** Number of different schemas that were compiled. */
  get schemas(): number {
    return this.#seen.size;
  }

  /** Judges a list as it arrives: as JSON. */
  judge(list: readonly ToolDescription[]): Judgement {
    const faults: Fault[] = [];
    const seen = new Set<string>();
    let largestSchema = { tool: "", bytes: 0 };
    for (const tool of list) {
      const { name, inputSchema, outputSchema } = tool;
      const add = (what: string | undefined) => {
        if (what !== undefined) faults.push({ tool: name, what });
      };
      if (!TOOL_NAME.test(name)) add("its name is none that all clients take");
      if (seen.has(name)) add("its name is taken");
      seen.add(name);
      if (!isDescribed(tool)) add("a title, a description, a hint or the method's name is missing");
      const input = JSON.stringify(inputSchema);
      add(this.#judgeSchema(input, "input"));
      if (outputSchema !== undefined) {
        add(this.#judgeSchema(JSON.stringify(outputSchema), "output"));
      }
      const bytes = sizeOf(input);
      if (bytes > largestSchema.bytes) largestSchema = { tool: name, bytes };
    }
    const plain = list.map(({ outputSchema: _, ...tool }) => tool);
    return {
      faults,
      bytes: sizeOf(JSON.stringify({ tools: plain })),
      bytesWithOutputs: sizeOf(JSON.stringify({ tools: list })),
      largestSchema,
    };
  }

  #judgeSchema(text: string, what: "input" | "output"): string | undefined {
    const hash = createHash("sha256").update(text).digest("base64");
    if (this.#seen.has(hash)) return undefined;
    if (this.#seen.size % SCHEMAS_PER_AJV === 0) this.#ajv = new Ajv2020(STRICT);
    this.#seen.add(hash);
    try {
      const schema: unknown = JSON.parse(text);
      const fault = faultAtRoot(schema, what) ?? faultWithin(schema, "");
      if (fault !== undefined) return `${what} schema: ${fault}`;
      if (isRawObject(schema)) this.#ajv.compile(schema);
      return undefined;
    } catch (error) {
      return `${what} schema: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

function isDescribed({ title, description, annotations, _meta }: ToolDescription): boolean {
  const hints: Readonly<Record<string, unknown>> = { ...annotations };
  return title !== "" && description !== "" && Object.keys(_meta ?? {}).length > 0 &&
    HINTS.every((hint) => typeof hints[hint] === "boolean");
}

function faultAtRoot(schema: unknown, what: "input" | "output"): string | undefined {
  if (!isRawObject(schema)) return "it is no object";
  if (schema["type"] !== "object") return "its root is not of type object";
  const refused = REFUSED_AT_ROOT.find((keyword) => keyword in schema);
  if (refused !== undefined) return `its root has ${refused}`;
  if (what === "output") return undefined;
  const names = Object.keys(isRawObject(schema["properties"]) ? schema["properties"] : {});
  const stray = names.find((name) => !ARGUMENT_NAME.test(name));
  return stray === undefined ? undefined : `an argument is called "${stray}"`;
}

/** The first fault of a schema and those within it, with its place. */
function faultWithin(schema: unknown, place: string): string | undefined {
  if (!isRawObject(schema)) return `${place} is no object`;
  const { $ref, type } = schema;
  if (Array.isArray(type)) return `${place} has several types`;
  if ($ref !== undefined && !String($ref).startsWith("#/$defs/")) return `${place} leads out`;
  const values = listAt(schema, "enum");
  if (new Set(values.map((value) => JSON.stringify(value))).size < values.length) {
    return `${place} lists a value twice`;
  }
  for (const [within, at] of schemasIn(schema)) {
    const fault = faultWithin(within, `${place}/${at}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function* schemasIn(schema: RawObject): Generator<readonly [schema: unknown, place: string]> {
  for (const [keyword, isStrict] of SINGLE) {
    const within = schema[keyword];
    const isAllowed = within === undefined || (typeof within === "boolean" && !isStrict);
    if (!isAllowed) yield [within, keyword];
  }
  for (const keyword of LISTS) {
    for (const within of listAt(schema, keyword)) yield [within, keyword];
  }
  for (const keyword of MAPS) {
    const named = schema[keyword];
    if (named === undefined) continue;
    for (const [name, within] of Object.entries(isRawObject(named) ? named : { named })) {
      yield [within, `${keyword}/${name}`];
    }
  }
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
