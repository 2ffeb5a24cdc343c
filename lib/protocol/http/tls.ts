/**
 * The client's certificate, as far as requests of HTTP can carry it.
 *
 * @module
 */
import { readClientTls, refuseTls } from "../client_tls.ts";
import type { ClientTls } from "./exchange.ts";

/**
 * Reads a certificate as metadata carries it.
 *
 * @throws {BowireError} `invalid_argument` as `readClientTls` does, and for a server that is to be
 * trusted without its certificate, which `fetch` cannot.
 */
export function readTls(json: string): ClientTls {
  const { allowSelfSigned, ...tls } = readClientTls(json);
  if (allowSelfSigned && tls.caCertificate === undefined) {
    refuseTls("to trust a self-signed server, give its certificate as caCertificate");
  }
  return tls;
}
