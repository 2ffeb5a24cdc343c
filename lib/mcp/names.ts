/**
 * Tool names on the wire. The documented names have dots; some clients drop the whole list for it.
 *
 * @module
 */

/** `auto` writes dots unless the client is known to refuse them. */
export type ToolNameStyle = "auto" | "dotted" | "underscore";

// Clients whose model API takes only `^[a-zA-Z0-9_-]{1,64}$`, by the start of the name they give.
const REFUSE_DOTS =
  /^(claude|anthropic|cursor|codex|openai|chatgpt|github[- ]?copilot|copilot|visual studio|vscode|jetbrains|intellij|windsurf|cline|gemini|local-agent-mode)/i;

/** The name of a tool for one client, which may not have given its own name (empty). */
export function wireName(
  name: string,
  style: ToolNameStyle,
  clientName: string,
): string {
  const underscore = style === "underscore" ||
    (style === "auto" && REFUSE_DOTS.test(clientName));
  return underscore ? name.replaceAll(".", "_") : name;
}

/** True when `given` means the tool `name`, with dots or underscores. */
export function isSameName(given: string, name: string): boolean {
  return given === name || given === name.replaceAll(".", "_");
}
