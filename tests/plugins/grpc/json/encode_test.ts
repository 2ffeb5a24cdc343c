/**
 * JSON text to protobuf bytes: what is taken, and what refusals say.
 *
 * @module
 */
import assert from "node:assert/strict";
import { encode, needsBuf, refusal, roundTrip } from "./fixture.ts";

Deno.test(
  "C31 encodeMessage keeps integers beyond 2^53 exact, quoted or not",
  needsBuf,
  async () => {
    const json = '{"anInt64":9007199254740993,"aUint64":18446744073709551615,"aSint64":"-1"}';
    assert.equal(
      await roundTrip("three.Scalars", json),
      '{"anInt64":"9007199254740993","aUint64":"18446744073709551615","aSint64":"-1"}',
    );
    assert.equal(
      await encode("three.Scalars", '{"aUint64":18446744073709551615}'),
      "30ffffffffffffffffff01",
    );
  },
);

Deno.test("C31 encodeMessage refuses what a double rounds within a Value", needsBuf, async () => {
  assert.equal(
    await refusal(encode("three.WellKnown", '{"struct":{"a":[{"big":9007199254740993}]}}')),
    'invalid_argument: cannot encode "torture.three.WellKnown": struct["a"][0]["big"] is a ' +
      "number that no double holds, and a google.protobuf.Value has doubles only " +
      "(write it as text if the server takes text, or with fewer digits)",
  );
  assert.equal(
    await roundTrip("three.WellKnown", '{"value":9007199254740992}'),
    '{"value":9007199254740992}',
  );
});

Deno.test("C34 encodeMessage takes no text and null for an empty object", needsBuf, async () => {
  for (const json of ["", "  \n", "null", "{}"]) {
    assert.equal(await encode("three.Scalars", json), "", JSON.stringify(json));
  }
});

Deno.test(
  "encodeMessage takes integers with a zero fraction or an exponent",
  needsBuf,
  async () => {
    assert.equal(
      await roundTrip("three.Scalars", '{"anInt32":1.0,"aUint32":1e3,"aSint64":"-2.50e1"}'),
      '{"anInt32":1,"aUint32":1000,"aSint64":"-25"}',
    );
  },
);

Deno.test(
  "encodeMessage refuses numbers that do not fit, without telling them",
  needsBuf,
  async () => {
    const cases: [json: string, reason: string][] = [
      ['{"anInt32":1.5}', "anInt32 is no whole number, wanted one"],
      [
        '{"anInt32":2147483648}',
        "anInt32 is out of range, wanted a whole number from -2147483648 to 2147483647",
      ],
      ['{"aUint32":-1}', "aUint32 is out of range, wanted a whole number from 0 to 4294967295"],
      [
        '{"aFixed64":1e999999999}',
        "aFixed64 is out of range, wanted a whole number from 0 to 18446744073709551615",
      ],
      ['{"anInt64":""}', "anInt64 is text, wanted a whole number"],
      ['{"anInt64":"0x10"}', "anInt64 is text, wanted a whole number"],
      ['{"aFloat":3.5e38}', "aFloat is too large for a float"],
      ['{"aDouble":1e309}', "aDouble is too large for a double"],
      ['{"aBool":"true"}', "aBool is text, wanted true or false"],
      ['{"aString":1}', "aString is a number, wanted text"],
      ['{"aString":"\\ud800"}', "aString has half a surrogate pair, wanted Unicode text"],
      ['{"someBytes":"a"}', "someBytes is text that is no base64"],
      ['{"someBytes":"YQ="}', "someBytes is text that is no base64"],
      ['{"aColor":true}', 'aColor is true or false, wanted the name of a "torture.three.Color"'],
      ["[]", "the message is a list, wanted an object"],
    ];
    for (const [json, reason] of cases) {
      assert.equal(
        await refusal(encode("three.Scalars", json)),
        `invalid_argument: cannot encode "torture.three.Scalars": ${reason}`,
      );
    }
  },
);

Deno.test("encodeMessage names the path of what it refuses", needsBuf, async () => {
  assert.equal(
    await refusal(encode("three.Tree", '{"children":[{},{},{"left":{"weight":"secret"}}]}')),
    'invalid_argument: cannot encode "torture.three.Tree": children[2].left.weight is text, ' +
      "wanted a whole number",
  );
  assert.equal(
    await refusal(encode("three.Maps", '{"nested":{"a b":{"byInt32":{"x":1}}}}')),
    'invalid_argument: cannot encode "torture.three.Maps": nested["a b"].byInt32["x"] is no ' +
      "whole number in plain digits, as its key is to be",
  );
});

Deno.test("encodeMessage offers the closest fields for one that is unknown", needsBuf, async () => {
  assert.equal(
    await refusal(encode("three.Tree", '{"left":{"wieght":"secret"}}')),
    'invalid_argument: cannot encode "torture.three.Tree": left has no field "wieght" in ' +
      '"torture.three.Tree" (its fields are, the closest first: weight, left, label, children)',
  );
});

Deno.test("encodeMessage never quotes the JSON that it cannot read", needsBuf, async () => {
  for (const json of ['{"aString": "secret" "secret"}', "secret", '{"aString":"secret']) {
    const text = await refusal(encode("three.Scalars", json));
    assert.match(text, /^invalid_argument: .* the message is not JSON/);
    assert.doesNotMatch(text, /secret/);
  }
});

Deno.test("encodeMessage takes both names of a field, but not together", needsBuf, async () => {
  assert.equal(await encode("three.Scalars", '{"an_int32":1}'), "1801");
  assert.equal(await encode("three.Scalars", '{"anInt32":1}'), "1801");
  assert.equal(await encode("three.Names", '{"@odd name":1}'), "4001");
  assert.match(
    await refusal(encode("three.Scalars", '{"anInt32":1,"an_int32":1}')),
    /anInt32 is set by "an_int32" and by "anInt32"/,
  );
});

Deno.test("encodeMessage lets the last of equal names count", needsBuf, async () => {
  assert.equal(await encode("three.Scalars", '{"anInt32":1,"anInt32":2}'), "1802");
});

Deno.test("encodeMessage takes one field of a oneof", needsBuf, async () => {
  assert.match(
    await refusal(encode("three.Choice", '{"aString":"a","anInt32":1}')),
    /anInt32 is set by "anInt32" and by "aString" \(set one of aDouble, /,
  );
  assert.equal(await encode("three.Choice", '{"aString":null,"anInt32":0}'), "1800");
  assert.equal(await roundTrip("three.Choice", '{"nothing":null}'), '{"nothing":null}');
  assert.equal(await roundTrip("three.Choice", '{"anyJson":null}'), '{"anyJson":null}');
});

Deno.test("encodeMessage keeps proto3 optional zeros and drops other zeros", needsBuf, async () => {
  const zeros = '{"aDouble":0,"anInt64":"0","aBool":false,"aString":"","aColor":0}';
  assert.equal(await encode("three.Scalars", zeros), "");
  assert.equal(
    await roundTrip("three.Optionals", zeros),
    '{"aDouble":0,"anInt64":"0","aBool":false,"aString":"","aColor":"COLOR_UNSPECIFIED"}',
  );
  assert.equal(await encode("three.Scalars", '{"aDouble":-0}'), "090000000000000080");
});

Deno.test("encodeMessage packs lists as the type says", needsBuf, async () => {
  assert.equal(await encode("three.Lists", '{"int32s":[1,2]}'), "1a020102");
  assert.equal(await encode("three.Unpacked", '{"int32s":[1,2]}'), "18011802");
  assert.equal(
    await encode("editions.Features", '{"requiredText":"","expandedList":[1,2]}'),
    "1a0028012802",
  );
});

Deno.test("encodeMessage wants required fields, in nested messages too", needsBuf, async () => {
  assert.match(
    await refusal(encode("two.Base", '{"id":1,"item":[{"count":1},{}]}')),
    /item\[1\]\.count is missing: the field is required/,
  );
  assert.match(
    await refusal(encode("editions.Features", '{"requiredText":null}')),
    /requiredText is missing: the field is required/,
  );
});

Deno.test("encodeMessage writes groups and delimited fields between tags", needsBuf, async () => {
  assert.equal(
    await encode("two.Base", '{"id":0,"single":{"value":1},"item":[{"count":-1}]}'),
    "0800" + "53" + "0801" + "54" + "5b" + "0801" + "5c",
  );
  assert.equal(
    await encode("editions.Features", '{"requiredText":"","picked":{"value":0}}'),
    "1a00" + "73" + "090000000000000000" + "74",
  );
});

Deno.test("encodeMessage writes extensions by their full names", needsBuf, async () => {
  const json =
    '{"id":1,"[torture.two.ext_number]":"5","[torture.two.Holder.holder]":{"label":"x"}}';
  assert.equal(await roundTrip("two.Base", json), json);
  assert.match(
    await refusal(encode("two.Base", '{"id":1,"[torture.two.none]":1}')),
    /has no extension "\[torture.two.none\]" in "torture.two.Base"/,
  );
  assert.match(
    await refusal(encode("two.Holder", '{"[torture.two.ext_number]":1}')),
    /has no extension/,
  );
});

Deno.test(
  "encodeMessage takes enums by name and number, closed ones only known",
  needsBuf,
  async () => {
    assert.equal(
      await roundTrip("three.Lists", '{"colors":["COLOR_RED",-7,12345]}'),
      '{"colors":["COLOR_RED","COLOR_NEGATIVE",12345]}',
    );
    assert.match(
      await refusal(encode("three.Scalars", '{"aColor":"secret"}')),
      /aColor is no value of "torture.three.Color" \(its values are COLOR_UNSPECIFIED, COLOR_RED, /,
    );
    assert.match(
      await refusal(encode("two.Base", '{"id":1,"closed":3}')),
      /closed is no value of the closed enum "torture.two.Closed" \(its values are ONE, TWO\)/,
    );
  },
);

Deno.test("encodeMessage refuses 10,000 messages within one another", needsBuf, async () => {
  const count = 10_000;
  for (
    const [name, open, close] of [
      ["three.Tree", '{"left":', "}"],
      ["three.WellKnown", '{"value":[', "]}"],
      ["three.Tree", '{"weight":9007199254740993,"left":', "}"],
    ] as const
  ) {
    const json = `${open.repeat(count)}{}${close.repeat(count)}`;
    assert.match(await refusal(encode(name, json)), /is nested too deep|has no field/);
  }
  const lists = `{"value":${"[".repeat(count)}${"]".repeat(count)}}`;
  assert.match(await refusal(encode("three.WellKnown", lists)), /is nested too deep/);
});
