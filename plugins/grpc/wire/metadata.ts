/**
 * What a call sends along: values of `-bin` names in base64, as they travel.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";

/** Names that belong to the wire itself (gRPC over HTTP/2, "Call-Definition"). */
const OF_THE_WIRE =
  /^:|^grpc-|^connect-|^(?:te|content-type|content-length|connection|keep-alive|proxy-connection|http2-settings|host|upgrade|transfer-encoding)$/;
/** What a name may consist of. */
const NAME = /^[0-9a-z_.-]+$/;
/** What a value that is no bytes may consist of. */
const VALUE = /^[ -~]*$/;
/** Padding is optional, and several values are parted by commas. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}(?:, ?[A-Za-z0-9+/]*={0,2})*$/;

/**
 * Checks metadata, and makes headers of it.
 *
 * @throws {BowireError} `invalid_argument`; values are not quoted, they may be secrets.
 */
export function headersOf(metadata: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [given, value] of Object.entries(metadata)) {
    const name = given.toLowerCase();
    if (OF_THE_WIRE.test(name)) refuse(name, "gRPC sets it itself", "leave it out");
    if (!NAME.test(name)) {
      refuse(name, "it is no name of metadata", "letters, digits, - _ and . can be used");
    }
    if (name.endsWith("-bin") && !BASE64.test(value)) {
      refuse(name, "its value is not base64", "encode the bytes as base64");
    }
    if (!VALUE.test(value)) {
      refuse(name, "its value is not printable ASCII", `send it as ${name}-bin, in base64`);
    }
    headers.append(name, value);
  }
  return headers;
}

function refuse(name: string, reason: string, hint: string): never {
  throw new BowireError("invalid_argument", `cannot send the metadata "${name}": ${reason}`, {
    hint,
  });
}
