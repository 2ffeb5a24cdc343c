/**
 * Schemas as messages and fields.
 *
 * @module
 */
import { cleanLine, cleanText } from "../../lib/schema/clean_text.ts";
import type { EnumValue, Field, FieldSource, Message } from "../../lib/model/mod.ts";
import { entriesOf, isObject, type JsonObject, listOf, textOf } from "./document/json.ts";
import { MAX_NAME_LENGTH } from "./method/methods.ts";
import { isOnly, type Shape, valuesOf } from "./document/shape.ts";
import type { Shapes } from "./document/shapes.ts";
import { kindOf } from "./kinds.ts";

/** What becomes one field. */
export interface FieldSeed {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
  readonly source?: FieldSource;
  /** The Parameter or Request Body Object, whose description and examples come first. */
  readonly definition?: JsonObject;
}

/** How messages are built. */
export interface MessageOptions {
  /** The property flag that leaves a field out: `readOnly` in what is sent, `writeOnly` in answers. */
  readonly omitted: "readOnly" | "writeOnly";
  /** Fields of one tree after which the messages left are not filled. */
  readonly maxFields: number;
}

/** Most messages within each other. */
const MAX_DEPTH = 8;
/** Longest description of a field, in UTF-16 units. */
const MAX_DESCRIPTION_LENGTH = 2000;
/** Longest example, in UTF-16 units of JSON text; longer ones are left out. */
const MAX_EXAMPLE_LENGTH = 1000;

/** Stands for a value of any JSON type. */
const ANY_VALUE: Message = { name: "Value", fullName: "google.protobuf.Value", fields: [] };

/** A message whose fields are still to come. */
interface Unfilled {
  readonly fields: Field[];
  readonly shape: Shape;
  /** Identities of the shapes around it. */
  readonly ancestors: readonly object[];
}

/** Builds trees of messages from the schemas of one document. */
export class MessageBuilder {
  readonly #shapes: Shapes;
  readonly #options: MessageOptions;

  constructor(shapes: Shapes, options: MessageOptions) {
    this.#shapes = shapes;
    this.#options = options;
  }

  /** A message with one field a seed, and all the messages within. */
  build(name: string, seeds: readonly FieldSeed[]): Message {
    const fields: Field[] = [];
    const unfilled: Unfilled[] = [];
    for (const seed of seeds) this.#addField(fields, seed, { unfilled, ancestors: [] });
    let count = fields.length;
    // Level by level, so that what the bound cuts off is what lies deepest.
    for (let next = 0; next < unfilled.length && count < this.#options.maxFields; next++) {
      const message = unfilled[next];
      if (message === undefined || isClosed(message)) continue;
      const ancestors = [...message.ancestors, message.shape.identity];
      for (const seed of this.seedsOf(message.shape)) {
        this.#addField(message.fields, seed, { unfilled, ancestors });
      }
      count += message.fields.length;
    }
    return { name, fullName: name, fields };
  }

  /** One seed for each property of an object. */
  seedsOf(shape: Shape): FieldSeed[] {
    return [...shape.properties]
      .filter(([, schema]) => this.#shapes.of(schema).keywords[this.#options.omitted] !== true)
      .map(([name, schema]) => ({ name, schema, required: shape.required.has(name) }));
  }

  #addField(
    fields: Field[],
    seed: FieldSeed,
    { unfilled, ancestors }: { unfilled: Unfilled[]; ancestors: readonly object[] },
  ): void {
    const shape = this.#shapes.of(seed.schema);
    const isRepeated = isOnly(shape, "array");
    const isMap = isOnly(shape, "object") && shape.properties.size === 0;
    const inner = isRepeated ? this.#shapes.of(shape.items) : shape;
    const { type, isBinary, nested } = kindOf(isMap ? this.#shapes.of(shape.additional) : inner);
    const name = cleanLine(seed.name, MAX_NAME_LENGTH);
    const enumValues = enumValuesOf(inner);
    const description = textOf(seed.definition?.["description"]) ??
      textOf(shape.keywords["description"]);
    const example = exampleOf(seed.definition, shape);
    let messageType: Message | undefined = type === "message" ? ANY_VALUE : undefined;
    if (nested !== undefined) {
      const message = {
        name: `${name}Type`,
        fullName: cleanLine(nested.name ?? `${name}Type`, MAX_NAME_LENGTH),
        fields: [],
      };
      unfilled.push({ fields: message.fields, shape: nested, ancestors });
      messageType = message;
    }
    fields.push({
      name,
      number: fields.length + 1,
      type,
      label: isRepeated ? "repeated" : seed.required ? "required" : "optional",
      isMap,
      isRepeated,
      required: seed.required,
      isBinary,
      ...(messageType === undefined ? {} : { messageType }),
      ...(enumValues.length === 0 ? {} : { enumValues }),
      ...(seed.source === undefined ? {} : { source: seed.source }),
      ...(description === undefined
        ? {}
        : { description: cleanText(description, MAX_DESCRIPTION_LENGTH) }),
      ...(example === undefined ? {} : { example }),
    });
  }
}

function isClosed({ shape, ancestors }: Unfilled): boolean {
  return ancestors.length >= MAX_DEPTH || ancestors.includes(shape.identity);
}

function enumValuesOf({ keywords }: Shape): EnumValue[] {
  const values = "const" in keywords ? [keywords["const"]] : listOf(keywords["enum"]);
  const names = values.filter((value) => value !== null).map((value) =>
    cleanLine(typeof value === "string" ? value : JSON.stringify(value) ?? "", MAX_NAME_LENGTH)
  );
  return [...new Set(names)].map((name, number) => ({ name, number }));
}

/** The parameter's example, else the schema's, else the default, as JSON text. */
function exampleOf(definition: JsonObject | undefined, { keywords }: Shape): string | undefined {
  const named = entriesOf(definition?.["examples"])[0]?.[1];
  const candidates = [
    definition?.["example"],
    isObject(named) ? named["value"] : undefined,
    keywords["example"],
    listOf(keywords["examples"])[0],
    keywords["default"],
  ];
  const example = candidates.find((candidate) => candidate !== undefined);
  const json = example === undefined ? undefined : cleanText(JSON.stringify(example), Infinity);
  return json !== undefined && json.length <= MAX_EXAMPLE_LENGTH ? json : undefined;
}
