/**
 * HTTP clients that show a certificate or trust another authority.
 *
 * @module
 */
import { BowireError } from "../../errors/mod.ts";
import type { ClientTls } from "./exchange.ts";

/**
 * Opens such a client; whoever opens it closes it.
 *
 * @throws {BowireError} `invalid_argument` when something is not PEM.
 */
export function openClient({ certificate, privateKey, caCertificate }: ClientTls): Deno.HttpClient {
  // The runtime passes over an authority that is no PEM.
  if (caCertificate?.includes("-----BEGIN CERTIFICATE-----") === false) throw notPem();
  try {
    return Deno.createHttpClient({
      ...(caCertificate === undefined ? {} : { caCerts: [caCertificate] }),
      ...(certificate === undefined || privateKey === undefined
        ? {}
        : { cert: certificate, key: privateKey }),
    });
  } catch (error) {
    // What the runtime says may quote the key.
    throw notPem(error);
  }
}

function notPem(cause?: unknown): BowireError {
  return new BowireError("invalid_argument", "cannot use the client certificate: it is not PEM", {
    hint: "give certificates and key as PEM text, the key without a passphrase",
    cause,
  });
}
