/** Which comments belong to which declaration, where compilers are not of one mind. */
import assert from "node:assert/strict";
import { compileTexts } from "./fixture.ts";

interface Shown {
  readonly leading: string;
  readonly trailing: string;
  readonly detached: readonly string[];
}

async function commentsOf(text: string): Promise<Record<string, Shown>> {
  const { files } = await compileTexts({ "a.proto": text });
  return Object.fromEntries(
    (files[0]?.sourceCodeInfo?.location ?? []).map((location) => [location.path.join("."), {
      leading: location.leadingComments,
      trailing: location.trailingComments,
      detached: location.leadingDetachedComments,
    }]),
  );
}

Deno.test("compileProtos gives a block comment before a field on its line to the field", async () => {
  const comments = await commentsOf("message M {\n\n /* of a */ optional int32 a = 1;\n}");
  assert.deepEqual(comments["4.0.2.0"], { leading: " of a ", trailing: "", detached: [] });
});

Deno.test("compileProtos gives a comment between two fields on one line to neither", async () => {
  const fields = "optional int32 a = 1; /* either */ optional int32 b = 2;";
  const comments = await commentsOf(`message M {\n${fields}\n}`);
  assert.deepEqual(comments, {
    "4.0.2.1": { leading: "", trailing: "", detached: [" either "] },
  });
});

Deno.test("compileProtos keeps line feeds and drops the stars of block comments", async () => {
  const comments = await commentsOf("/**\n * one\n *  two\n */\nmessage M {} // after\n");
  assert.deepEqual(comments["4.0"], { leading: "*\n one\n  two\n", trailing: "", detached: [] });
});

Deno.test("compileProtos gives a comment after the end of a message to nobody", async () => {
  const comments = await commentsOf("message M {\n} // after\n\n// last\n");
  assert.deepEqual(comments, {});
});

Deno.test("compileProtos reads files with a byte order mark and CRLF", async () => {
  const comments = await commentsOf("\ufeff// of M\r\nmessage M { // after\r\n}\r\n");
  assert.deepEqual(comments["4.0"], {
    leading: " of M\r\n",
    trailing: " after\r\n",
    detached: [],
  });
});

Deno.test("compileProtos says where a commented declaration stands", async () => {
  const { files } = await compileTexts({ "a.proto": "\n // of M\n  message M {\n }" });
  assert.deepEqual(files[0]?.sourceCodeInfo?.location[0]?.span, [2, 2, 13]);
});
