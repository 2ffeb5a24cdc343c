/**
 * The types of the torture files, and messages through the public face.
 *
 * @module
 */
import {
  createFileRegistry,
  type DescMessage,
  type FileRegistry,
  fromBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { fileURLToPath } from "node:url";
import { BowireError } from "../../../../lib/errors/mod.ts";
import { type Decoded, decodeMessage, encodeMessage } from "../../../../plugins/grpc/json/mod.ts";
import { Buf } from "../../../../scripts/oracle/buf.ts";
import { HAS_PEERS } from "../../../peers/peers.ts";

/** The buf of the foreign programs. */
export const BUF = new Buf(
  fileURLToPath(new URL("../../../peers/programs/node_modules/.bin/buf", import.meta.url)),
);

/** As the option of a test that needs buf. */
export const needsBuf = { ignore: !HAS_PEERS };

const TORTURE = fileURLToPath(new URL("../../../../scripts/oracle/torture", import.meta.url));

async function buildTypes(): Promise<FileRegistry> {
  const path = await Deno.makeTempFile();
  try {
    await BUF.buildImage([TORTURE], path);
    return createFileRegistry(fromBinary(FileDescriptorSetSchema, await Deno.readFile(path)));
  } finally {
    await Deno.remove(path);
  }
}

let types: Promise<FileRegistry> | undefined;

/** All types of `scripts/oracle/torture`. */
export function tortureTypes(): Promise<FileRegistry> {
  types ??= buildTypes();
  return types;
}

/** A type of `torture.…`. */
export async function typeOf(name: string): Promise<DescMessage> {
  const type = (await tortureTypes()).getMessage(`torture.${name}`);
  if (type === undefined) throw new Error(`the torture files have no ${name}`);
  return type;
}

/** The bytes of a message, in hexadecimal. */
export async function encode(name: string, json: string): Promise<string> {
  const bytes = await encodeMessage(await typeOf(name), json, { registry: await tortureTypes() });
  return bytes.toHex();
}

/** A message of bytes in hexadecimal. */
export async function decode(name: string, hex: string): Promise<Decoded> {
  const bytes = Uint8Array.fromHex(hex.replaceAll(" ", ""));
  return await decodeMessage(await typeOf(name), bytes, { registry: await tortureTypes() });
}

/** JSON text to bytes and back. */
export async function roundTrip(name: string, json: string): Promise<string> {
  const { json: back, unknownFields, notes } = await decode(name, await encode(name, json));
  if (unknownFields.length + notes.length > 0) throw new Error("the round trip left remarks");
  return back;
}

/** What a refusal says: its code, message and hint. */
export async function refusal(run: Promise<unknown>): Promise<string> {
  try {
    await run;
  } catch (error) {
    if (!(error instanceof BowireError)) throw error;
    return `${error.code}: ${error.message}${error.hint === undefined ? "" : ` (${error.hint})`}`;
  }
  throw new Error("it was not refused");
}
