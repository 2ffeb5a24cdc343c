/**
 * The bearer token that guards the HTTP listener.
 *
 * @module
 */
import { createHash, timingSafeEqual } from "node:crypto";

/** Checks `Authorization` headers against one secret, in time that does not depend on the guess. */
export class BearerGuard {
  readonly #digest: Uint8Array;

  /** @param token the secret; must not be empty. */
  constructor(token: string) {
    if (token === "") throw new RangeError("an empty token guards nothing");
    this.#digest = digest(token);
  }

  /** True for exactly `Bearer <token>`; the scheme's case does not matter (RFC 9110, 11.1). */
  accepts(authorization: string | null): boolean {
    const match = /^bearer +(\S+)$/i.exec(authorization ?? "");
    return timingSafeEqual(digest(match?.[1] ?? ""), this.#digest) && match !== null;
  }

  /** The answer to a request without the right token (RFC 6750, section 3). */
  challenge(hasCredentials: boolean): Response {
    const reason = hasCredentials ? ', error="invalid_token"' : "";
    return Response.json(
      {
        jsonrpc: "2.0",
        id: null,
        error: {
          code: -32001,
          message: "Unauthorized: send the header Authorization: Bearer <token>",
        },
      },
      { status: 401, headers: { "WWW-Authenticate": `Bearer realm="bowire-mcp"${reason}` } },
    );
  }
}

/** A name for a text that does not give it away and that no other text has (SHA-256). */
export function fingerprint(text: string): string {
  return digest(text).toString("hex");
}

function digest(text: string) {
  return createHash("sha256").update(text, "utf8").digest();
}
