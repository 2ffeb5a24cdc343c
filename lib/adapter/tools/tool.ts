/**
 * One method as a tool.
 *
 * @module
 */
import { redactUrl } from "../../gate/mod.ts";
import type { ToolDescription } from "../../mcp/mod.ts";
import type { Method, MethodSchema, Service } from "../../model/mod.ts";
import { cleanLine } from "../../schema/clean_text.ts";
import { annotate } from "./annotations.ts";
import type { ArgumentPlan } from "../schema/arguments.ts";
import { schemaOfMessage } from "../schema/message_schema.ts";
import { type OutputCheck, portableOutput } from "../schema/output.ts";
import { portableInput } from "../schema/portable.ts";
import { capText, joinSentences } from "../schema/texts.ts";

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

/** A tool and what it calls. */
export interface AdapterTool {
  readonly found: FoundMethod;
  readonly description: ToolDescription;
  readonly plan: ArgumentPlan;
  /** Holds answers against the tool's output schema; absent when it has none. */
  readonly output?: OutputCheck;
}

/** Key of what a tool says of its method, for clients that know it. */
export const METHOD_META = "bowire/method";

/** Longest description and title, in UTF-16 units. */
const [MAX_DESCRIPTION, MAX_TITLE] = [1000, 200];

/** Makes a tool of a method. */
export function makeTool(name: string, found: FoundMethod): AdapterTool {
  const { url, protocol, service, method, schema } = found;
  const input = portableInput(schema?.input ?? schemaOfMessage(method.inputType));
  const output = schema?.output === undefined ? undefined : portableOutput(schema.output);
  const about = { protocol, service: service.name, method: method.name, url: redactUrl(url) };
  return {
    found,
    plan: input.plan,
    ...(output === undefined ? {} : { output }),
    description: {
      name,
      title: cleanLine(method.title ?? `${service.name}/${method.name}`, MAX_TITLE),
      description: describe(found),
      inputSchema: input.schema,
      ...(output === undefined ? {} : { outputSchema: output.schema }),
      annotations: annotate(method),
      _meta: { [METHOD_META]: about },
    },
  };
}

/** Summary and description of the author, and what is called. */
function describe({ protocolName, service, method }: FoundMethod): string {
  const { httpMethod, httpPath, summary, description = "", deprecated } = method;
  const called = httpMethod === undefined
    ? `Calls ${service.name}/${method.name} (${protocolName}).`
    : `\`${httpMethod} ${httpPath ?? ""}\``;
  const place = cleanLine(called, MAX_DESCRIPTION / 2);
  const isRepeated = summary !== undefined && description.startsWith(summary.replace(/\.$/, ""));
  const head = joinSentences([deprecated ? "Deprecated." : "", isRepeated ? "" : summary]);
  const own = [head, description].filter((part) => part !== "").join("\n");
  const text = capText(own, MAX_DESCRIPTION - place.length - 1);
  return [text, place].filter((part) => part !== "").join("\n");
}
