/**
 * TLS on a connection, by the endpoint's own settings.
 *
 * @module
 */
import type { Socket } from "node:net";
import * as tls from "node:tls";
import type { Endpoint } from "../endpoint.ts";

/**
 * Begins TLS and agrees on HTTP/2 (RFC 7301).
 *
 * @throws {Error} when the certificate is not to be trusted, or the server ends the handshake.
 */
export async function secure(
  socket: Socket,
  { target, authority, tls: own }: Pick<Endpoint, "target" | "authority" | "tls">,
): Promise<tls.TLSSocket> {
  const name = (authority?.replace(/:\d+$/, "") ?? target.host).replace(/^\[(.*)\]$/, "$1");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const secured = tls.connect({
    socket,
    ALPNProtocols: ["h2"],
    // Server names are never addresses (RFC 6066, section 3); the certificate is held against it.
    servername: isAddress(name) ? "address.invalid" : name,
    checkServerIdentity: (_name, certificate) => tls.checkServerIdentity(name, certificate),
    rejectUnauthorized: !own.allowSelfSigned,
    ...(own.caCertificate === undefined ? {} : { ca: own.caCertificate }),
    ...(own.certificate === undefined ? {} : { cert: own.certificate, key: own.privateKey }),
  });
  secured.once("secureConnect", () => {
    if (own.allowSelfSigned || secured.authorized) resolve();
    else reject(secured.authorizationError);
  });
  secured.on("error", reject);
  secured.once("close", () => reject(new Error("the server ended the TLS handshake")));
  try {
    await promise;
    return secured;
  } catch (error) {
    secured.destroy();
    throw error;
  }
}

function isAddress(name: string): boolean {
  return /^[\d.]+$/.test(name) || name.includes(":");
}
