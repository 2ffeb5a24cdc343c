/**
 * An answer by HTTP that says nothing in MCP's own words.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { place, type Target } from "../../../lib/protocol/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";

/** What a server answered instead of a message. */
export class HttpRefusal extends Error {
  /** HTTP status, or 200 for something else than a message. */
  readonly status: number;
  /** The beginning of the body. */
  readonly text: string;
  /** How it wants to be asked (`WWW-Authenticate`), when it says so. */
  readonly challenge: string | undefined;

  constructor(status: number, text: string, challenge?: string) {
    super(`HTTP ${status}`);
    this.status = status;
    this.text = text;
    this.challenge = challenge;
  }

  /** True when the server wants to know who asks. */
  get isAboutCredentials(): boolean {
    return this.status === 401 || this.status === 403;
  }

  /** The refusal as an error for people. */
  toError(target: Target): BowireError {
    const { status, challenge } = this;
    if (this.isAboutCredentials) {
      const how = challenge === undefined ? "" : `; it asks for: ${cleanLine(challenge, 200)}`;
      return new BowireError("call_failed", `${place(target)} refused with HTTP ${status}${how}`, {
        hint: "send credentials as a header, for instance Authorization: Bearer …",
        details: { status },
      });
    }
    const what = status < 300 ? "something else than a message of MCP" : `HTTP ${status}`;
    return new BowireError("not_discovered", `${place(target)} answered with ${what}`, {
      hint: "give the URL at which the server takes messages, often /mcp",
      details: { status },
      retryable: status >= 500,
    });
  }
}
