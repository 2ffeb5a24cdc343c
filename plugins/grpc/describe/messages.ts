/**
 * Messages as bounded trees of fields.
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import type { Field, Message } from "../../../lib/model/mod.ts";
import { describeField, describeSpecialMessage, namesOf } from "./fields.ts";
import { specialForm } from "./special_types.ts";

/** Most recurring messages of one tree that are written out. */
const MAX_DEFINITIONS = 20;
/** Most messages within each other. */
const MAX_DEPTH = 8;

/** A message that is being built. */
interface Draft {
  readonly message: { -readonly [Key in keyof Message]: Message[Key] } & { fields: Field[] };
  readonly type: DescMessage;
  /** The messages around it. */
  readonly ancestors: readonly Draft[];
}

/** A tree of messages that is being built. */
interface Tree {
  readonly unfilled: Draft[];
  readonly definitions: Map<string, Message>;
}

/** Builds trees of messages; what they have in common is built once. */
export class MessageBuilder {
  readonly #maxFields: number;
  readonly #fields = new Map<DescMessage, readonly Field[]>();

  /** @param maxFields fields of one tree after which the messages left are not filled. */
  constructor(maxFields: number) {
    this.#maxFields = maxFields;
  }

  /** A message and all the messages within. */
  build(type: DescMessage): Message {
    const form = specialForm(type);
    if (form !== undefined) return describeSpecialMessage(type, form);
    const root: Draft = { message: { ...namesOf(type), fields: [] }, type, ancestors: [] };
    const tree: Tree = { unfilled: [root], definitions: new Map() };
    let count = 0;
    // Level by level, so that what the bound cuts off is what lies deepest.
    for (const draft of tree.unfilled) {
      if (draft !== root && count >= this.#maxFields) break;
      count += this.#fill(draft, tree);
    }
    if (tree.definitions.size > 0) {
      // Copies, for the root may be among them, and would contain itself.
      root.message.definitions = Object.fromEntries(
        [...tree.definitions].map(([name, message]) => [name, { ...message }]),
      );
    }
    return root.message;
  }

  /** Fills a message, unless it recurs within itself; returns how many fields that took. */
  #fill(draft: Draft, { unfilled, definitions }: Tree): number {
    const { message, type, ancestors } = draft;
    const first = ancestors.find((ancestor) => ancestor.type === type);
    if (first !== undefined && definitions.size < MAX_DEFINITIONS) {
      definitions.set(message.fullName, first.message);
    }
    if (first !== undefined || ancestors.length >= MAX_DEPTH) return 0;
    const around = [...ancestors, draft];
    this.#fieldsOf(type).forEach((field, index) => {
      const nested = type.fields[index]?.message;
      if (nested === undefined || field.type !== "message" || field.messageType !== undefined) {
        message.fields.push(field);
        return;
      }
      const messageType = { ...namesOf(nested), fields: [] };
      message.fields.push({ ...field, messageType });
      unfilled.push({ message: messageType, type: nested, ancestors: around });
    });
    Object.assign(message, formsOf(type));
    return message.fields.length;
  }

  #fieldsOf(type: DescMessage): readonly Field[] {
    const known = this.#fields.get(type);
    if (known !== undefined) return known;
    const fields = type.fields.map(describeField);
    this.#fields.set(type, fields);
    return fields;
  }
}

/** The forms of a message that is one choice as a whole. */
function formsOf({ fields, oneofs: [oneof] }: DescMessage): Pick<Message, "oneOf"> {
  if (oneof === undefined || oneof.fields.length < 2) return {};
  if (oneof.fields.length < fields.length) return {};
  return {
    oneOf: fields.map(({ jsonName: name }) => ({ name, fields: [name], required: [name] })),
  };
}
