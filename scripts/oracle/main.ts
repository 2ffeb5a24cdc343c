// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Holds our JSON of protobuf messages against buf, on random messages: of all types of our own
 * torture files, and of types drawn from npm google-proto-files.
 *
 * Run: `deno task oracle [--types N] [--messages N] [--seed N] [--json]`. Exits with 1 when a
 * difference is found that `explained.ts` does not explain.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EXPLANATIONS } from "./explained.ts";
import { makeItems, type MakingOptions } from "./generate/items.ts";
import { Buf } from "./buf.ts";
import { buildGoogle, buildTorture, type Image } from "./images.ts";
import type { Difference } from "./bench.ts";
import { judge, type Verdict } from "./judge.ts";

/** Batches in work at once; each keeps one or two processes of buf busy. */
const AT_ONCE = 2;
const MAX_SHOWN = 10;
const MAX_SHOWN_LENGTH = 1200;

const buf = new Buf(
  fileURLToPath(new URL("../corpus/protos/node_modules/.bin/buf", import.meta.url)),
);

async function judgeImage(image: Image, options: MakingOptions): Promise<Verdict[]> {
  const waiting = [...image.batches];
  const verdicts: Verdict[] = [];
  const codec = { registry: image.registry };
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      const items = makeItems(batch, image, options);
      verdicts.push(await judge(batch, items, { buf, image: image.path, codec }));
    }
  }));
  return verdicts;
}

interface Summary {
  readonly types: number;
  readonly messages: number;
  readonly refusedByBoth: number;
  readonly identicalBytes: number;
  /** How many differences each reason explains. */
  readonly explained: Readonly<Record<string, number>>;
  readonly unexplained: readonly Difference[];
  readonly seconds: number;
}

function summarize(verdicts: readonly Verdict[], types: number, startMs: number): Summary {
  const sum = (count: (verdict: Verdict) => number) =>
    verdicts.reduce((total, verdict) => total + count(verdict), 0);
  const reasons = verdicts.flatMap(({ differences }) => differences).map((difference) => ({
    difference,
    reason: EXPLANATIONS.find(({ explains }) => explains(difference))?.reason,
  }));
  const explained = Map.groupBy(reasons, ({ reason }) => reason);
  const unexplained = explained.get(undefined)?.map(({ difference }) => difference) ?? [];
  return {
    types,
    messages: sum(({ messages }) => messages),
    refusedByBoth: sum(({ refused }) => refused),
    identicalBytes: sum(({ identical }) => identical),
    explained: Object.fromEntries(
      [...explained].flatMap(([reason, all]) => reason === undefined ? [] : [[reason, all.length]]),
    ),
    unexplained,
    seconds: Math.round((performance.now() - startMs) / 100) / 10,
  };
}

function print(summary: Summary): void {
  const { types, messages, refusedByBoth, identicalBytes, seconds, unexplained } = summary;
  for (const difference of unexplained.slice(0, MAX_SHOWN)) {
    console.log(`--- ${difference.type}: ${difference.step}`);
    for (const part of ["input", "ours", "theirs"] as const) {
      console.log(`${part.padStart(6)}: ${difference[part].slice(0, MAX_SHOWN_LENGTH)}`);
    }
  }
  for (const [reason, count] of Object.entries(summary.explained)) {
    console.log(`explained ${count} times: ${reason}`);
  }
  console.log(
    `oracle: ${types} types, ${messages} messages (${refusedByBoth} refused by both, ` +
      `${identicalBytes} with identical bytes), ${unexplained.length} unexplained differences, ` +
      `${seconds} s`,
  );
}

const { values } = parseArgs({
  options: {
    types: { type: "string", default: "400" },
    messages: { type: "string", default: "6" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const startMs = performance.now();
const folder = await Deno.makeTempDir();
try {
  const options = { messages: Number(values.messages), seed: Number(values.seed) };
  const torture = await buildTorture(buf, folder);
  const google = await buildGoogle(buf, folder, {
    count: Number(values.types),
    seed: options.seed,
  });
  const verdicts = [
    ...await judgeImage(torture, { ...options, messages: options.messages * 10 }),
    ...await judgeImage(google, options),
  ];
  const types = [torture, google]
    .reduce((sum, { batches }) => sum + batches.flatMap(({ types }) => types).length, 0);
  const summary = summarize(verdicts, types, startMs);
  if (values.json) console.log(JSON.stringify(summary));
  else print(summary);
  Deno.exitCode = summary.unexplained.length === 0 ? 0 : 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}
