/**
 * What a server of tools takes to start, to list them and to call one.
 *
 * @module
 */
import type { McpCommand } from "../../../tests/peers/mcp_peers.ts";
import { McpSession } from "./session.ts";

/** Milliseconds from the start of the process. */
export interface StartTimes {
  readonly initializeMs: number;
  readonly listMs: number;
}

/** A start and what it listed. */
export interface Start extends StartTimes {
  readonly tools: number;
  /** The size of the list. */
  readonly bytes: number;
}

/** Starts the server and lists its tools. */
export async function measureStart(command: McpCommand): Promise<Start> {
  const startedMs = performance.now();
  await using session = new McpSession(command);
  await session.initialize();
  const initializeMs = performance.now() - startedMs;
  const { names, bytes } = await session.listTools();
  return { initializeMs, listMs: performance.now() - startedMs, tools: names.length, bytes };
}

/** A tool, known by its name, and its arguments. */
export interface Probe {
  readonly tool: RegExp;
  readonly args: Record<string, unknown>;
  /** What its answer has to hold. */
  readonly answer: string;
}

/**
 * Calls one tool again and again, and runs something else in turns with it.
 *
 * @param direct what a call is compared with.
 * @returns milliseconds, call by call, without those of the first calls.
 * @throws {Error} when there is not one such tool, or it answers with something else.
 */
export async function measureCalls(
  command: McpCommand,
  { tool, args, answer }: Probe,
  { rounds, direct }: { rounds: number; direct: () => Promise<unknown> },
): Promise<{ callMs: number[]; directMs: number[] }> {
  await using session = new McpSession(command);
  await session.initialize();
  const found = (await session.listTools()).names.filter((name) => tool.test(name));
  if (found.length !== 1) throw new Error(`there are ${found.length} tools ${tool}: ${found}`);
  const [callMs, directMs]: [number[], number[]] = [[], []];
  for (let round = -Math.ceil(rounds / 10); round < rounds; round++) {
    const startedMs = performance.now();
    const { result } = await session.request("tools/call", { name: found[0], arguments: args });
    const calledMs = performance.now();
    await direct();
    if (!JSON.stringify(result).includes(answer)) {
      throw new Error(`"${found[0]}" answered ${JSON.stringify(result).slice(0, 500)}`);
    }
    if (round < 0) continue; // what is warm after the first calls
    callMs.push(calledMs - startedMs);
    directMs.push(performance.now() - calledMs);
  }
  return { callMs, directMs };
}
