/**
 * Environments without their secrets.
 *
 * @module
 */
import { isSecretName, MASK, redactUrl } from "../gate/mod.ts";
import type { Environment } from "../model/mod.ts";

/** Members of an auth block that say how, not with what (reference, section 3.3). */
const OPEN_AUTH_MEMBERS = new Set([
  "type",
  "location",
  "name",
  "header",
  "username",
  "tokenUrl",
  "authUrl",
  "authorizationUrl",
  "clientId",
  "scope",
  "audience",
  "region",
  "service",
  "method",
  "contentType",
  "tokenPath",
  "expiryPath",
  "prefix",
  "algorithm",
  "alg",
  "cookieJar",
]);

/** An environment as it may be shown. */
export function maskEnvironment(environment: Environment): Environment {
  const { vars, auth } = environment;
  return {
    ...environment,
    ...(vars === undefined ? {} : { vars: maskVariables(vars) }),
    ...(auth === undefined ? {} : { auth: maskAuth(auth) }),
  };
}

/** Variables as they may be shown: secret by name, or by the look of the value. */
export function maskVariables(variables: Readonly<Record<string, string>>): Record<string, string> {
  const shown = Object.entries(variables).map(([name, value]): [string, string] => {
    const text = String(value);
    return [name, isSecretName(name) || looksSecret(text) ? maskText(text) : redactUrl(text)];
  });
  return Object.fromEntries(shown);
}

function maskAuth(auth: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown = Object.entries(auth).map(([name, value]) => {
    if (typeof value === "boolean" || value === null) return [name, value];
    if (typeof value !== "string") return [name, MASK];
    return [name, OPEN_AUTH_MEMBERS.has(name) ? redactUrl(value) : maskText(value)];
  });
  return Object.fromEntries(shown);
}

/** Authorization values, JSON web tokens and private keys, whatever they are called. */
function looksSecret(text: string): boolean {
  return /^(bearer|basic)\s+\S|^eyJ[\w-]+\.[\w-]+\.|-----BEGIN [A-Z ]*PRIVATE KEY-----/i.test(text);
}

/** A reference such as `{{secret.API_KEY}}` gives nothing away and helps to understand. */
function maskText(text: string): string {
  return text === "" || /^(\{\{[^{}]+\}\}|\$\{[^{}]+\})$/.test(text) ? text : MASK;
}
