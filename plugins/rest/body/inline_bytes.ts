/**
 * Bytes within text formats such as JSON and XML: they become base64 text.
 *
 * @module
 */
import { isObject } from "../document/json.ts";
import type { Shapes } from "../../../lib/schema/shapes/shapes.ts";
import { schemaOfItem } from "./body_form.ts";
import { alphabetOf, isContentObject, readContent, type ReadFile, toBase64 } from "./bytes.ts";

/** What {@linkcode inlineBytes} needs besides a value. */
export interface InlineOptions {
  readonly schema: unknown;
  readonly shapes: Shapes;
  readonly readFile: ReadFile;
  /** The value, for messages. */
  readonly what: string;
  /** True for a form or parts, which may be bytes without their schemas saying so. */
  readonly isForm: boolean;
  /** True for a field or part. */
  readonly isField?: boolean;
}

/**
 * Puts base64 text in the place of each object that stands for bytes, where the schema wants text
 * of that kind.
 *
 * @throws {BowireError} as {@linkcode readContent} does.
 */
export async function inlineBytes(value: unknown, options: InlineOptions): Promise<unknown> {
  const shape = options.shapes.of(options.schema);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) {
      const place = {
        schema: schemaOfItem(shape, index),
        what: `${options.what}[${index}]`,
        isForm: false,
        isField: options.isForm || options.isField === true,
      };
      items.push(await inlineBytes(item, { ...options, ...place }));
    }
    return items;
  }
  if (!isObject(value)) return value;
  const alphabet = alphabetOf(shape) ?? (options.isField === true ? "base64" : undefined);
  if (alphabet !== undefined && isContentObject(value, shape)) {
    return toBase64(await readContent(value, options.what, options.readFile), alphabet);
  }
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const place = {
      schema: shape.properties.get(name) ?? shape.additional,
      what: JSON.stringify(name),
      isForm: false,
      isField: options.isForm,
    };
    members.push([name, await inlineBytes(member, { ...options, ...place })]);
  }
  return Object.fromEntries(members);
}
