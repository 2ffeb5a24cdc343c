/**
 * The well-known types, each in its own JSON.
 *
 * @module
 */
import assert from "node:assert/strict";
import { decode, encode, needsBuf, refusal, roundTrip } from "./fixture.ts";

Deno.test(
  "roundTrip of Timestamp takes offsets and gives UTC with 0, 3, 6 or 9 digits",
  needsBuf,
  async () => {
    const json = JSON.stringify({
      timestamps: [
        "2024-02-29T12:30:00+01:30",
        "2024-02-29T12:30:00.5Z",
        "2024-02-29T12:30:00.0005-00:30",
        "1969-12-31T23:59:59.999999999Z",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999999Z",
      ],
    });
    assert.deepEqual(JSON.parse(await roundTrip("three.WellKnown", json)).timestamps, [
      "2024-02-29T11:00:00Z",
      "2024-02-29T12:30:00.500Z",
      "2024-02-29T13:00:00.000500Z",
      "1969-12-31T23:59:59.999999999Z",
      "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999999999Z",
    ]);
  },
);

Deno.test("encodeMessage refuses times that do not exist", needsBuf, async () => {
  for (
    const time of [
      "2023-02-29T00:00:00Z",
      "2024-01-01T24:00:00Z",
      "2024-01-01T00:00:60Z",
      "2024-01-01T00:00:00",
      "2024-01-01 00:00:00Z",
      "2024-01-01T00:00:00.1234567891Z",
      "0000-01-01T00:00:00Z",
      "9999-12-31T23:59:59-00:01",
      "yesterday",
    ]
  ) {
    assert.match(
      await refusal(encode("three.WellKnown", JSON.stringify({ timestamp: time }))),
      /timestamp is (?:no date and time that exists|out of range), wanted/,
      time,
    );
  }
});

Deno.test("roundTrip of Duration keeps nanoseconds and the sign", needsBuf, async () => {
  const json = JSON.stringify({
    durations: ["-0.5s", "1.000000001s", "315576000000s", "-3s", "0s"],
  });
  assert.equal(
    await roundTrip("three.WellKnown", json),
    '{"durations":["-0.500s","1.000000001s","315576000000s","-3s","0s"]}',
  );
  assert.equal(
    await encode("three.WellKnown", '{"duration":"-0.5s"}'),
    "120b1080b6ca91feffffffff01",
  );
  for (const duration of ["1", "1 s", "315576000001s", "1.0000000001s", "+1s", ""]) {
    assert.match(
      await refusal(encode("three.WellKnown", JSON.stringify({ duration }))),
      /duration is (?:no duration|out of range), wanted/,
    );
  }
});

Deno.test(
  "decodeMessage shows and notes times out of range as their numbers",
  needsBuf,
  async () => {
    // timestamp { seconds: -1 << 40 }, duration { seconds: 1, nanos: -1 }
    const { json, notes } = await decode(
      "three.WellKnown",
      "120d 0801 10ffffffffffffffffff01 4a0b 088080808080e0ffffff01",
    );
    assert.equal(
      json,
      '{"duration":{"seconds":"1","nanos":-1},"timestamp":{"seconds":"-1099511627776","nanos":0}}',
    );
    assert.deepEqual(notes, [
      "duration: the time is out of range and stands as its numbers",
      "timestamp: the time is out of range and stands as its numbers",
    ]);
  },
);

Deno.test("roundTrip of FieldMask writes JSON names and sends proto names", needsBuf, async () => {
  assert.equal(
    await encode("three.WellKnown", '{"mask":"aB.c,d"}'),
    "220a0a05615f622e630a0164",
  );
  assert.equal(await roundTrip("three.WellKnown", '{"mask":"aB.c,d"}'), '{"mask":"aB.c,d"}');
  assert.equal(await roundTrip("three.WellKnown", '{"mask":""}'), '{"mask":""}');
  assert.match(
    await refusal(encode("three.WellKnown", '{"mask":"display_name"}')),
    /mask has a path with an underscore \(paths are written with JSON names/,
  );
  const odd = await decode("three.WellKnown", "2206 0a04615f5f62");
  assert.equal(odd.json, '{"mask":"a__b"}');
  assert.deepEqual(odd.notes, ["mask: a path has no form in JSON and stands as it was sent"]);
});

Deno.test("roundTrip of Struct, Value and ListValue is any JSON", needsBuf, async () => {
  const json =
    '{"struct":{"":null,"10":[],"9":{},"__proto__":"x"},"value":null,"list":[1,-0,[true]],' +
    '"structs":[{}],"values":[null,"a",false,0.1,{"a":[]}],"lists":[[],[null]]}';
  assert.equal(await roundTrip("three.WellKnown", json), json);
});

Deno.test(
  "decodeMessage notes a Value without a kind and one that is no number",
  needsBuf,
  async () => {
    const { json, notes } = await decode(
      "three.WellKnown",
      "3200 ca0109 11000000000000f87f ca010b 3200 11000000000000f03f",
    );
    assert.equal(json, '{"value":null,"values":["NaN",1]}');
    assert.deepEqual(notes, [
      "values[0]: the value is no finite number and stands as text",
      "value: the value is of no kind and stands as null",
    ]);
  },
);

Deno.test("roundTrip of wrappers tells zero from none", needsBuf, async () => {
  const json =
    '{"doubleValue":0,"int64Value":"-9007199254740993","uint64Value":"0","boolValue":false,' +
    '"stringValue":"","bytesValue":"AQ==","int64Values":["1","0"]}';
  assert.equal(await roundTrip("three.WellKnown", json), json);
  assert.equal(await encode("three.WellKnown", '{"boolValue":null}'), "");
  assert.equal(await encode("three.WellKnown", '{"boolValue":false}'), "8a0100");
});

Deno.test("roundTrip of NullValue is null", needsBuf, async () => {
  assert.equal(await encode("three.WellKnown", '{"nullValue":null}'), "");
  assert.equal(
    await roundTrip("three.WellKnown", '{"nulls":[null,"NULL_VALUE",0]}'),
    '{"nulls":[null,null,null]}',
  );
});

Deno.test("roundTrip of bytes takes both alphabets, padded or not", needsBuf, async () => {
  assert.equal(
    await roundTrip("three.Lists", '{"bytesList":["-_8","+/8=","","AQ","AQ=="]}'),
    '{"bytesList":["+/8=","+/8=","","AQ==","AQ=="]}',
  );
});
