/** What the compiler refuses, and how it says so. */
import assert from "node:assert/strict";
import { compileTexts, refusalOf } from "./fixture.ts";

const PROTO3 = 'syntax = "proto3";\n';

/** Texts that are refused, with what the message says after the path. */
const REFUSED: readonly (readonly [text: string, message: string])[] = [
  [`${PROTO3}message M { int32 a = 1 }`, 'line 2, column 25: expected ";", found "}"'],
  [`${PROTO3}message M {`, "line 2, column 12: expected a type, found the end of the file"],
  [`${PROTO3}message M { Foo a = 1; }`, 'line 2, column 13: the type "Foo" is not declared'],
  [
    `${PROTO3}message M { int32 a = 1; int32 b = 1; }`,
    'line 2, column 26: the fields "a" and "b" both have the number 1',
  ],
  [
    `${PROTO3}message M {}\nenum M { A = 0; }`,
    'line 3, column 6: "M" is already declared in "a.proto"',
  ],
  [
    `${PROTO3}enum A { X = 0; }\nenum B { X = 0; }`,
    'line 3, column 10: "X" is already declared in "a.proto"',
  ],
  [`${PROTO3}message M { int32 a = 0; }`, "line 2, column 23: expected a field's number from 1"],
  [`${PROTO3}message M { int32 a = 536870912; }`, "line 2, column 23: expected a field's number"],
  [`${PROTO3}message M { int32 a = 99999999999999999999999; }`, "line 2, column 23: "],
  [`${PROTO3}message M { group G = 1 {} }`, "line 2, column 13: expected a type: only proto2"],
  ["syntax = 'proto4';", 'line 1, column 10: expected syntax "proto2" or "proto3", found "proto4"'],
  ['edition = "1999";', 'line 1, column 11: the edition "1999" is not known'],
  [`${PROTO3}package a; package b;`, "line 2, column 12: the file has two packages"],
  [`${PROTO3}import "x"; import "x";`, 'line 2, column 20: "x" is imported twice'],
  [`${PROTO3}wrong`, "line 2, column 1: expected a declaration"],
  [`${PROTO3}option java_package = "a`, "line 2, column 23: the string has no end on its line"],
  [`${PROTO3}option java_package = "\\q";`, "line 2, column 24: the string has an escape"],
  [
    `${PROTO3}option java_package = "\\U00110000";`,
    "line 2, column 24: the string has an escape bey",
  ],
  [`${PROTO3}/* no end`, "line 2, column 1: the comment has no end"],
  [`${PROTO3}message M { int32 a = 08; }`, 'line 2, column 23: "08; }" starts like a number'],
  [`${PROTO3}option nothing = 1;`, 'line 2, column 8: "google.protobuf.FileOptions" has no field'],
  [`${PROTO3}option java_package = 1;`, "line 2, column 23: expected a string in quotes for"],
  [`${PROTO3}option deprecated = 2;`, "line 2, column 21: expected true or false for"],
  [`${PROTO3}option optimize_for = FAST;`, "line 2, column 23: expected a name of its enum for"],
  [`${PROTO3}option deprecated = true;\noption deprecated = true;`, "line 3, column 21: "],
  [
    `${PROTO3}option java_package.x = 1;`,
    'line 2, column 8: the option "java_package" is no single',
  ],
  [
    "message M { optional E e = 1 [default = B]; } enum E { A = 0; }",
    'line 1, column 22: the default value "B" is not in the enum',
  ],
  [
    "message M { optional int32 e = 1 [default = 2147483648]; }",
    "line 1, column 45: expected a default value of the field's type",
  ],
  [
    "message M { optional M e = 1 [default = B]; }",
    "line 1, column 22: a message has no default value",
  ],
  [`${PROTO3}message M { map<float, int32> m = 1; }`, "line 2, column 17: expected an integer"],
  [`${PROTO3}message M { map<M, int32> m = 1; }`, "line 2, column 17: expected an integer"],
  ["message M { map<int32, group> m = 1; }", 'line 1, column 24: expected a type, found "group"'],
  [`${PROTO3}enum E {}`, "line 2, column 9: expected at least one value"],
  [`${PROTO3}message M { option map_entry = true; }`, "line 2, column 9: map_entry is not for"],
  ["message M { extensions 5 to 4; }", "line 1, column 24: the range ends before it starts"],
  ["message M { reserved 0; }", "line 1, column 22: the range starts before 1"],
  [
    `${PROTO3}service S { rpc A(E) returns (E); } enum E { X = 0; }`,
    'line 2, column 17: the type "E"',
  ],
];

for (const [text, message] of REFUSED) {
  Deno.test(`compileProtos refuses ${JSON.stringify(text.replace(PROTO3, ""))}`, async () => {
    const refusal = await refusalOf(text, { x: "" });
    const start = `cannot compile "a.proto": ${message}`;
    assert.equal(refusal.message.slice(0, start.length), start);
    assert.ok(refusal.hint);
  });
}

Deno.test("compileProtos names the file and the path of an import that is missing", async () => {
  const refusal = await refusalOf(`${PROTO3}\n  import "b/missing.proto";`);
  assert.equal(
    refusal.message,
    'cannot compile "a.proto": line 3, column 10: the file "b/missing.proto" was not found',
  );
  assert.match(refusal.hint ?? "", /import root/);
  assert.deepEqual(refusal.details, { path: "a.proto", line: 3, column: 10 });
});

Deno.test("compileProtos refuses import paths that are not below a root", async () => {
  for (
    const path of ["../a.proto", "/etc/a.proto", "a//b.proto", "a\\\\b.proto", ""]
  ) {
    const { message } = await refusalOf(`${PROTO3}import "${path}";`);
    assert.match(message, /is not one below an import root$/);
  }
});

Deno.test("compileProtos refuses files that import each other in a circle", async () => {
  const { message } = await refusalOf('import "b.proto";', {
    "b.proto": 'import "c.proto";',
    "c.proto": 'import "a.proto";',
  });
  assert.match(message, /circle: "a.proto" -> "b.proto" -> "c.proto" -> "a.proto"$/);
});

Deno.test("compileProtos says which import a type needs", async () => {
  const texts = {
    "b.proto": 'import "c.proto";',
    "c.proto": "package c; message C {}",
  };
  const refusal = await refusalOf('import "b.proto"; message M { optional c.C x = 1; }', texts);
  assert.match(refusal.message, /the type "c.C" is not imported$/);
  assert.equal(refusal.hint, 'add: import "c.proto";');
});

Deno.test("compileProtos refuses a custom option whose file is not imported", async () => {
  const options = 'import "google/protobuf/descriptor.proto";' +
    "extend google.protobuf.FileOptions { optional int32 custom = 50000; }";
  const refusal = await refusalOf("option (custom) = 1;", { "o.proto": options });
  assert.match(refusal.message, /no extension "custom"/);
  assert.equal(refusal.hint, 'import "o.proto"');
});

Deno.test("compileProtos refuses options that a strange descriptor.proto makes nonsense", async () => {
  const path = "google/protobuf/descriptor.proto";
  const missing = await refusalOf(`import "${path}"; option a = 1;`, { [path]: "" });
  assert.match(missing.message, /google.protobuf.FileOptions is not declared$/);
  const wrong =
    "package google.protobuf; message FileOptions { optional fixed32 java_package = 1; }";
  const nonsense = await refusalOf("option java_package = 1;", { [path]: wrong });
  assert.match(nonsense.message, /line 1, column 1: these are no options: /);
});

Deno.test("compileProtos refuses a name that two files declare", async () => {
  const { message } = await refusalOf("package p; message M {}", {
    "b.proto": "package p; message M {}",
  });
  assert.match(message, /"p.M" is already declared in "[ab].proto"$/);
});

Deno.test("compileProtos puts names of strangers on one short line", async () => {
  const name = `a\u202e\n${"x".repeat(400)}`;
  const { message } = await refusalOf(`import '${name.replace("\n", "\\n")}';`);
  assert.ok(!/[\n\u202e]/.test(message) && message.length < 300, message);
});

Deno.test("compileProtos warns of a file without a syntax", async () => {
  const { warnings } = await compileTexts({ "a.proto": "", "b.proto": PROTO3 });
  assert.deepEqual(warnings, ['"a.proto" does not say its syntax: it is read as proto2']);
});
