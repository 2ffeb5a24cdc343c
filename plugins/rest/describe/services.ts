/**
 * A document as services, methods, messages and fields.
 *
 * @module
 */
import { cleanLine, cleanText } from "../../../lib/schema/clean_text.ts";
import type { Message, Method, Service } from "../../../lib/model/mod.ts";
import type { ApiDocument } from "../document/api_document.ts";
import { planBody } from "../method/body_plan.ts";
import { inputsOf } from "../method/inputs.ts";
import { jsonOutput } from "../method/outputs.ts";
import { isObject, listOf, textOf } from "../document/json.ts";
import { type FieldSeed, MessageBuilder } from "../../../lib/schema/messages/messages.ts";
import { DEFAULT_SERVICE, type MethodEntry } from "../method/methods.ts";
import { describeRequirements, requirementsOf } from "../method/security.ts";
import { isHidden } from "../method/shared_names.ts";
import { isOnly } from "../../../lib/schema/shapes/shape.ts";

/** Bytes often have no schema at all. */
const BINARY_SCHEMA = { type: "string", format: "binary" };

/** Fields of one message tree after which its nested messages stay empty. */
const MAX_FIELDS_PER_MESSAGE = 300;
/** The same for a document, shared evenly, since schemas within each other multiply. */
const FIELDS_PER_DOCUMENT = 400_000;

const MAX_SUMMARY_LENGTH = 300;
const MAX_DESCRIPTION_LENGTH = 2000;

/**
 * Describes all services of a document that was asked for at `originUrl`.
 *
 * @param options `isBrief` leaves the fields of messages out.
 */
export function describeServices(
  document: ApiDocument,
  originUrl: string,
  { isBrief }: { isBrief: boolean },
): Service[] {
  const messagesOf = isBrief ? emptyMessages : messagesIn(document);
  const groups = Map.groupBy(document.methods, ({ service }) => service);
  return [...groups].map(([name, entries]): Service => {
    const description = describeGroup(document, name);
    return {
      name,
      package: document.title,
      methods: entries.map((entry) => ({
        ...headOf(entry, document),
        ...messagesOf(entry),
      })),
      source: "rest",
      ...(description === undefined ? {} : { description }),
      ...(document.version === "" ? {} : { version: document.version }),
      originUrl,
    };
  });
}

/** What is sent to a method, and what comes back. */
type Messages = Pick<Method, "inputType" | "outputType">;

function messagesIn(document: ApiDocument): (entry: MethodEntry) => Messages {
  const share = FIELDS_PER_DOCUMENT / (2 * document.methods.length);
  const maxFields = Math.min(MAX_FIELDS_PER_MESSAGE, share);
  const inputs = new MessageBuilder(document.shapes, { omitted: "readOnly", maxFields });
  const outputs = new MessageBuilder(document.shapes, { omitted: "writeOnly", maxFields });
  return (entry) => ({
    inputType: describeInput(entry, document, inputs),
    outputType: describeOutput(entry, document, outputs),
  });
}

function emptyMessages({ name }: MethodEntry): Messages {
  const [inputName, outputName] = [`${name}Request`, `${name}Response`];
  return {
    inputType: { name: inputName, fullName: inputName, fields: [] },
    outputType: { name: outputName, fullName: outputName, fields: [] },
  };
}

/** A tag's description; methods without a tag belong to the document as a whole. */
function describeGroup(document: ApiDocument, name: string): string | undefined {
  const holder = listOf(document.root["tags"])
    .find((tag) => isObject(tag) && tag["name"] === name) ??
    (name === DEFAULT_SERVICE ? document.root["info"] : undefined);
  const text = isObject(holder) ? textOf(holder["description"]) : undefined;
  return text === undefined ? undefined : cleanText(text, MAX_DESCRIPTION_LENGTH);
}

function headOf(
  entry: MethodEntry,
  document: ApiDocument,
): Omit<Method, "inputType" | "outputType"> {
  const security = describeRequirements(requirementsOf(entry, document));
  const tags = listOf(entry.operation["tags"]).flatMap((tag) => textOf(tag) ?? []);
  const summary = textOf(entry.operation["summary"]);
  const description = textOf(entry.operation["description"]);
  return {
    name: entry.name,
    fullName: entry.fullName,
    methodType: "Unary",
    clientStreaming: false,
    serverStreaming: false,
    httpMethod: entry.verb,
    httpPath: cleanLine(entry.path, MAX_DESCRIPTION_LENGTH),
    ...(summary === undefined ? {} : { summary: cleanLine(summary, MAX_SUMMARY_LENGTH) }),
    ...(description === undefined
      ? {}
      : { description: cleanText(description, MAX_DESCRIPTION_LENGTH) }),
    ...(security.length === 0 ? {} : { security }),
    ...(tags.length === 0 ? {} : { tags: tags.map((tag) => cleanLine(tag, MAX_SUMMARY_LENGTH)) }),
    deprecated: entry.operation["deprecated"] === true,
    ...(entry.incoming === undefined ? {} : { isIncoming: true }),
  };
}

function describeInput(
  entry: MethodEntry,
  document: ApiDocument,
  messages: MessageBuilder,
): Message {
  const inputs = inputsOf(entry, document);
  const seeds = new Map<string, FieldSeed>();
  for (const { name, schema, required, place, definition } of inputs.parameters) {
    if (!seeds.has(name)) seeds.set(name, { name, schema, required, source: place, definition });
  }
  const plan = planBody(inputs, document);
  if (plan === undefined) return messages.build(`${entry.name}Request`, [...seeds.values()]);
  const source = plan.isForm ? "formdata" : "body";
  if (plan.isSpread && !isHidden(plan, inputs)) {
    for (const seed of messages.seedsOf(plan.shape)) {
      if (seeds.has(seed.name)) continue;
      seeds.set(seed.name, { ...seed, required: seed.required && plan.required, source });
    }
    return messages.build(`${entry.name}Request`, [...seeds.values()], plan.shape);
  }
  const { wholeName: name, required } = plan;
  const schema = plan.isBinary() ? BINARY_SCHEMA : plan.schema;
  const definition = { description: inputs.body?.description };
  seeds.set(name, { name, schema, required, source, definition });
  return messages.build(`${entry.name}Request`, [...seeds.values()]);
}

/** The first JSON answer of a successful status. */
function describeOutput(
  entry: MethodEntry,
  document: ApiDocument,
  messages: MessageBuilder,
): Message {
  const json = jsonOutput(entry, document);
  if (json === undefined) return { name: "Response", fullName: "Response", fields: [] };
  const shape = document.shapes.of(json.schema);
  const isWithFields = isOnly(shape, "object") && shape.properties.size > 0;
  return isWithFields
    ? messages.build(`${entry.name}Response`, messages.seedsOf(shape), shape)
    : messages.build(`${entry.name}Response`, [
      { name: "body", schema: json.schema, required: true },
    ]);
}
