import { doesNotMatch, match, notStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  CONFIRMATION_TTL_MS,
  ConfirmationStore,
  type ConfirmedChange,
} from "../../lib/gate/mod.ts";
import { Clock, refusalOf } from "../fakes/rooms.ts";

const CHANGE: ConfirmedChange = {
  tool: "bowire.allowlist.permit",
  arguments: { url: "http://h", nested: { a: 1, b: [1, { c: 2, d: 3 }] } },
  principal: "session-1",
  asked: "agent",
};
const REFUSED = { code: "confirmation_refused" };

Deno.test("C100 ConfirmationStore.redeem takes a token once", () => {
  const store = new ConfirmationStore();
  const token = store.issue(CHANGE);
  store.redeem(token, CHANGE);
  throws(() => store.redeem(token, CHANGE), REFUSED);
});

Deno.test("C100 ConfirmationStore.redeem does not mind the order of arguments", () => {
  const store = new ConfirmationStore();
  const token = store.issue(CHANGE);
  const reordered = { nested: { b: [1, { d: 3, c: 2 }], a: 1 }, url: "http://h" };
  store.redeem(token, { ...CHANGE, arguments: reordered });
});

const OTHERS: Readonly<Record<string, ConfirmedChange>> = {
  "another value": { ...CHANGE, arguments: { ...CHANGE.arguments, url: "http://evil" } },
  "one argument more": { ...CHANGE, arguments: { ...CHANGE.arguments, more: true } },
  "one argument less": { ...CHANGE, arguments: { url: "http://h" } },
  "another type": {
    ...CHANGE,
    arguments: { url: "http://h", nested: { a: "1", b: [1, { c: 2, d: 3 }] } },
  },
  "another order in a list": {
    ...CHANGE,
    arguments: { url: "http://h", nested: { a: 1, b: [{ c: 2, d: 3 }, 1] } },
  },
  "another principal": { ...CHANGE, principal: "session-2" },
  "another tool": { ...CHANGE, tool: "bowire.mock.stop" },
  "somebody else asked": { ...CHANGE, asked: "person" },
};

for (const [what, other] of Object.entries(OTHERS)) {
  Deno.test(`C100 ConfirmationStore.redeem refuses a token for ${what}, and it is spent`, () => {
    const store = new ConfirmationStore();
    const token = store.issue(CHANGE);
    throws(() => store.redeem(token, other), REFUSED);
    throws(() => store.redeem(token, CHANGE), REFUSED);
  });

  Deno.test(`C100 ConfirmationStore.redeemParked refuses ${what}, and the parked one stays`, () => {
    const store = new ConfirmationStore();
    store.issue(CHANGE);
    throws(() => store.redeemParked(other), REFUSED);
    store.redeemParked(CHANGE);
  });
}

Deno.test("ConfirmationStore.redeem refuses an agent what a person was asked, and back", () => {
  const store = new ConfirmationStore();
  const person: ConfirmedChange = { ...CHANGE, asked: "person" };
  throws(() => store.redeem(store.issue(person), CHANGE), REFUSED);
  throws(() => store.redeem(store.issue(CHANGE), person), REFUSED);
  store.redeem(store.issue(person), person);
});

Deno.test("C100 ConfirmationStore.redeem takes a token until five minutes are over", () => {
  strictEqual(CONFIRMATION_TTL_MS, 5 * 60 * 1000);
  const clock = new Clock();
  const store = new ConfirmationStore(clock.now);
  const [first, second] = [store.issue(CHANGE), store.issue(CHANGE)];
  clock.ms += CONFIRMATION_TTL_MS - 1;
  store.redeem(first, CHANGE);
  clock.ms += 1;
  throws(() => store.redeem(second, CHANGE), REFUSED);
});

Deno.test("C100 ConfirmationStore.redeemParked refuses what is older than five minutes", () => {
  const clock = new Clock();
  const store = new ConfirmationStore(clock.now);
  store.issue(CHANGE);
  clock.ms += CONFIRMATION_TTL_MS;
  throws(() => store.redeemParked(CHANGE), REFUSED);
});

Deno.test("ConfirmationStore.redeem spends nothing when the token is wrong", () => {
  const store = new ConfirmationStore();
  const token = store.issue(CHANGE);
  for (const wrong of ["", "0", token.slice(0, -1), token.toUpperCase(), `${token} `]) {
    if (wrong !== token) throws(() => store.redeem(wrong, CHANGE), REFUSED);
  }
  store.redeem(token, CHANGE);
});

Deno.test("ConfirmationStore.redeemParked takes one parked change a call", () => {
  const store = new ConfirmationStore();
  throws(() => store.redeemParked(CHANGE), REFUSED);
  store.issue(CHANGE);
  store.issue(CHANGE);
  store.redeemParked(CHANGE);
  store.redeemParked(CHANGE);
  throws(() => store.redeemParked(CHANGE), REFUSED);
});

Deno.test("ConfirmationStore.issue never gives the same token again", () => {
  const store = new ConfirmationStore();
  const token = store.issue(CHANGE);
  notStrictEqual(store.issue(CHANGE), token);
  match(token, /^[0-9a-f]{32}$/);
});

Deno.test("ConfirmationStore keeps 1000 changes open; the oldest gives way to one more", () => {
  const store = new ConfirmationStore();
  const change = (index: number): ConfirmedChange => ({ ...CHANGE, arguments: { index } });
  const tokens = Array.from({ length: 1000 }, (_, index) => store.issue(change(index)));
  store.redeem(tokens[0] ?? "", change(0));
  store.redeem(tokens[999] ?? "", change(999));
  for (let index = 1000; index < 1003; index++) store.issue(change(index));
  throws(() => store.redeem(tokens[1] ?? "", change(1)), REFUSED);
  store.redeem(tokens[2] ?? "", change(2));
});

Deno.test("ConfirmationStore always refuses with the same words and teaches no way around", () => {
  const clock = new Clock();
  const store = new ConfirmationStore(clock.now);
  const texts = new Set<string>();
  const note = (run: () => void) => {
    const { message, hint } = refusalOf(run);
    texts.add(`${message}\n${hint}`);
  };
  note(() => store.redeem("unknown", CHANGE));
  note(() => store.redeemParked(CHANGE));
  note(() => store.redeem(store.issue({ ...CHANGE, principal: "other" }), CHANGE));
  const expired = store.issue(CHANGE);
  clock.ms += CONFIRMATION_TTL_MS;
  note(() => store.redeem(expired, CHANGE));
  strictEqual(texts.size, 1);
  const [text = ""] = texts;
  match(text, /cannot run bowire\.allowlist\.permit: /);
  doesNotMatch(text, /no-confirm|requireConfirmation|confirm: ?true/i);
});
