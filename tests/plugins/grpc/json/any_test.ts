/**
 * Any: types at hand, types that are asked for, and types that nobody knows.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createRegistry, type Registry } from "@bufbuild/protobuf";
import { decodeMessage, encodeMessage } from "../../../../plugins/grpc/json/mod.ts";
import { decode, encode, needsBuf, refusal, roundTrip, tortureTypes, typeOf } from "./fixture.ts";

Deno.test(
  "roundTrip of Any puts fields beside @type, other JSON into value",
  needsBuf,
  async () => {
    const json =
      '{"any":{"@type":"type.googleapis.com/torture.three.Tree","label":"x"},"anys":[{},' +
      '{"@type":"a.b/c/google.protobuf.Duration","value":"1s"},' +
      '{"@type":"x/google.protobuf.Value","value":null},' +
      '{"@type":"x/google.protobuf.Empty"},' +
      '{"@type":"x/google.protobuf.Any","value":{"@type":"x/google.protobuf.Int64Value","value":"5"}},' +
      '{"@type":"x/torture.two.Base","id":1,"[torture.two.ext_number]":"2"}]}';
    assert.equal(await roundTrip("three.WellKnown", json), json);
  },
);

Deno.test("encodeMessage takes Empty in Any with an empty value too", needsBuf, async () => {
  assert.equal(
    await encode("three.WellKnown", '{"any":{"@type":"x/google.protobuf.Empty","value":{}}}'),
    await encode("three.WellKnown", '{"any":{"@type":"x/google.protobuf.Empty"}}'),
  );
});

Deno.test("encodeMessage refuses an Any that names no type it knows", needsBuf, async () => {
  const cases: [any: string, reason: RegExp][] = [
    [
      '{"@type":"x/no.Type"}',
      /any\["@type"\] names the type "x\/no\.Type", which is not known here/,
    ],
    ['{"label":"x"}', /any has no "@type"/],
    ['{"@type":5}', /any\["@type"\] is a number, wanted text/],
    ['{"@type":"x/google.protobuf.Duration"}', /any\.value is missing/],
    ['{"@type":"x/google.protobuf.Duration","value":"1s","b":1}', /any has "b" beside "@type"/],
    ['{"@type":"x/torture.three.Tree","labl":1}', /any has no field "labl"/],
  ];
  for (const [any, reason] of cases) {
    assert.match(
      await refusal(encode("three.WellKnown", `{"any":${any}}`)),
      reason,
    );
  }
});

Deno.test(
  "decodeMessage keeps and notes the bytes of a type that nobody knows",
  needsBuf,
  async () => {
    const { json, notes } = await decode("three.WellKnown", "0a0d 0a07782f6e6f2e4f6e 12020801");
    assert.equal(json, '{"any":{"@type":"x/no.On","value":"CAE="}}');
    assert.deepEqual(notes, ['any: the type "x/no.On" is not known; its bytes are base64']);
  },
);

/** The registry without some names, and a record of what was asked for. */
async function withoutTypes(...names: string[]) {
  const all = await tortureTypes();
  const left = [...all].filter(({ typeName }) => !names.includes(typeName));
  const asked: string[] = [];
  const find = (name: string): Promise<Registry | undefined> => {
    asked.push(name);
    const found = names.includes(name) ? all.get(name) : undefined;
    return Promise.resolve(found === undefined ? undefined : createRegistry(found));
  };
  return { codec: { registry: createRegistry(...left), find }, asked };
}

const NESTED =
  '{"any":{"@type":"x/google.protobuf.Any","value":{"@type":"x/torture.three.WellKnown",' +
  '"any":{"@type":"x/torture.two.Base","id":1}}}}';

Deno.test(
  "encodeMessage and decodeMessage ask once for each type that they lack",
  needsBuf,
  async () => {
    const type = await typeOf("three.WellKnown");
    const names = ["torture.three.WellKnown", "torture.two.Base"];
    const encoding = await withoutTypes(...names);
    const bytes = await encodeMessage(type, NESTED, encoding.codec);
    assert.deepEqual(encoding.asked, names);
    const decoding = await withoutTypes(...names);
    const { json, notes } = await decodeMessage(type, bytes, decoding.codec);
    assert.equal(json, NESTED);
    assert.deepEqual(notes, []);
    assert.deepEqual(decoding.asked, names);
  },
);

Deno.test("encodeMessage asks for extensions by name", needsBuf, async () => {
  const { codec, asked } = await withoutTypes("torture.two.ext_number");
  const json = '{"id":1,"[torture.two.ext_number]":"7"}';
  const bytes = await encodeMessage(await typeOf("two.Base"), json, codec);
  assert.equal(bytes.toHex(), "0801a00607");
  assert.deepEqual(asked, ["torture.two.ext_number"]);
  const { unknownFields } = await decodeMessage(await typeOf("two.Base"), bytes, {
    registry: codec.registry,
  });
  assert.deepEqual(unknownFields, ["field 100 (varint)"]);
});

Deno.test("decodeMessage asks for fifty types at most", needsBuf, async () => {
  const { codec, asked } = await withoutTypes();
  const anys = Array.from({ length: 80 }, (_, index) => {
    const url = new TextEncoder().encode(`x/no.T${String(index).padStart(2, "0")}`).toHex();
    return `aa010a0a08${url}`;
  });
  const bytes = Uint8Array.fromHex(anys.join(""));
  const { notes } = await decodeMessage(await typeOf("three.WellKnown"), bytes, codec);
  assert.equal(asked.length, 50);
  assert.equal(notes.at(-1), "and 30 more");
});

Deno.test(
  "decodeMessage refuses a known type in Any that its bytes are not",
  needsBuf,
  async () => {
    const url = new TextEncoder().encode("x/torture.three.Tree").toHex();
    assert.match(
      await refusal(decode("three.WellKnown", `0a19 0a14${url} 120118`)),
      /^bad_document: .*: any is no message of this type, or is cut off/,
    );
  },
);
