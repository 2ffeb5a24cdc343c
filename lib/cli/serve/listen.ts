/**
 * Where the HTTP listener listens, and whether that is safe.
 *
 * @module
 */
import { BowireError, messageOf } from "../../errors/mod.ts";
import { isPlainHost } from "../../gate/mod.ts";

/** The port of `bowire mcp serve --bind http`. */
export const SERVER_PORT = 5081;
/** The port of `bowire --enable-mcp-adapter`. */
export const ADAPTER_PORT = 5080;

/** What flags and environment say about the listener. */
export interface ListenSettings {
  /** `--port`. Outranks `urls`. */
  readonly port?: number | undefined;
  /** Where neither `port` nor `urls` say another. @default 5081 */
  readonly defaultPort?: number | undefined;
  /** `--host`. @default loopback */
  readonly host?: string | undefined;
  /** `BOWIRE_URLS`: URLs with a port, separated by semicolons. */
  readonly urls?: string | undefined;
  /** Certificate and key files in PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly hasToken: boolean;
  /** `--allow-insecure-bind`. */
  readonly mayBeInsecure: boolean;
}

/** One place to listen at. */
export interface ListenAddress {
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
}

/**
 * Decides where to listen.
 *
 * @throws {BowireError} `usage` when the settings contradict each other, or when the listener would
 * be open to other machines without a token or in plaintext.
 */
export function resolveAddresses(settings: ListenSettings): ListenAddress[] {
  const hasCertificate = settings.cert !== undefined || settings.key !== undefined;
  if (hasCertificate && (settings.cert === undefined || settings.key === undefined)) {
    throw new BowireError("usage", "cannot serve TLS: --cert and --key belong together");
  }
  const fromFlags = settings.port !== undefined || settings.host !== undefined ||
    (settings.urls ?? "") === "";
  const addresses = fromFlags
    ? [{
      hostname: bindName(settings.host ?? "localhost"),
      port: settings.port ?? settings.defaultPort ?? SERVER_PORT,
      isTls: hasCertificate,
    }]
    : (settings.urls ?? "").split(";").filter((url) => url.trim() !== "").map(parseListenUrl);
  if (addresses.length === 0) {
    throw new BowireError("usage", `cannot listen: "${settings.urls}" (BOWIRE_URLS) names no URL`);
  }
  for (const address of addresses) check(address, settings, hasCertificate);
  return addresses;
}

/** Whether `--port` or `--host` made `BOWIRE_URLS` count for nothing. */
export function isOutranked({ port, host, urls }: ListenSettings): boolean {
  return (urls ?? "") !== "" && (port !== undefined || host !== undefined);
}

/** Names under which a listener may be addressed, besides those of the loopback. */
export function hostNamesOf(addresses: readonly ListenAddress[]): string[] {
  return addresses
    .map(({ hostname }) => hostname.includes(":") ? `[${hostname}]` : hostname)
    .filter((name) => name !== "0.0.0.0" && name !== "[::]");
}

/**
 * Reads certificate and key.
 *
 * @throws {BowireError} `file_failed`.
 */
export async function readCertificate(
  { cert, key }: ListenSettings,
): Promise<{ cert: string; key: string } | undefined> {
  if (cert === undefined || key === undefined) return undefined;
  return { cert: await readText(cert, "the certificate"), key: await readText(key, "the key") };
}

/**
 * Reads a file that a person named.
 *
 * @throws {BowireError} `file_failed`.
 */
export async function readText(path: string, what: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    throw new BowireError(
      "file_failed",
      `cannot read ${what} from "${path}": ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function parseListenUrl(raw: string): ListenAddress {
  const url = URL.parse(raw.trim());
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new BowireError(
      "usage",
      `cannot listen at "${raw}" (BOWIRE_URLS): it is not an http or https URL`,
      {
        hint: "write it as https://localhost:5443",
      },
    );
  }
  const isTls = url.protocol === "https:";
  return {
    hostname: bindName(url.hostname.replace(/^\[(.*)\]$/, "$1")),
    port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
    isTls,
  };
}

/** The name `localhost` may mean two addresses; one is enough and certain. */
function bindName(host: string): string {
  return host === "localhost" ? "127.0.0.1" : host;
}

function check(address: ListenAddress, settings: ListenSettings, hasCertificate: boolean): void {
  const { hostname, port, isTls } = address;
  if (!isPlainHost(hostname)) {
    throw new BowireError("usage", `cannot listen at "${hostname}": it is no name or address`);
  }
  if (isTls && !hasCertificate) {
    throw new BowireError(
      "usage",
      `cannot listen at https://${hostname}:${port}: there is no certificate`,
      {
        hint: "give --cert FILE --key FILE, both in PEM",
      },
    );
  }
  if (isLoopback(hostname) || settings.mayBeInsecure) return;
  const missing = [
    ...settings.hasToken ? [] : ["a token (--token-file)"],
    ...isTls ? [] : ["TLS (--cert, --key)"],
  ];
  if (missing.length === 0) return;
  throw new BowireError(
    "usage",
    `refusing to listen at ${hostname}:${port}: other machines could reach it without ${
      missing.join(" and ")
    }`,
    {
      hint: "add what is missing, listen at localhost, or insist with --allow-insecure-bind",
    },
  );
}

function isLoopback(hostname: string): boolean {
  return /^127(\.\d{1,3}){3}$/.test(hostname) || hostname === "::1";
}
