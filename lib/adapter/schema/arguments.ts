/**
 * The arguments of a tool beside those of its method: an object with names that model APIs take.
 *
 * @module
 */
import { entriesOf, isObject, type JsonObject, listOf } from "../../schema/json_schema.ts";
import { cleanLine } from "../../schema/clean_text.ts";
import { withNumbersForLongs } from "./long_integers.ts";
import { joinSentences } from "./texts.ts";

/** The argument of a method whose message is no object. */
export const VALUE_NAME = "value";

/** What the API of a widespread model takes for the name of an argument. */
const PORTABLE_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
const MAX_NAME_LENGTH = 64;

/** How arguments become a message. */
export interface ArgumentPlan {
  /** True when the message is the one argument `value`. */
  readonly isWrapped: boolean;
  /** The method's own names of arguments that have another one here. */
  readonly ownNames: ReadonlyMap<string, string>;
  /** The method's own schema, where it has integers that may be given as text. */
  readonly longs?: JsonObject | undefined;
}

/** A message that is no object as the one property of an object. */
export function wrapValue(schema: JsonObject): JsonObject {
  return { type: "object", properties: { [VALUE_NAME]: schema }, required: [VALUE_NAME] };
}

/** The schema with property names that model APIs take, and the names that were put out of use. */
export function renameProperties(
  schema: JsonObject,
): { schema: JsonObject; ownNames: ReadonlyMap<string, string> } {
  const properties = entriesOf(schema["properties"]);
  const taken = new Set(
    properties.map(([name]) => name).filter((name) => PORTABLE_NAME.test(name)),
  );
  const shown = new Map<string, string>();
  for (const [name] of properties) {
    if (!PORTABLE_NAME.test(name)) shown.set(name, takeName(name, taken));
  }
  if (shown.size === 0) return { schema, ownNames: new Map() };
  const rename = (name: unknown) => typeof name === "string" ? shown.get(name) ?? name : name;
  const { required, dependentRequired } = schema;
  return {
    ownNames: new Map([...shown].map(([own, name]) => [name, own])),
    schema: {
      ...schema,
      properties: Object.fromEntries(
        properties.map(([name, property]) => [rename(name), tellName(name, property, shown)]),
      ),
      ...(required === undefined ? {} : { required: listOf(required).map(rename) }),
      ...(dependentRequired === undefined ? {} : {
        dependentRequired: Object.fromEntries(
          entriesOf(dependentRequired).map((
            [name, names],
          ) => [rename(name), listOf(names).map(rename)]),
        ),
      }),
    },
  };
}

function takeName(name: string, taken: Set<string>): string {
  const clean = name.replace(/[^a-zA-Z0-9_.-]+/g, "_").replace(/(?<=.)_$/, "");
  const base = (clean || "_").slice(0, MAX_NAME_LENGTH);
  let free = base;
  for (let number = 2; taken.has(free); number++) {
    const tail = `_${number}`;
    free = base.slice(0, MAX_NAME_LENGTH - tail.length) + tail;
  }
  taken.add(free);
  return free;
}

function tellName(name: string, property: unknown, shown: ReadonlyMap<string, string>): unknown {
  if (!shown.has(name) || !isObject(property)) return property;
  const { description } = property;
  const text = typeof description === "string" ? description : undefined;
  return {
    ...property,
    description: joinSentences([`Sent as "${cleanLine(name, MAX_NAME_LENGTH * 2)}"`, text]),
  };
}

/** The message that arguments stand for; `undefined` when they hold none. */
export function toMessage(args: JsonObject, plan: ArgumentPlan): unknown {
  const message = rename(args, plan);
  return plan.longs === undefined ? message : withNumbersForLongs(message, plan.longs);
}

function rename(args: JsonObject, { isWrapped, ownNames }: ArgumentPlan): unknown {
  if (isWrapped) return args[VALUE_NAME];
  if (ownNames.size === 0) return args;
  return Object.fromEntries(
    entriesOf(args).map(([name, value]) => [ownNames.get(name) ?? name, value]),
  );
}

/** The arguments that stand for a message. */
export function toArguments(message: unknown, { isWrapped, ownNames }: ArgumentPlan): unknown {
  if (isWrapped) return { [VALUE_NAME]: message };
  const shown = new Map([...ownNames].map(([name, own]) => [own, name]));
  return isObject(message)
    ? Object.fromEntries(
      entriesOf(message).map(([name, value]) => [shown.get(name) ?? name, value]),
    )
    : message;
}
