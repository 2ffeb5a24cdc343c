/**
 * Protobuf bytes to canonical JSON, and what is reported besides.
 *
 * @module
 */
import assert from "node:assert/strict";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { decode, encode, needsBuf, refusal, roundTrip } from "./fixture.ts";

Deno.test("decodeMessage writes floats in the fewest digits of a float", needsBuf, async () => {
  const json = '{"floats":[0.1,16777216,3.4028235e+38,1e-45,1.2621775e-29,-0,"NaN","-Infinity"]}';
  assert.equal(await roundTrip("three.Lists", json), json);
  assert.equal(
    await roundTrip("three.Lists", '{"floats":[0.30000001192092896]}'),
    '{"floats":[0.3]}',
  );
  const doubles = '{"doubles":[0.1,5e-324,1.7976931348623157e+308,-0,"Infinity"]}';
  assert.equal(await roundTrip("three.Lists", doubles), doubles);
});

Deno.test("decodeMessage sorts the keys of maps, whole numbers by value", needsBuf, async () => {
  const json = '{"byInt32":{"10":1,"9":2,"-1":3},"byString":{"b":"","__proto__":"YQ==","a":""},' +
    '"byBool":{"true":"x","false":"y"}}';
  assert.equal(
    await roundTrip("three.Maps", json),
    '{"byInt32":{"-1":3,"9":2,"10":1},"byBool":{"false":"y","true":"x"},' +
      '"byString":{"__proto__":"YQ==","a":"","b":""}}',
  );
});

Deno.test(
  "decodeMessage fills what an entry of a map lacks, the last of a key counts",
  needsBuf,
  async () => {
    assert.equal((await decode("three.Maps", "0a00")).json, '{"byInt32":{"0":0}}');
    assert.equal((await decode("three.Maps", "6a00")).json, '{"colors":{"":"COLOR_UNSPECIFIED"}}');
    assert.equal((await decode("three.Maps", "7200")).json, '{"nested":{"":{}}}');
    assert.equal(
      (await decode("three.Maps", "1a0408011001 1a0408011002")).json,
      '{"byUint32":{"1":2}}',
    );
  },
);

Deno.test("decodeMessage reports unknown fields with path, number and size", needsBuf, async () => {
  const { json, unknownFields } = await decode(
    "three.Tree",
    // children[0] {}, children[1] { 7: 3 bytes, 8: group }, 100: varint, 101: 64 bits, 102: 32 bits
    "1200 1209 3a03616263 43 0801 44" +
      "a00601 a9060000000000000000 b50600000000",
  );
  assert.equal(json, '{"children":[{},{}]}');
  assert.deepEqual(unknownFields, [
    "children[1]: field 7 (length-delimited, 3 bytes)",
    "children[1]: field 8 (group)",
    "field 100 (varint)",
    "field 101 (64 bits)",
    "field 102 (32 bits)",
  ]);
});

Deno.test("decodeMessage counts unknown fields beyond the first fifty", needsBuf, async () => {
  const { unknownFields } = await decode("three.Tree", "3800".repeat(60));
  assert.equal(unknownFields.length, 51);
  assert.equal(unknownFields.at(-1), "and 10 more");
});

Deno.test("decodeMessage takes a field of another wire type for unknown", needsBuf, async () => {
  const { json, unknownFields } = await decode("three.Scalars", "1a0161 1805");
  assert.equal(json, '{"anInt32":5}');
  assert.deepEqual(unknownFields, ["field 3 (length-delimited, 1 byte)"]);
});

Deno.test(
  "decodeMessage reads lists packed and not, whatever the type says",
  needsBuf,
  async () => {
    assert.equal((await decode("three.Lists", "1801 1a020203")).json, '{"int32s":[1,2,3]}');
    assert.equal((await decode("three.Unpacked", "1801 1a020203")).json, '{"int32s":[1,2,3]}');
  },
);

Deno.test(
  "decodeMessage merges what comes in parts; of a oneof the last counts",
  needsBuf,
  async () => {
    assert.equal(
      (await decode("three.Tree", "1a052001 0a0161 1a022005")).json,
      '{"left":{"label":"a","weight":"5"}}',
    );
    assert.equal((await decode("three.Scalars", "1801 1802")).json, '{"anInt32":2}');
    assert.equal((await decode("three.Choice", "1801 320161")).json, '{"aString":"a"}');
    // nested {anInt32: 1}, a string, nested {}: the first is gone.
    assert.equal((await decode("three.Choice", "4a021801 320161 4a00")).json, '{"nested":{}}');
  },
);

Deno.test(
  "decodeMessage drops implicit zeros that were sent and keeps explicit ones",
  needsBuf,
  async () => {
    assert.equal((await decode("three.Scalars", "1800 6800 7200 800100")).json, "{}");
    assert.equal(
      (await decode("three.Optionals", "1800 6800")).json,
      '{"anInt32":0,"aBool":false}',
    );
  },
);

Deno.test(
  "decodeMessage shows numbers of open enums; of closed ones as unknown",
  needsBuf,
  async () => {
    assert.equal((await decode("three.Scalars", "8001b960")).json, '{"aColor":12345}');
    const { json, unknownFields } = await decode("two.Base", "0801 2003 3801 3803 3a020203");
    assert.equal(json, '{"id":1,"closedList":["ONE","TWO"]}');
    assert.deepEqual(unknownFields, [
      "field 4 (varint)",
      "field 7 (varint)",
      "closedList: field 7 (varint)",
    ]);
  },
);

Deno.test("decodeMessage notes required fields that are missing", needsBuf, async () => {
  const { json, notes } = await decode("two.Base", "5b 5c");
  assert.equal(json, '{"item":[{}]}');
  assert.deepEqual(notes, [
    "item[0]: the required field count is missing",
    "the required field id is missing",
  ]);
});

Deno.test("decodeMessage replaces and notes text that is no UTF-8", needsBuf, async () => {
  const { json, notes } = await decode("three.Tree", "0a02ff61");
  assert.equal(json, '{"label":"\ufffda"}');
  assert.deepEqual(notes, ["label: the text is no UTF-8; what could not be read became U+FFFD"]);
});

Deno.test("decodeMessage refuses what is cut off or no message", needsBuf, async () => {
  for (const hex of ["18", "0a05", "0d00", "ffffffffffffffffffff01", "5b", "0f", "0c", "1a0118"]) {
    assert.match(
      await refusal(decode("three.Tree", hex)),
      /^bad_document: cannot decode "torture.three.Tree": .* is no message of this type, or is cut off/,
      hex,
    );
  }
  assert.match(
    await refusal(decode("two.Base", "53 0801 5c")),
    /the end of group 11 is in the wrong place/,
  );
});

Deno.test("decodeMessage refuses 10,000 messages within one another", needsBuf, async () => {
  const count = 10_000;
  const message = new BinaryWriter();
  for (let depth = 0; depth < count; depth++) message.tag(3, WireType.LengthDelimited).fork();
  for (let depth = 0; depth < count; depth++) message.join();
  assert.match(
    await refusal(decode("three.Tree", message.finish().toHex())),
    /^bad_document: cannot decode "torture.three.Tree": ….*left is nested too deep/,
  );
  // Groups that the type knows, and groups that it does not.
  const known = "53".repeat(count);
  assert.match(await refusal(decode("two.Base", known)), /^bad_document/);
  const unknown = "43".repeat(count) + "44".repeat(count);
  assert.match(
    await refusal(decode("three.Tree", unknown)),
    /^bad_document: .*groups lie more than 300 levels deep/,
  );
});

Deno.test("decodeMessage keeps names that JavaScript has taken", needsBuf, async () => {
  const json =
    '{"constructor":1,"Proto":2,"toString":3,"UPPERCASE":4,"aB":5,"Lead":6,"field7X":7,' +
    '"@odd name":8,"hasOwnProperty":9,"free":{"__proto__":"x","constructor":"y"}}';
  assert.equal(await roundTrip("three.Names", json), json);
  assert.equal(await encode("three.Names", '{"__proto__":2}'), "1002");
});
