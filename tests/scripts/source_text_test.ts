import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { closingBracket, lineAt, readSource } from "../../scripts/source_text.ts";

Deno.test("readSource blanks comments and text and keeps every offset and line", () => {
  const text = 'a("b{"); // c\n/* d\n */ e(`f ${g({ h: "i" })} j`, \'k\');';
  const { code, strings } = readSource(text);
  strictEqual(code.length, text.length);
  strictEqual(code, 'a("  ");     \n    \n    e(`  ${g({ h: " " })}  `, \' \');');
  deepStrictEqual(strings, [
    { start: 2, value: "b{" },
    { start: text.indexOf('"i"'), value: "i" },
    { start: text.indexOf("'k'"), value: "k" },
  ]);
});

Deno.test("readSource lists a template without substitutions, and none with", () => {
  deepStrictEqual(readSource("x(`a`, `${b}c`, `d\\``)").strings.map(({ value }) => value), [
    "a",
    "d\\`",
  ]);
});

Deno.test("readSource tells patterns from divisions", () => {
  strictEqual(readSource('a.match(/"[/"]\\//g) + "x"').code, 'a.match(          ) + " "');
  strictEqual(readSource("return /'/.test(a)").code, "return    .test(a)");
  strictEqual(readSource('(a + b) / 2 + "x" / c').code, '(a + b) / 2 + " " / c');
});

Deno.test("readSource survives text that never ends", () => {
  strictEqual(readSource('a = "b\nc').code, 'a = "b\nc');
  strictEqual(readSource("a = `b ${").code.length, 9);
});

Deno.test("closingBracket skips inner brackets and the heads of arrows", () => {
  strictEqual(closingBracket("a(b(c), d)", 1), 9);
  strictEqual(closingBracket("Map<string, () => B<C>>()", 3), 22);
  strictEqual(closingBracket("(a", 0), 2);
});

Deno.test("lineAt counts from one", () => {
  deepStrictEqual([0, 1, 2].map((offset) => lineAt("a\nb", offset)), [1, 1, 2]);
});
