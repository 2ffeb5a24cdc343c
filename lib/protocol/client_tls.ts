/**
 * The client's certificate and whom it trusts, as metadata carries them.
 *
 * @module
 */
import { createPrivateKey } from "node:crypto";
import { BowireError } from "../errors/mod.ts";
import { isObject, type JsonObject } from "../schema/json_schema.ts";
import type { ClientTls } from "./http/exchange.ts";

/** What {@linkcode readClientTls} reads. */
export interface ClientTlsSettings extends ClientTls {
  /** Whether any certificate of the server is to be accepted. */
  readonly allowSelfSigned: boolean;
}

/**
 * Reads `{ certificate, privateKey, passphrase?, caCertificate?, allowSelfSigned? }`, each PEM text
 * but the last.
 *
 * @throws {BowireError} `invalid_argument`; nothing of the value is quoted.
 */
export function readClientTls(json: string): ClientTlsSettings {
  const pems = parse(json);
  const textOf = (name: string) => {
    const value = pems[name];
    return typeof value === "string" ? value : undefined;
  };
  const [certificate, key] = [textOf("certificate"), textOf("privateKey")];
  const caCertificate = textOf("caCertificate");
  if ((certificate === undefined) !== (key === undefined)) {
    refuseTls("certificate and privateKey belong together");
  }
  return {
    ...(certificate === undefined || key === undefined
      ? {}
      : { certificate, privateKey: decrypt(key, textOf("passphrase")) }),
    ...(caCertificate === undefined ? {} : { caCertificate }),
    allowSelfSigned: pems["allowSelfSigned"] === true,
  };
}

/** @throws {BowireError} `invalid_argument`, for what such an entry asks for and cannot have. */
export function refuseTls(reason: string): never {
  throw new BowireError("invalid_argument", `cannot use __bowireMtls__: ${reason}`, {
    hint: 'it is {"certificate": PEM, "privateKey": PEM, "passphrase"?, "caCertificate"?: PEM}',
  });
}

function parse(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json);
    if (isObject(value)) return value;
  } catch { /* refused below */ }
  refuseTls("it is not a JSON object");
}

/** The key without its passphrase, since the runtime takes none. */
function decrypt(key: string, passphrase: string | undefined): string {
  if (passphrase === undefined || passphrase === "") return key;
  try {
    return createPrivateKey({ key, passphrase }).export({ type: "pkcs8", format: "pem" })
      .toString();
  } catch {
    refuseTls("the private key cannot be opened with the passphrase");
  }
}
