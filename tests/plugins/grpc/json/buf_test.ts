/**
 * Random messages of the torture files, held against buf.
 *
 * @module
 */
import assert from "node:assert/strict";
import { EXPLANATIONS } from "../../../../scripts/oracle/explained.ts";
import { makeItems } from "../../../../scripts/oracle/generate/items.ts";
import { buildTorture } from "../../../../scripts/oracle/images.ts";
import { judge } from "../../../../scripts/oracle/judge.ts";
import { BUF, needsBuf } from "./fixture.ts";

Deno.test(
  "encodeMessage and decodeMessage agree with buf on random messages",
  needsBuf,
  async () => {
    const folder = await Deno.makeTempDir();
    try {
      const image = await buildTorture(BUF, folder);
      const source = { buf: BUF, image: image.path, codec: { registry: image.registry } };
      for (const batch of image.batches) {
        const items = makeItems(batch, image, { messages: 4, seed: 1 });
        const { differences, identical, refused } = await judge(batch, items, source);
        const unexplained = differences.filter((difference) =>
          !EXPLANATIONS.some(({ explains }) => explains(difference))
        );
        assert.deepEqual(unexplained, []);
        assert.ok(identical > items.length / 2, "most messages have the same bytes");
        assert.equal(refused, 0);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
