/** Texts that want the compiler to hang or to fall. */
import { create, createFileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import assert from "node:assert/strict";
import { BowireError } from "../../../../lib/errors/error.ts";
import { compileTexts, refusalOf } from "./fixture.ts";

/** Texts that nest too deep. */
const DEEP: Readonly<Record<string, string>> = {
  messages: "message A { ".repeat(20_000),
  groups: "message A { " + "repeated group B = 1 { ".repeat(20_000),
  "message literals": "option a = " + "{ a: ".repeat(20_000),
  "message literals in angles": "option a = { a " + "< a ".repeat(20_000),
  lists: "option a = " + "[".repeat(20_000),
};

for (const [name, text] of Object.entries(DEEP)) {
  Deno.test(`compileProtos refuses ${name} that nest too deep`, async () => {
    assert.match((await refusalOf(text)).message, /more than 100 levels of nesting$/);
  });
}

Deno.test("compileProtos refuses names of options with too many parts", async () => {
  const text = `import "google/protobuf/descriptor.proto";
    message M { optional M m = 1; optional int32 i = 2; }
    extend google.protobuf.FileOptions { optional M o = 50000; }
    option (o)${".m".repeat(50_000)}.i = 1;`;
  assert.match((await refusalOf(text)).message, /expected at most 100 parts of an option's name/);
});

Deno.test("compileProtos takes messages that nest 90 levels deep", async () => {
  const text = "message A { ".repeat(90) + "}".repeat(90);
  assert.equal((await compileTexts({ "a.proto": text })).files.length, 1);
});

Deno.test("compileProtos follows a chain of 5,000 imports", async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 5000 }, (_, index) => [`${index}`, `import "${index + 1}";`]),
  );
  const { files } = await compileTexts({ ...texts, "5000": "" }, ["0"]);
  assert.equal(files.length, 5001);
  assert.equal(files[0]?.name, "5000");
});

Deno.test("compileProtos refuses names that every mention would repeat", async () => {
  const outer = `message ${"A".repeat(1100)} {`;
  assert.match((await refusalOf(`${outer} message B {} }`)).message, /full name is longer than/);
  assert.match((await refusalOf(`package ${"a.".repeat(300)}b;`)).message, /longer than 512/);
  assert.match((await refusalOf(`package ${"a.".repeat(150)}b;`)).message, /more than 100 parts/);
});

const WORDS =
  ("syntax edition package import option message enum service rpc returns stream group oneof map " +
    "extend extensions reserved to max optional repeated required default json_name int32 string M N a b features " +
    "deprecated default true inf nan export local public weak = ; { } [ ] ( ) < > , . - : / 1 2 0x1F 1.5 -1 'x' " +
    "'proto2' 'proto3' '2023' google.protobuf.Any .M (a.b) // /* */ \n").split(" ");

Deno.test("compileProtos makes of any words descriptors that can be read, or refuses them", async () => {
  const heads = [
    "",
    'syntax = "proto3"; ',
    "message M { ",
    "message M { option ",
    "enum E { A = 0 ",
    "extend M { ",
  ];
  const soup = fc.tuple(
    fc.constantFrom(...heads),
    fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }),
  )
    .map(([head, words]) => head + words.join(" "));
  await fc.assert(
    fc.asyncProperty(soup, async (text) => {
      try {
        const { files } = await compileTexts({ "a.proto": text });
        createFileRegistry(create(FileDescriptorSetSchema, { file: [...files] }));
      } catch (error) {
        assert.ok(error instanceof BowireError && error.code === "bad_document", String(error));
      }
    }),
    { numRuns: 3000 },
  );
});

/** Makes a text of about so many parts. */
type Make = (count: number) => string;

const REPEATED: Readonly<Record<string, Make>> = {
  "line comments": (count) => "// a\n".repeat(count),
  "detached comments": (count) => "// a\n\n;".repeat(count),
  "detached comments in one place": (count) => `;${"\n\n// a".repeat(4 * count)}\n;`,
  "block comments": (count) => "/* a */\n".repeat(count),
  "lines of a block comment": (count) => `/*${"\n   * a".repeat(count)} */`,
  "blank lines": (count) => "\n \r\t".repeat(count) + ";",
  "empty statements": (count) => ";".repeat(count),
  "adjacent strings": (count) => `option java_package = ${'"a" '.repeat(count)};`,
  escapes: (count) => `option java_package = "${"\\n".repeat(count)}";`,
  "digits of a float": (count) =>
    `message M { optional double d = 1 [default = ${"1".repeat(count)}.5]; }`,
  "digits of an integer": (count) =>
    `message M { optional double d = 1 [default = ${"1".repeat(count)}]; }`,
  messages: (count) =>
    Array.from({ length: count }, (_, index) => `message M${index} {}`).join("\n"),
  "fields of a late type": (count) =>
    `message M { ${
      Array.from({ length: count }, (_, index) => `optional T f${index} = ${index + 1};`).join("\n")
    } } message T {}`,
  "optional fields of proto3": (count) =>
    `syntax = "proto3"; message M { ${
      Array.from({ length: count }, (_, index) => `optional bool f${index} = ${index + 1};`).join(
        "",
      )
    } }`,
  "enum values and defaults": (count) =>
    `enum E { ${Array.from({ length: count }, (_, index) => `V${index} = ${index};`).join("\n")} }
    message M { ${
      Array.from({ length: count }, (_, index) =>
        `optional E f${index} = ${index + 1} [default = V${count - 1}];`).join("\n")
    } }`,
  "open ranges after options": (count) =>
    `message M { ${"option (o) = 1; ".repeat(count)} ${"reserved 1 to max; ".repeat(count)} }
    import "google/protobuf/descriptor.proto";
    extend google.protobuf.MessageOptions { repeated int32 o = 50000; }`,
  "ranges with options": (count) =>
    `message M { extensions ${Array.from({ length: count }, (_, index) => index + 1).join()} [${
      Array.from({ length: count }, () => "(o) = 1").join()
    }]; }
    import "google/protobuf/descriptor.proto";
    extend google.protobuf.ExtensionRangeOptions { repeated int32 o = 50000; }`,
  "statements about one option": (count) =>
    `option (o) = { ${"list: 1 ".repeat(count)} };
    import "google/protobuf/descriptor.proto";
    message O { repeated int32 list = 1; }
    extend google.protobuf.FileOptions { optional O o = 50000; }`,
};

for (const [name, make] of Object.entries(REPEATED)) {
  Deno.test(`compileProtos takes time in proportion to the number of ${name}`, async () => {
    const timeOf = async (count: number) => {
      const text = make(count);
      const start = performance.now();
      await compileTexts({ "a.proto": text });
      return performance.now() - start;
    };
    await timeOf(1000);
    const small = await timeOf(4000);
    const large = await timeOf(64_000);
    // Sixteen times the text; were it quadratic, 256 times the time.
    assert.ok(large < Math.max(100 * small, 1500), `${small} ms, then ${large} ms`);
  });
}
