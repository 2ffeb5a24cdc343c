/**
 * Options that say how a target is connected to.
 *
 * @module
 */
import { Option } from "commander";
import { BowireError } from "../../errors/mod.ts";
import { readText } from "../serve/listen.ts";

/** What the options say. */
export interface Connection {
  readonly isPlaintext: boolean;
  /** Whether any certificate of the server is accepted. */
  readonly isInsecure: boolean;
  /** Files in PEM: whom to trust, and who asks. */
  readonly cacert: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** The name that the server is asked by. */
  readonly authority: string | undefined;
}

const GROUP = "Connection options:";

/** The option for a connection without TLS. */
export function plaintextOption(): Option {
  return new Option("--plaintext", "connect without TLS; a URL without a scheme is http then")
    .conflicts(["insecure", "cacert", "cert", "key"]).helpGroup(GROUP);
}

/** All options of a connection. */
export function connectionOptions(): Option[] {
  const others: readonly (readonly [flags: string, description: string])[] = [
    ["--insecure", "accept any certificate of the server"],
    ["--cacert <file>", "trust the certificates in this file (PEM)"],
    ["--cert <file>", "show this client certificate (PEM)"],
    ["--key <file>", "private key of the client certificate (PEM)"],
    ["--authority <name>", "ask the server by this name, where the protocol has such"],
  ];
  return [
    plaintextOption(),
    ...others.map(([flags, description]) => new Option(flags, description).helpGroup(GROUP)),
  ];
}

/**
 * The connection that was asked for.
 *
 * @throws {BowireError} `usage` for a certificate without its key, or the other way round.
 */
export function connectionOf(options: Readonly<Record<string, unknown>>): Connection {
  const textOf = (name: string) => {
    const value = options[name];
    return typeof value === "string" ? value : undefined;
  };
  const [cert, key] = [textOf("cert"), textOf("key")];
  if ((cert === undefined) !== (key === undefined)) {
    throw new BowireError(
      "usage",
      "cannot show a client certificate: --cert and --key belong together",
    );
  }
  return {
    isPlaintext: options["plaintext"] === true,
    isInsecure: options["insecure"] === true,
    cacert: textOf("cacert"),
    cert,
    key,
    authority: textOf("authority"),
  };
}

/** The files that a connection takes. */
export function connectionFiles({ cacert, cert, key }: Connection): string[] {
  return [cacert, cert, key].filter((file) => file !== undefined);
}

/**
 * Reads the files of a connection, and puts all of it into metadata.
 *
 * @throws {BowireError} `file_failed`.
 */
export async function connectionMetadata(
  { isInsecure, cacert, cert, key, authority }: Connection,
): Promise<Record<string, string>> {
  const certificates = {
    ...(cert === undefined ? {} : { certificate: await readText(cert, "the certificate") }),
    ...(key === undefined ? {} : { privateKey: await readText(key, "the key") }),
    ...(cacert === undefined
      ? {}
      : { caCertificate: await readText(cacert, "the certificates to trust") }),
    ...(isInsecure ? { allowSelfSigned: true } : {}),
  };
  return {
    ...(Object.keys(certificates).length === 0
      ? {}
      : { __bowireMtls__: JSON.stringify(certificates) }),
    ...(authority === undefined ? {} : { ":authority": authority }),
  };
}

/** `hint@`, scheme, and the rest, of which the first two may be left out. */
const PARTS = /^([a-z0-9-]+@)?(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is;
/** What begins with a host, and a port or not. */
const HOST = /^(?:\[[^\]]*\]|[^/:?#]+)(?::\d+)?(?:[/?#]|$)/;

/**
 * Writes out the scheme of a URL that was typed without; what is no URL is left as it is.
 *
 * @throws {BowireError} `usage` for a URL of TLS that is to be called without.
 */
export function completeUrl(url: string, { isPlaintext }: Connection): string {
  const [, hint = "", scheme, rest = ""] = PARTS.exec(url.trim()) ?? [];
  const wanted = isPlaintext ? "http" : "https";
  if (scheme === undefined) return HOST.test(rest) ? `${hint}${wanted}://${rest}` : url;
  if (isPlaintext && scheme.toLowerCase() === "https") {
    throw new BowireError("usage", "cannot call an https URL without TLS: --plaintext is given", {
      hint: "write http://, or leave out --plaintext",
    });
  }
  return url;
}
