/**
 * One method as a tool.
 *
 * @module
 */
import { redactUrl } from "../../gate/mod.ts";
import type { ObjectSchema, ToolDescription } from "../../mcp/mod.ts";
import type { Method, MethodSchema, Service } from "../../model/mod.ts";
import { cleanLine } from "../../schema/clean_text.ts";
import { annotate } from "./annotations.ts";
import type { ArgumentPlan } from "../schema/arguments.ts";
import { schemaOfMessage } from "./message_schema.ts";
import { type OutputCheck, portableOutput } from "../schema/output.ts";
import { type PortableInput, portableInput } from "../schema/portable.ts";
import type { Unpacker } from "../schema/unpacking/unpacker.ts";
import { capText, joinSentences, type TextLimits } from "../schema/texts.ts";

/** A method that was found at a URL. */
export interface FoundMethod {
  /** As it was given. */
  readonly url: string;
  /** Id of the protocol that found it. */
  readonly protocol: string;
  /** Its name for people. */
  readonly protocolName: string;
  readonly service: Service;
  readonly method: Method;
  /** Absent when the protocol has none. */
  readonly schema?: MethodSchema | undefined;
}

/** A tool and what it calls. What takes its schemas is made when it is asked for, and kept. */
export interface AdapterTool {
  readonly name: string;
  readonly title: string;
  readonly found: FoundMethod;
  readonly description: ToolDescription;
  readonly plan: ArgumentPlan;
  /** Holds answers against the tool's output schema; `undefined` when it has none. */
  readonly output: OutputCheck | undefined;
}

/** Key of what a tool says of its method, for clients that know it. */
export const METHOD_META = "bowire/method";

/** Longest title, in UTF-16 units. */
const MAX_TITLE = 200;

/** How tools of one list are described. */
export interface ToolStyle {
  readonly texts: TextLimits;
  readonly inputs: Unpacker;
  readonly outputs: Unpacker;
  /** Whether schemas say that there are no other arguments; calls are checked in any case. */
  readonly tellsClosed: boolean;
  /** Whether tools tell their URL: not when all have the same. */
  readonly tellsUrl: boolean;
}

/** Makes a tool of a method. */
export function makeTool(name: string, found: FoundMethod, style: ToolStyle): AdapterTool {
  return new MethodTool(name, found, style);
}

class MethodTool implements AdapterTool {
  readonly name: string;
  readonly title: string;
  readonly found: FoundMethod;
  readonly #style: ToolStyle;
  #input: PortableInput | undefined;
  #output: { readonly check: OutputCheck | undefined } | undefined;
  #description: ToolDescription | undefined;

  constructor(name: string, found: FoundMethod, style: ToolStyle) {
    const { service, method } = found;
    this.name = name;
    this.title = cleanLine(method.title ?? `${service.name}/${method.name}`, MAX_TITLE);
    this.found = found;
    this.#style = style;
  }

  get plan(): ArgumentPlan {
    return this.#portable.plan;
  }

  get output(): OutputCheck | undefined {
    const { found: { schema } } = this;
    const { outputs } = this.#style;
    this.#output ??= {
      check: schema?.output === undefined ? undefined : portableOutput(schema.output, outputs),
    };
    return this.#output.check;
  }

  get description(): ToolDescription {
    return this.#description ??= this.#describe();
  }

  get #portable(): PortableInput {
    const { schema, method } = this.found;
    return this.#input ??= portableInput(
      schema?.input ?? schemaOfMessage(method.inputType),
      this.#style.inputs,
    );
  }

  #describe(): ToolDescription {
    const { name, title, found, output } = this;
    const { schema } = this.#portable;
    const { url, protocol, service, method } = found;
    const about = { protocol, service: service.name, method: method.name };
    const place = this.#style.tellsUrl ? { url: redactUrl(url) } : {};
    return {
      name,
      title,
      description: describe(found, this.#style.texts.tool),
      inputSchema: this.#style.tellsClosed ? schema : withoutClosing(schema),
      ...(output === undefined ? {} : { outputSchema: output.schema }),
      annotations: annotate(method),
      _meta: { [METHOD_META]: { ...about, ...place } },
    };
  }
}

function withoutClosing(schema: ObjectSchema): ObjectSchema {
  const { additionalProperties, ...open } = schema;
  const hasArguments = Object.keys(schema.properties ?? {}).length > 0;
  return additionalProperties === false && hasArguments ? open : schema;
}

/** Summary and description of the author, and what is called. */
function describe({ protocolName, service, method }: FoundMethod, maxLength: number): string {
  const { httpMethod, httpPath, summary, description = "", deprecated } = method;
  const called = httpMethod === undefined
    ? `Calls ${service.name}/${method.name} (${protocolName}).`
    : `\`${httpMethod} ${httpPath ?? ""}\``;
  const place = cleanLine(called, maxLength / 2);
  const isRepeated = summary !== undefined && description.startsWith(summary.replace(/\.$/, ""));
  const head = joinSentences([deprecated ? "Deprecated." : "", isRepeated ? "" : summary]);
  const own = [head, description].filter((part) => part !== "").join("\n");
  const text = capText(own, maxLength - place.length - 1);
  return [text, place].filter((part) => part !== "").join("\n");
}
