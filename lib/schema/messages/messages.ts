/**
 * Schemas as messages and fields.
 *
 * @module
 */
import type { Field, FieldSource, Message } from "../../model/mod.ts";
import { cleanLine } from "../clean_text.ts";
import type { JsonObject } from "../json_schema.ts";
import { isOnly, type Shape } from "../shapes/shape.ts";
import type { Shapes } from "../shapes/shapes.ts";
import { detailsOf } from "./details.ts";
import { kindOf } from "./kinds.ts";
import { MAX_NAME_LENGTH } from "./limits.ts";

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
  /**
   * The property flag that leaves a field out: `readOnly` in what is sent, `writeOnly` in answers.
   * @default none
   */
  readonly omitted?: "readOnly" | "writeOnly";
  /** Fields of one tree after which the messages left are not filled. */
  readonly maxFields: number;
}

/** Most recurring messages of one tree that are written out. */
const MAX_DEFINITIONS = 20;
/** Most messages within each other. */
const MAX_DEPTH = 8;

/** Stands for a value of any JSON type. */
const ANY_VALUE: Message = { name: "Value", fullName: "google.protobuf.Value", fields: [] };

/** A message that is being built. */
interface Draft {
  readonly message: { -readonly [Key in keyof Message]: Message[Key] } & { fields: Field[] };
  readonly shape: Shape;
  /** The messages around it. */
  readonly ancestors: readonly Draft[];
}

/** A tree of messages that is being built. */
interface Tree {
  readonly unfilled: Draft[];
  readonly definitions: Map<string, Message>;
}

/** Builds trees of messages from the schemas of one document. */
export class MessageBuilder {
  readonly #shapes: Shapes;
  readonly #options: MessageOptions;

  constructor(shapes: Shapes, options: MessageOptions) {
    this.#shapes = shapes;
    this.#options = options;
  }

  /**
   * A message with one field a seed, and all the messages within.
   *
   * @param shape what the seeds are the properties of, for the forms that it may take.
   */
  build(name: string, seeds: readonly FieldSeed[], shape?: Shape): Message {
    const tree: Tree = { unfilled: [], definitions: new Map() };
    const fields: Field[] = [];
    for (const seed of seeds) this.#addField(fields, seed, { tree, ancestors: [] });
    let count = fields.length;
    // Level by level, so that what the bound cuts off is what lies deepest.
    for (let next = 0; next < tree.unfilled.length && count < this.#options.maxFields; next++) {
      const draft = tree.unfilled[next];
      if (draft !== undefined) count += this.#fill(draft, tree);
    }
    return {
      name,
      fullName: name,
      fields,
      ...formsOf(shape),
      ...(tree.definitions.size === 0 ? {} : { definitions: Object.fromEntries(tree.definitions) }),
    };
  }

  /** One seed for each property of an object. */
  seedsOf(shape: Shape): FieldSeed[] {
    const { omitted } = this.#options;
    return [...shape.properties]
      .filter(([, schema]) =>
        omitted === undefined || this.#shapes.of(schema).keywords[omitted] !== true
      )
      .map(([name, schema]) => ({ name, schema, required: shape.required.has(name) }));
  }

  /** Fills a message, unless it recurs within itself; returns how many fields that took. */
  #fill(draft: Draft, tree: Tree): number {
    const { message, shape, ancestors } = draft;
    const first = ancestors.find((ancestor) => ancestor.shape.identity === shape.identity);
    if (first !== undefined && tree.definitions.size < MAX_DEFINITIONS) {
      tree.definitions.set(message.fullName, first.message);
    }
    if (first !== undefined || ancestors.length >= MAX_DEPTH) return 0;
    const around = [...ancestors, draft];
    for (const seed of this.seedsOf(shape)) {
      this.#addField(message.fields, seed, { tree, ancestors: around });
    }
    Object.assign(message, formsOf(shape));
    return message.fields.length;
  }

  #addField(
    fields: Field[],
    seed: FieldSeed,
    { tree, ancestors }: { tree: Tree; ancestors: readonly Draft[] },
  ): void {
    const shape = this.#shapes.of(seed.schema);
    const isRepeated = isOnly(shape, "array");
    const isMap = isOnly(shape, "object") && shape.properties.size === 0;
    const inner = isRepeated ? this.#shapes.of(shape.items) : shape;
    const { type, isBinary, nested } = kindOf(isMap ? this.#shapes.of(shape.additional) : inner);
    const name = cleanLine(seed.name, MAX_NAME_LENGTH);
    let messageType: Message | undefined = type === "message" ? ANY_VALUE : undefined;
    if (nested !== undefined) {
      const fullName = cleanLine(nested.name ?? `${name}Type`, MAX_NAME_LENGTH);
      const message = { name: `${name}Type`, fullName, fields: [] };
      tree.unfilled.push({ message, shape: nested, ancestors });
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
      ...(seed.source === undefined ? {} : { source: seed.source }),
      ...detailsOf(shape, inner, seed.definition),
    });
  }
}

/** The forms that an object may take, under the names that are shown. */
function formsOf(shape: Shape | undefined): Pick<Message, "oneOf"> {
  if (shape === undefined || shape.alternatives.length < 2) return {};
  const shown = (names: readonly string[]) => names.map((name) => cleanLine(name, MAX_NAME_LENGTH));
  return {
    oneOf: shape.alternatives.map(({ name, fields, required }) => ({
      name: cleanLine(name, MAX_NAME_LENGTH),
      fields: shown(fields),
      required: shown(required),
    })),
  };
}
