/**
 * Pending confirmations: what a change would do, parked until a person agrees.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { fingerprint } from "./bearer.ts";

/** How long a confirmation can be redeemed, in milliseconds. */
export const CONFIRMATION_TTL_MS = 5 * 60_000;
/** Most confirmations that are open at once; the oldest gives way. */
const MAX_PENDING = 1000;

/** The one change by the one client that a confirmation is good for. */
export interface ConfirmedChange {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Who asks: session, token and client, as far as the transport knows them. */
  readonly principal: string;
  /** Who may redeem it: the agent that got the token, or only the person who is asked directly. */
  readonly asked: "agent" | "person";
}

/** Issues and redeems tokens: each bound to tool, arguments and client, single use, five minutes. */
export class ConfirmationStore {
  readonly #pending = new Map<string, { key: string; expiresAt: number }>();
  readonly #now: () => number;

  /** @param now the clock, in milliseconds. @default Date.now */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Parks a change. @returns the token that redeems it. */
  issue(change: ConfirmedChange): string {
    this.#sweep();
    const [oldest] = this.#pending.keys();
    if (oldest !== undefined && this.#pending.size >= MAX_PENDING) this.#pending.delete(oldest);
    const token = crypto.randomUUID().replaceAll("-", "");
    this.#pending.set(token, { key: keyOf(change), expiresAt: this.#now() + CONFIRMATION_TTL_MS });
    return token;
  }

  /**
   * Redeems a token for the change it was issued for. A token that is presented for anything else
   * is spent all the same.
   *
   * @throws {BowireError} `confirmation_refused`, always with the same words, so that a refusal
   * does not tell a guesser what was wrong.
   */
  redeem(token: string, change: ConfirmedChange): void {
    this.#sweep();
    const pending = this.#pending.get(token);
    this.#pending.delete(token);
    if (pending === undefined || pending.key !== keyOf(change)) throw refused(change.tool);
  }

  /**
   * Redeems whatever is parked for exactly this change (`confirm: true` on a second call).
   *
   * @throws {BowireError} `confirmation_refused` when nothing is.
   */
  redeemParked(change: ConfirmedChange): void {
    this.#sweep();
    const key = keyOf(change);
    for (const [token, pending] of this.#pending) {
      if (pending.key !== key) continue;
      this.#pending.delete(token);
      return;
    }
    throw refused(change.tool);
  }

  #sweep(): void {
    const now = this.#now();
    for (const [token, { expiresAt }] of this.#pending) {
      if (expiresAt <= now) this.#pending.delete(token);
      else break; // insertion order is expiry order
    }
  }
}

function refused(tool: string): BowireError {
  return new BowireError(
    "confirmation_refused",
    `cannot run ${tool}: no confirmation is pending for this call; it was used, expired, or given for another call`,
    {
      hint:
        "show the plan to the user again; a confirmation holds for one call with the same arguments, for five minutes",
    },
  );
}

function keyOf(change: ConfirmedChange): string {
  return fingerprintOf([change.asked, change.tool, change.principal, change.arguments]);
}

/** A digest of JSON data that does not depend on the order of members. */
function fingerprintOf(value: unknown): string {
  return fingerprint(
    JSON.stringify(
      value,
      (_name, member) =>
        member !== null && typeof member === "object" && !Array.isArray(member)
          ? Object.fromEntries(
            Object.entries(member).sort(([a], [b]) => a < b ? -1 : 1),
          )
          : member,
    ),
  );
}
