/**
 * The client's certificate, as metadata carries it.
 *
 * @module
 */
import { createPrivateKey } from "node:crypto";
import { BowireError } from "../../../lib/errors/mod.ts";
import type { ClientTls } from "../../../lib/protocol/mod.ts";
import { isObject, textOf } from "../document/json.ts";

/**
 * Reads `{ certificate, privateKey, passphrase?, caCertificate? }`, each PEM text.
 *
 * @throws {BowireError} `invalid_argument`; nothing of the value is quoted.
 */
export function readTls(json: string): ClientTls {
  const pems = parse(json);
  const [certificate, key] = [textOf(pems["certificate"]), textOf(pems["privateKey"])];
  const caCertificate = textOf(pems["caCertificate"]);
  if ((certificate === undefined) !== (key === undefined)) {
    refuse("certificate and privateKey belong together");
  }
  if (pems["allowSelfSigned"] === true && caCertificate === undefined) {
    refuse("to trust a self-signed server, give its certificate as caCertificate");
  }
  return {
    ...(certificate === undefined || key === undefined
      ? {}
      : { certificate, privateKey: decrypt(key, textOf(pems["passphrase"])) }),
    ...(caCertificate === undefined ? {} : { caCertificate }),
  };
}

function parse(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    if (isObject(value)) return value;
  } catch { /* refused below */ }
  refuse("it is not a JSON object");
}

/** The key without its passphrase, since the runtime takes none. */
function decrypt(key: string, passphrase: string | undefined): string {
  if (passphrase === undefined || passphrase === "") return key;
  try {
    return createPrivateKey({ key, passphrase }).export({ type: "pkcs8", format: "pem" })
      .toString();
  } catch {
    refuse("the private key cannot be opened with the passphrase");
  }
}

function refuse(reason: string): never {
  throw new BowireError("invalid_argument", `cannot use __bowireMtls__: ${reason}`, {
    hint: 'it is {"certificate": PEM, "privateKey": PEM, "passphrase"?, "caCertificate"?: PEM}',
  });
}
