/**
 * The conversions of one batch, by us and by buf.
 *
 * @module
 */
import { type DescMessage, fromBinary, toJson } from "@bufbuild/protobuf";
import { messageOf } from "../../lib/errors/mod.ts";
import { parseJson } from "../../lib/schema/mod.ts";
import { type Codec, decodeMessage, encodeMessage } from "../../plugins/grpc/json/mod.ts";
import {
  type Batch,
  inHalves,
  type Item,
  packBytes,
  packJson,
  unpackBytes,
  unpackJson,
} from "./batch.ts";
import type { Buf } from "./buf.ts";
import { canonicalJson } from "./canonical.ts";

/** What was compared. */
export type Step = "JSON to bytes" | "bytes of buf to JSON" | "our bytes to JSON";

/** Two results that are not the same. */
export interface Difference {
  readonly type: string;
  readonly step: Step;
  /** The JSON that the message was made of. */
  readonly input: string;
  /** Canonical JSON, bytes in hexadecimal, or a complaint. */
  readonly ours: string;
  readonly theirs: string;
}

/** A message, or why there is none. */
export type Outcome<T> = { readonly message: T } | { readonly complaint: string };

/** Where the batch's types are. */
export interface Source {
  readonly buf: Buf;
  readonly image: string;
  readonly codec: Codec;
}

/** The runs of one batch. */
export class Bench {
  readonly #batch: Batch;
  readonly #source: Source;

  /** The batch is one of the source's image. */
  constructor(batch: Batch, source: Source) {
    this.#batch = batch;
    this.#source = source;
  }

  #typeOf({ typeIndex }: Item<unknown>): DescMessage {
    const type = this.#batch.types[typeIndex];
    if (type === undefined) throw new RangeError("an item of no type");
    return type;
  }

  /** Our bytes. */
  encode(items: readonly Item<string>[]): Promise<Outcome<Uint8Array>[]> {
    return Promise.all(
      items.map((item) =>
        encodeMessage(this.#typeOf(item), item.message, this.#source.codec).then(
          (message) => ({ message }),
          (error) => ({ complaint: messageOf(error) }),
        )
      ),
    );
  }

  /** The bytes of buf. */
  bufEncodes(items: readonly Item<string>[]): Promise<Outcome<Uint8Array>[]> {
    const options = { image: this.#source.image, type: this.#batch.name };
    return inHalves(
      items,
      {
        run: (part) =>
          this.#source.buf.convert(packJson(part), { ...options, from: "json", to: "binpb" }),
        unpack: unpackBytes,
      },
    );
  }

  /** Equal but for the order of fields and entries, and NaN's bits, to a third library. */
  isEqual(item: Item<string>, ours: Uint8Array, theirs: Uint8Array): boolean {
    const type = this.#typeOf(item);
    const { registry } = this.#source.codec;
    const [left, right] = [ours, theirs].map((bytes) =>
      canonicalJson(toJson(type, fromBinary(type, bytes), { registry }))
    );
    return left === right;
  }

  /** Our JSON of bytes against that of buf. */
  async compareJson(
    messages: readonly { readonly input: Item<string>; readonly bytes: Uint8Array }[],
    step: Step,
  ): Promise<Difference[]> {
    const options = { image: this.#source.image, type: this.#batch.name };
    const theirs = await inHalves(
      messages.map(({ input, bytes }) => ({ typeIndex: input.typeIndex, message: bytes })),
      {
        run: (part) =>
          this.#source.buf.convert(packBytes(part), { ...options, from: "binpb", to: "json" }),
        unpack: unpackJson,
      },
    );
    const differences: Difference[] = [];
    for (const [index, { input, bytes }] of messages.entries()) {
      const other = theirs[index];
      if (other === undefined) throw new Error("buf lost a message");
      const [own, shownOther] = [await this.#decode(input, bytes), shown(other)];
      if (own !== shownOther) {
        differences.push(this.difference(input, { step, ours: own, theirs: shownOther }));
      }
    }
    return differences;
  }

  async #decode(input: Item<string>, bytes: Uint8Array): Promise<string> {
    try {
      const { json, unknownFields, notes } = await decodeMessage(
        this.#typeOf(input),
        bytes,
        this.#source.codec,
      );
      return [canonicalJson(parseJson(json)), ...unknownFields, ...notes].join("\n");
    } catch (error) {
      return messageOf(error);
    }
  }

  /** A difference of one item. */
  difference(item: Item<string>, rest: Pick<Difference, "step" | "ours" | "theirs">): Difference {
    return { type: this.#typeOf(item).typeName, input: item.message, ...rest };
  }
}

/** A result in words. */
export function shown(outcome: Outcome<unknown>): string {
  if ("complaint" in outcome) return outcome.complaint;
  return outcome.message instanceof Uint8Array
    ? outcome.message.toHex()
    : canonicalJson(outcome.message);
}
