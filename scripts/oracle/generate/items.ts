/**
 * The messages that are held against buf, of all types of a batch.
 *
 * @module
 */
import type { Batch, Item } from "../batch.ts";
import type { Image } from "../images.ts";
import { Dice } from "./dice.ts";
import { messageText } from "./message.ts";

/** Most fields of one message. */
const BUDGETS = [0, 5, 30, 150];
const DEPTHS = [1, 2, 4, 4, 40];

/** How many, and which. */
export interface MakingOptions {
  /** Messages of each type. */
  readonly messages: number;
  readonly seed: number;
}

/** Messages as JSON text, those of one type together. */
export function makeItems(
  batch: Batch,
  image: Image,
  { messages, seed }: MakingOptions,
): Item<string>[] {
  return batch.types.flatMap((type, typeIndex) =>
    Array.from({ length: messages }, (_, index) => {
      const dice = new Dice(`${type.typeName} ${index}`, seed);
      const message = messageText(type, {
        dice,
        packable: batch.types,
        extensionsOf: ({ typeName }) => image.extensions.get(typeName) ?? [],
        budget: dice.pick(BUDGETS),
        depth: dice.pick(DEPTHS),
      });
      return { typeIndex, message };
    })
  );
}
