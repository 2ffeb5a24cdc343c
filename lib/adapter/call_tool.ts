/**
 * One call of a tool: arguments in, the target's answer out.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { BowireError } from "../errors/mod.ts";
import type { Host } from "../host/mod.ts";
import type { ContentOutcome, ToolCall } from "../mcp/mod.ts";
import type { MethodSchema } from "../model/mod.ts";
import { failureOf, refusalOf } from "./answers/failures.ts";
import type { KeptAnswers } from "./answers/kept_answers.ts";
import { resultOf } from "./answers/results.ts";
import { forwardedHeaders } from "./headers.ts";
import type { Settings } from "./options.ts";
import { toMessage } from "./schema/arguments.ts";
import type { AdapterTool } from "./tools/tool.ts";

const log = getLogger(["bowire", "adapter"]);

/** What calls are made with. */
export interface CallRoom {
  readonly host: Host;
  readonly settings: Settings;
  readonly kept: KeptAnswers;
  /** Aborts when the adapter is closed. */
  readonly closing: AbortSignal;
}

/** All that is known of the method of a tool; `undefined` when its protocol knows no more. */
export async function schemaOf(
  { host, settings }: Pick<CallRoom, "host" | "settings">,
  { found: { url, protocol, service, method } }: AdapterTool,
  signal: AbortSignal,
): Promise<MethodSchema | undefined> {
  return await host.caller.describe({
    url,
    protocol,
    service: service.name,
    method: method.name,
    metadata: settings.metadataFor(url),
    timeoutMs: settings.discoveryTimeoutMs,
  }, signal);
}

/** Calls the method of a tool. Never throws: a failure is an outcome with `isError`. */
export async function callTool(
  { host, settings, kept, closing }: CallRoom,
  tool: AdapterTool,
  call: ToolCall,
): Promise<ContentOutcome> {
  const { name, found, plan, output } = tool;
  const { url, protocol, service, method } = found;
  const message = toMessage(call.arguments, plan);
  const metadata = settings.metadataFor(url);
  try {
    const { invocation } = await host.caller.invoke({
      url,
      protocol,
      service: service.name,
      method: method.name,
      messages: message === undefined ? [] : [JSON.stringify(message)],
      metadata,
      ownMetadata: forwardedHeaders(call.headers ?? {}, {
        names: settings.forwardHeaders,
        set: metadata,
      }),
      timeoutMs: settings.timeoutMs,
      onProgress: call.report,
    }, AbortSignal.any([call.signal, closing]));
    const { maxAnswerChars: maxChars } = settings;
    return invocation.ok
      ? resultOf(invocation, { maxChars, kept, name, output })
      : failureOf(invocation, maxChars);
  } catch (error) {
    if (!(error instanceof BowireError)) {
      log.error("{name} broke: {error}", { name, error });
    }
    return refusalOf(error);
  }
}
