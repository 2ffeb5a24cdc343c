/**
 * `bowire.subscribe`.
 *
 * @module
 */
import * as z from "zod";
import type { Host } from "../../host/mod.ts";
import type { Frame } from "../../model/mod.ts";
import { callArguments, callError, requestOf } from "../call_shapes.ts";
import { CALL_SLACK_MS, readStream, type StreamReading, textOf, viewEnd } from "../read_stream.ts";
import { defineTool } from "../tool.ts";

/** Bytes of all frames in one result, and the most that can be asked for. */
const DEFAULT_MAX_BYTES = 200_000;
const MAX_BYTES = 5 * 1024 * 1024;

const input = z.strictObject({
  ...callArguments,
  durationMs: z.number().int().min(1).optional().describe(
    "Length of the window in milliseconds, counted from the call (default 5000, capped at 30000 unless the operator set others)",
  ),
  maxFrames: z.number().int().min(1).optional().describe(
    "Stop after so many messages (default and cap 200 unless the operator set another)",
  ),
  maxBytes: z.number().int().min(1).optional().describe(
    `Stop before the messages together have more bytes (default ${DEFAULT_MAX_BYTES}, cap ${MAX_BYTES})`,
  ),
  halfClose: z.boolean().optional().describe(
    "End the request stream after the last message; otherwise a duplex call keeps it open until the window is over (default false)",
  ),
});

/** Collects the frames of one stream for a while. */
export const subscribeTool = defineTool({
  name: "bowire.subscribe",
  title: "Sample a stream",
  description:
    "Call one streaming method of an API and return the messages that come within a time window. " +
    "It ends earlier at maxFrames, at maxBytes or with the stream; stoppedBecause tells which. " +
    "Each message is also told as progress when it comes.",
  access: "call",
  input,
  output: z.object({
    protocol: z.string(),
    service: z.string(),
    method: z.string(),
    frameCount: z.number().int(),
    frames: z.array(z.string()).describe("The messages, JSON as text; binary ones in base64"),
    binaryFrames: z.array(z.number().int()).optional().describe("Which of them are binary, from 0"),
    atMs: z.array(z.number()).describe("When each came, in milliseconds from the call on"),
    durationMs: z.number().describe("The window that applied"),
    elapsedMs: z.number().describe("How much of it was used"),
    stoppedBecause: z.enum(["time", "frames", "bytes", "end", "error"]),
    truncated: z.boolean().describe("Whether maxFrames or maxBytes ended it"),
    status: z.string().optional().describe("What the target ended the stream with"),
    response: z.string().optional().describe("What the target said about a failure"),
    metadata: z.record(z.string(), z.string()).describe("Response headers and protocol notes"),
    note: z.string().optional(),
    error: callError.optional(),
  }),
  isFailure: ({ error }) => error !== undefined,
  async run(host, given, { signal, report }) {
    const { service, method, halfClose = false } = given;
    const limits = limitsOf(host, given);
    const taken: Frame[] = [];
    let protocol = "";
    const request = {
      ...requestOf(given),
      timeoutMs: limits.windowMs + CALL_SLACK_MS,
      keepsOpen: !halfClose,
      onResolved: (id: string) => void (protocol = id),
    };
    const reading = await readStream((stop) => host.caller.subscribe(request, stop), limits, {
      signal,
      take(frame) {
        const done = taken.push(frame);
        report?.({ done, message: `frame ${done}: ${textOf(frame)}` });
      },
    });
    const { stoppedBecause, frameCount, elapsedMs } = reading;
    const binaryFrames = [...taken.keys()].filter((index) => taken[index]?.data === null);
    const note = noteOn(reading, limits, halfClose);
    return {
      protocol,
      service,
      method,
      frameCount,
      frames: taken.map(textOf),
      ...(binaryFrames.length === 0 ? {} : { binaryFrames }),
      atMs: taken.map(({ atMs }) => Math.round(atMs)),
      durationMs: limits.windowMs,
      elapsedMs,
      stoppedBecause,
      truncated: stoppedBecause === "frames" || stoppedBecause === "bytes",
      ...viewEnd(reading),
      ...(note === undefined ? {} : { note }),
    };
  },
});

type Limits = ReturnType<typeof limitsOf>;

/** What was asked for, as far as the operator allows it. */
function limitsOf(
  { options: { defaultSubscribeMs, maxSubscribeMs, maxSubscribeFrames } }: Host,
  {
    durationMs = defaultSubscribeMs,
    maxFrames = maxSubscribeFrames,
    maxBytes = DEFAULT_MAX_BYTES,
  }: z.output<typeof input>,
) {
  return {
    windowMs: Math.min(durationMs, maxSubscribeMs),
    maxFrames: Math.min(maxFrames, maxSubscribeFrames),
    maxBytes: Math.min(maxBytes, MAX_BYTES),
  };
}

/** Why there may be no frames. */
function noteOn(
  { stoppedBecause, frameCount }: StreamReading,
  { windowMs, maxBytes }: Limits,
  isHalfClosed: boolean,
): string | undefined {
  if (frameCount > 0) return undefined;
  if (stoppedBecause === "bytes") {
    return `The first message has more than ${maxBytes} bytes: raise maxBytes, up to ${MAX_BYTES}.`;
  }
  if (stoppedBecause !== "time" || isHalfClosed) return undefined;
  return `No message came within ${windowMs} ms. Some servers answer only when the input has ended: ` +
    "set halfClose to true. Others may need a longer durationMs.";
}
