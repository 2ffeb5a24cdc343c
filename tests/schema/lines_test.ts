import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { type Line, readLines } from "../../lib/schema/lines.ts";

const MAX = 32 * 1024 * 1024;
const encoder = new TextEncoder();

async function linesOf(chunks: Iterable<Uint8Array>, maxBytes = MAX): Promise<Line[]> {
  return await Array.fromAsync(readLines(ReadableStream.from(chunks), maxBytes));
}

function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size);
  }
}

function whole(...texts: string[]): Line[] {
  return texts.map((text) => ({ text, isTooLong: false }));
}

Deno.test("C49 readLines puts characters together that come byte by byte", async () => {
  const text = '{"a":"👩‍👩‍👧‍👦 ünï 漢字"}';
  deepStrictEqual(await linesOf(cut(encoder.encode(`${text}\n${text}\n`), 1)), whole(text, text));
});

Deno.test("C51 readLines reads a line of 5 MiB in pieces of 4 KiB", async () => {
  const text = "x".repeat(5 * 1024 * 1024);
  deepStrictEqual(await linesOf(cut(encoder.encode(`${text}\nnext\n`), 4096)), whole(text, "next"));
});

Deno.test("readLines does not mind CRLF, empty lines, or a last line without an end", async () => {
  deepStrictEqual(
    await linesOf([encoder.encode("a\r\n\r\n\nb\rc\nd")]),
    whole("a", "", "", "b\rc", "d"),
  );
  deepStrictEqual(await linesOf([encoder.encode("a\r"), encoder.encode("\n")]), whole("a"));
});

Deno.test("readLines gives nothing for an empty stream and no line after the last end", async () => {
  deepStrictEqual(await linesOf([]), []);
  deepStrictEqual(await linesOf([new Uint8Array(), encoder.encode("a\n")]), whole("a"));
});

Deno.test("readLines takes a line of exactly the bound and not a byte more", async () => {
  const [fits, tooLong] = await linesOf([encoder.encode("12345\n123456\n")], 5);
  deepStrictEqual(fits, { text: "12345", isTooLong: false });
  strictEqual(tooLong?.isTooLong, true);
});

for (const size of [1000, 4096, 65_536, 300_000]) {
  Deno.test(`readLines keeps head and tail of an over-long line in pieces of ${size}`, async () => {
    const long = `{"head"${"x".repeat(200_000)}"tail"}`;
    const chunks = cut(encoder.encode(`${long}\nnext\n`), size);
    const [line, next] = await linesOf(chunks, 100_000);
    ok(line?.isTooLong);
    ok(line.text.startsWith('{"head"xxx') && line.text.endsWith('xxx"tail"}'));
    strictEqual(line.text.length, 8192);
    deepStrictEqual(next, { text: "next", isTooLong: false });
  });
}

Deno.test("readLines keeps the whole tail of a line that is too long by one byte", async () => {
  const long = `${"x".repeat(99_990)}"id":12345}`;
  for (const last of [1, 2, 5]) {
    const bytes = encoder.encode(`${long}\n`);
    const chunks = [bytes.subarray(0, -1 - last), bytes.subarray(-1 - last)];
    const [line] = await linesOf(chunks, long.length - 1);
    ok(line?.isTooLong && line.text.endsWith('"id":12345}'), `${last}`);
  }
});

Deno.test("C51 readLines holds little of a line of 200 MiB and reads on", async () => {
  const piece = new Uint8Array(1024 * 1024).fill(0x78);
  const before = Deno.memoryUsage().rss;
  let peak = before;
  function* pieces(): Generator<Uint8Array> {
    for (let count = 0; count < 200; count++) {
      peak = Math.max(peak, Deno.memoryUsage().rss);
      yield piece;
    }
    yield encoder.encode("\nnext\n");
  }
  const [line, next] = await linesOf(pieces());
  ok(line?.isTooLong && line.text.length <= 8192);
  deepStrictEqual(next, { text: "next", isTooLong: false });
  // The bound and its one copy, and some garbage.
  ok(peak - before < 4 * MAX, `memory grew by ${peak - before} bytes`);
});

Deno.test("readLines gives the same lines however the stream is cut", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "😀", "\r", "\n", '"') });
  const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(text, sizes, async (input, [...steps]) => {
      const bytes = encoder.encode(input);
      const chunks: Uint8Array[] = [];
      for (let start = 0, turn = 0; start < bytes.length; turn++) {
        const size = steps[turn % steps.length] ?? 1;
        chunks.push(bytes.subarray(start, start + size));
        start += size;
      }
      const expected = input.split("\n");
      if (expected.at(-1) === "") expected.pop();
      deepStrictEqual(
        await linesOf(chunks),
        whole(...expected.map((line) => line.replace(/\r$/, ""))),
      );
    }),
    { numRuns: 500 },
  );
});

Deno.test("readLines may be given one buffer again and again", async () => {
  const buffer = new Uint8Array(4);
  function* pieces(): Generator<Uint8Array> {
    for (const text of ["abcd", "efgh", "ij\nk"]) {
      buffer.set(encoder.encode(text));
      yield buffer;
    }
  }
  deepStrictEqual(await linesOf(pieces()), whole("abcdefghij", "k"));
});
