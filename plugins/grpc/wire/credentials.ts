/**
 * What grpc-js does with a connection before it speaks on it: the address is judged, and TLS is
 * begun by the endpoint's own settings.
 *
 * @module
 */
import type { Socket } from "node:net";
import * as tls from "node:tls";
import { CallCredentials, ChannelCredentials, type experimental } from "@grpc/grpc-js";
import type { Endpoint } from "./endpoint.ts";

type Secured = experimental.SecureConnectResult;

/** Judges the address of a connection; throws when it may not be spoken to. */
export type Judge = (address: string) => void;

/** Credentials of one endpoint. Derived from grpc-js's own class, as its two kinds are. */
export class JudgedCredentials extends ChannelCredentials {
  readonly #endpoint: Endpoint;
  readonly #judge: Judge;
  /** What was thrown when the last connection was refused. */
  refusal: unknown;
  /** Whether the last connection came as far as to HTTP/2. */
  isConnected = false;

  constructor(endpoint: Endpoint, judge: Judge) {
    super();
    this.#endpoint = endpoint;
    this.#judge = judge;
  }

  override _isSecure(): boolean {
    return this.#endpoint.target.scheme === "https";
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other;
  }

  override _createSecureConnector(): experimental.SecureConnector {
    return {
      connect: (socket) => this.#connect(socket),
      waitForReady: () => Promise.resolve(),
      getCallCredentials: () => CallCredentials.createEmpty(),
      destroy: () => {},
    };
  }

  async #connect(socket: Socket): Promise<Secured> {
    this.refusal = undefined;
    this.isConnected = false;
    try {
      this.#judge(socket.remoteAddress ?? "");
    } catch (error) {
      this.refusal = error;
      throw error;
    }
    const isSecure = this._isSecure();
    const ready = isSecure ? await secure(socket, this.#endpoint) : socket;
    this.isConnected = true;
    return { socket: ready, secure: isSecure };
  }
}

async function secure(socket: Socket, { target, authority, tls: own }: Endpoint): Promise<Socket> {
  const name = authority?.replace(/:\d+$/, "") ?? target.host;
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const secured: tls.TLSSocket = tls.connect({
    socket,
    ALPNProtocols: ["h2"],
    // Server names are never addresses (RFC 6066, section 3); the certificate is held against it.
    servername: isAddress(name) ? "address.invalid" : name,
    checkServerIdentity: (_name, certificate) =>
      tls.checkServerIdentity(name.replace(/^\[(.*)\]$/, "$1"), certificate),
    rejectUnauthorized: !own.allowSelfSigned,
    ...(own.caCertificate === undefined ? {} : { ca: own.caCertificate }),
    ...(own.certificate === undefined ? {} : { cert: own.certificate, key: own.privateKey }),
  }, () => {
    if (own.allowSelfSigned || secured.authorized) resolve(secured);
    else reject(secured.authorizationError);
  });
  secured.on("error", reject);
  secured.on("close", () => reject(new Error("the server ended the TLS handshake")));
  return await promise;
}

function isAddress(name: string): boolean {
  return /^\[|^[\d.]+$/.test(name) || name.includes(":");
}
