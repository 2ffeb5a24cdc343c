/**
 * Certificates that are made anew for each test run, so that no key lies in the repository.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createPrivateKey } from "node:crypto";

/** A certificate and its key, both PEM. */
export interface Identity {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Who vouches for others. */
export interface Authority extends Identity {
  /** Makes an identity with a common name, good for 127.0.0.1 and localhost. */
  issue(name: string): Promise<Identity>;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

const OIDS = {
  commonName: [0x55, 4, 3],
  subjectAltName: [0x55, 0x1d, 0x11],
  basicConstraints: [0x55, 0x1d, 0x13],
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2],
};

/** Makes an authority that signs itself. */
export async function makeAuthority(name: string): Promise<Authority> {
  const keys = await makeKeys();
  const isAuthority = extension(OIDS.basicConstraints, sequence(tag(0x01, [0xff])));
  const certificate = await sign({ name, keys, extensions: [isAuthority] }, { name, keys });
  return {
    ...certificate,
    async issue(subject) {
      const names = sequence(tag(0x87, [127, 0, 0, 1]), tag(0x82, bytesOf("localhost")));
      const extensions = [extension(OIDS.subjectAltName, names)];
      return await sign({ name: subject, keys: await makeKeys(), extensions }, { name, keys });
    },
  };
}

/** A PEM key that opens with a passphrase only. */
export function lockKey(privateKey: string, passphrase: string): string {
  return createPrivateKey(privateKey).export({
    type: "pkcs8",
    format: "pem",
    cipher: "aes-256-cbc",
    passphrase,
  }).toString();
}

interface Signer {
  readonly name: string;
  readonly keys: CryptoKeyPair;
}

async function makeKeys(): Promise<CryptoKeyPair> {
  return await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

/** A certificate as RFC 5280, 4.1 has it. */
async function sign(
  subject: Signer & { readonly extensions: readonly number[][] },
  issuer: Signer,
): Promise<Identity> {
  const publicKey = await crypto.subtle.exportKey("spki", subject.keys.publicKey);
  const algorithm = sequence(tag(0x06, OIDS.ecdsaWithSha256));
  const body = sequence(
    tag(0xa0, integer([2])),
    integer([...crypto.getRandomValues(new Uint8Array(8))]),
    algorithm,
    nameOf(issuer.name),
    sequence(time(-1), time(1)),
    nameOf(subject.name),
    [...new Uint8Array(publicKey)],
    tag(0xa3, sequence(...subject.extensions)),
  );
  const raw = await crypto.subtle.sign(ALGORITHM, issuer.keys.privateKey, new Uint8Array(body));
  const halves = [...new Uint8Array(raw)];
  const signature = sequence(integer(halves.slice(0, 32)), integer(halves.slice(32)));
  const privateKey = await crypto.subtle.exportKey("pkcs8", subject.keys.privateKey);
  return {
    certificate: pem("CERTIFICATE", sequence(body, algorithm, tag(0x03, [0, ...signature]))),
    privateKey: pem("PRIVATE KEY", [...new Uint8Array(privateKey)]),
  };
}

function nameOf(name: string): number[] {
  const pair = sequence(tag(0x06, OIDS.commonName), tag(0x0c, bytesOf(name)));
  return sequence(tag(0x31, pair));
}

function extension(oid: readonly number[], value: number[]): number[] {
  return sequence(tag(0x06, oid), tag(0x01, [0xff]), tag(0x04, value));
}

/** UTCTime, some days from now. */
function time(days: number): number[] {
  const date = new Date(Date.now() + days * 86_400_000).toISOString();
  return tag(0x17, bytesOf(`${date.slice(2, 19).replace(/[-:T]/g, "")}Z`));
}

function integer(bytes: readonly number[]): number[] {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = bytes.slice(start === -1 ? -1 : start);
  return tag(0x02, (digits[0] ?? 0) > 0x7f ? [0, ...digits] : digits);
}

function sequence(...parts: readonly number[][]): number[] {
  return tag(0x30, parts.flat());
}

/** One value in DER: its tag, its length, its content. */
function tag(number: number, content: readonly number[]): number[] {
  const { length } = content;
  const lengths = length < 0x80
    ? [length]
    : length < 0x100
    ? [0x81, length]
    : [0x82, length >> 8, length & 0xff];
  return [number, ...lengths, ...content];
}

function bytesOf(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

function pem(label: string, bytes: readonly number[]): string {
  const lines = Buffer.from(bytes).toString("base64").replace(/.{64}/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
