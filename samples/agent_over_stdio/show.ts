// deno-lint-ignore-file no-console -- it shows what an agent sees
/**
 * Shows the steps of the demo and reads what tools answered.
 *
 * @module
 */

/** The parts of a tool result that the demo looks at. */
interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
}

/** A tool's answer. */
export interface Answer {
  readonly isError: boolean;
  /** A member as text; empty when there is none. */
  text(member: string): string;
  /** Message and hint of a failure. */
  error(): string;
  /** One line a service. */
  services(): string[];
}

/** Reads a tool result. */
export function readAnswer({ isError = false, structuredContent }: ToolResult): Answer {
  const data = asRecord(structuredContent);
  const error = asRecord(data.error);
  return {
    isError,
    text: (member) => String(data[member] ?? ""),
    error: () => `${error.message} (${error.hint})`,
    services: () =>
      asList(data.services).map(asRecord).map(({ service, methods }) =>
        `${service}: ${asList(methods).map(asRecord).map(({ name }) => name).join(", ")}`
      ),
  };
}

/** Prints what the agent did and what came back. */
export function showStep(what: string, lines: readonly string[]): void {
  console.log(`\n> ${what}`);
  for (const line of lines) {
    console.log(`  ${line.length > 300 ? `${line.slice(0, 300)} …` : line}`);
  }
}

/** Ends the demo when a step is not as it should be. */
export function check(isRight: boolean, expectation: string): void {
  if (!isRight) throw new Error(`expected that ${expectation}`);
}

function asRecord(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === "object" ? { ...value } : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
