import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { KeptValues, SentValues } from "../../lib/sandbox/memo.ts";
import type { Outcome } from "../../lib/sandbox/border.ts";

/** A discovery, new each time. */
function discovery(name: string): object {
  return { services: [{ name }], diagnostics: [] };
}

/** Carries an outcome over the border; tells whether its value went along. */
function openBorder() {
  const sent = new SentValues();
  const kept = new KeptValues();
  return (outcome: Outcome) => {
    const { outcome: packed, memo } = structuredClone(sent.pack(outcome));
    const isWhole = !("value" in packed) || packed.value !== undefined;
    return { isWhole, outcome: kept.unpack(packed, memo) };
  };
}

Deno.test("SentValues sends a discovery once, and then its number", () => {
  const carry = openBorder();
  const value = discovery("a");
  const first = carry({ value });
  const second = carry({ value });
  deepStrictEqual([first.isWhole, second.isWhole], [true, false]);
  deepStrictEqual(second.outcome, { value });
  // An equal one that is another object may have changed.
  strictEqual(carry({ value: discovery("a") }).isWhole, true);
});

Deno.test("SentValues keeps eight discoveries, those that were used last", () => {
  const carry = openBorder();
  const values = Array.from({ length: 9 }, (_, index) => discovery(`${index}`));
  for (const value of values.slice(0, 8)) carry({ value });
  strictEqual(carry({ value: values[0] }).isWhole, false);
  carry({ value: values[8] }); // in place of the second
  strictEqual(carry({ value: values[0] }).isWhole, false);
  const again = carry({ value: values[1] });
  deepStrictEqual(again, { isWhole: true, outcome: { value: values[1] } });
});

Deno.test("SentValues leaves other values and errors alone", () => {
  const carry = openBorder();
  const outcomes: Outcome[] = [
    { value: { status: "OK" } },
    { value: undefined },
    { value: null },
    { error: { stack: "x" } },
  ];
  for (const outcome of outcomes) deepStrictEqual(carry(outcome).outcome, outcome);
});
