/**
 * One batch of messages, through us and through buf.
 *
 * @module
 */
import type { Batch, Item } from "./batch.ts";
import { Bench, type Difference, shown, type Source } from "./bench.ts";

/** The outcome of a batch. */
export interface Verdict {
  readonly messages: number;
  /** Messages that both refuse. */
  readonly refused: number;
  /** Messages whose bytes were the same to the last bit. */
  readonly identical: number;
  readonly differences: readonly Difference[];
}

/** Holds messages, given as JSON, against buf in all directions. */
export async function judge(
  batch: Batch,
  items: readonly Item<string>[],
  source: Source,
): Promise<Verdict> {
  const bench = new Bench(batch, source);
  const [ours, theirs] = await Promise.all([bench.encode(items), bench.bufEncodes(items)]);
  const differences: Difference[] = [];
  const both: { input: Item<string>; ours: Uint8Array; theirs: Uint8Array }[] = [];
  let refused = 0;
  for (const [index, input] of items.entries()) {
    const [own, other] = [ours[index], theirs[index]];
    if (own === undefined || other === undefined) throw new Error("buf lost a message");
    if ("message" in own && "message" in other) {
      both.push({ input, ours: own.message, theirs: other.message });
    } else if ("complaint" in own && "complaint" in other) refused++;
    else {
      differences.push(bench.difference(input, {
        step: "JSON to bytes",
        ours: shown(own),
        theirs: shown(other),
      }));
    }
  }
  const uneven = both.filter(({ ours, theirs }) => !isSame(ours, theirs));
  for (const { input, ours, theirs } of uneven) {
    if (bench.isEqual(input, ours, theirs)) continue;
    const step = "JSON to bytes";
    differences.push(
      bench.difference(input, { step, ours: ours.toHex(), theirs: theirs.toHex() }),
    );
  }
  differences.push(
    ...await bench.compareJson(
      both.map(({ input, theirs }) => ({ input, bytes: theirs })),
      "bytes of buf to JSON",
    ),
    ...await bench.compareJson(
      uneven.map(({ input, ours }) => ({ input, bytes: ours })),
      "our bytes to JSON",
    ),
  );
  const identical = both.length - uneven.length;
  return { messages: items.length, refused, identical, differences };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
