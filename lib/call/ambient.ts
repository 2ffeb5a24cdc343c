/**
 * What the active environment adds to the calls of its server.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { originOf, parseAddress } from "../gate/mod.ts";
import type { EnvironmentsDocument } from "../model/mod.ts";
import type { Ambient } from "../protocol/mod.ts";
import { substitute } from "../schema/mod.ts";

type Texts = Readonly<Record<string, string>>;

/**
 * Headers and credentials of the active environment, for the origin of its `serverUrl` and no
 * other. What has a variable without a value is left out: a placeholder is no credential.
 *
 * @throws {BowireError} `invalid_url` when `serverUrl` is none.
 */
export function ambientOf(document: EnvironmentsDocument): Ambient | undefined {
  const { activeEnvId, environments, globals } = document;
  const active = environments.find(({ id }) => id === activeEnvId);
  const values = { ...globals, ...active?.vars };
  const { serverUrl = "" } = textsIn(active, values);
  if (serverUrl === "" || !isFilled(serverUrl)) return undefined;
  const auth = textsIn(active?.auth, values);
  const headers = Object.entries(textsIn(active?.["headers"], values))
    .filter(([, text]) => isFilled(text));
  return {
    origin: originOf(parseAddress(serverUrl)),
    metadata: {
      // A user name without its password is no credential either.
      ...Object.values(auth).every(isFilled) ? credentialsOf(auth) : {},
      ...Object.fromEntries(headers),
    },
  };
}

/** The members that are text, with the values of their variables. */
function textsIn(holder: unknown, values: Texts): Texts {
  if (typeof holder !== "object" || holder === null) return {};
  return Object.fromEntries(
    Object.entries(holder)
      .filter((entry): entry is [string, string] => typeof entry[1] === "string")
      .map(([name, text]) => [name, substitute(text, values)]),
  );
}

/** False for a text with a variable that has no value. */
function isFilled(text: string): boolean {
  return !/\{\{[^{}]+\}\}|\$\{[^{}]+\}/.test(text);
}

/** An auth block as metadata; its kinds and their members are those of the .NET Bowire. */
function credentialsOf(auth: Texts): Texts {
  const { type, token, username, password = "", name, value, location } = auth;
  if (type === "bearer" && token !== undefined) return { Authorization: `Bearer ${token}` };
  if (type === "basic" && username !== undefined) {
    const pair = Buffer.from(`${username}:${password}`).toString("base64");
    return { Authorization: `Basic ${pair}` };
  }
  if (type === "apikey" && name !== undefined && value !== undefined) {
    return { [location === "query" ? `__bowireQuery__${name}` : name]: value };
  }
  if (type === "mtls") {
    const { type: _type, ...pems } = auth;
    return { __bowireMtls__: JSON.stringify(pems) };
  }
  return {};
}
