import { deepStrictEqual } from "node:assert/strict";
import { wordsOf } from "../../lib/cli/reach/command_line.ts";
import { refusalOf } from "../fakes/rooms.ts";

const LINES: readonly (readonly [line: string, words: readonly string[]])[] = [
  ["npx -y server", ["npx", "-y", "server"]],
  ["  a \t b\n c  ", ["a", "b", "c"]],
  [`node "my server.js"`, ["node", "my server.js"]],
  [`node 'my server.js'`, ["node", "my server.js"]],
  [`a "" '' b`, ["a", "", "", "b"]],
  [`--name="Bo Ek" x`, ["--name=Bo Ek", "x"]],
  [`a'b c'"d e"f`, ["ab cd ef"]],
  [`"it's" 'a "b"'`, ["it's", `a "b"`]],
  [`"say \\"hi\\"" x`, [`say "hi"`, "x"]],
  [`"back\\\\slash" "C:\\dir\\x"`, ["back\\slash", "C:\\dir\\x"]],
  [`'as it is: \\" \\\\'`, [`as it is: \\" \\\\`]],
  [`my\\ server\\'s \\"x\\" \\\\`, ["my server's", `"x"`, "\\"]],
  ["C:\\tools\\node.exe D:\\new\\server.js", ["C:\\tools\\node.exe", "D:\\new\\server.js"]],
  [`"C:\\Program Files\\node.exe" -e 1`, ["C:\\Program Files\\node.exe", "-e", "1"]],
  [`\\\\host\\share\\x.exe`, ["\\host\\share\\x.exe"]],
  ["a\\", ["a\\"]],
  ["$HOME `id` $(id) a;b && c | d > e # f *", [
    ..."$HOME `id` $(id) a;b && c | d > e # f *".split(" "),
  ]],
  [`--json '{"a": [1, "b c"]}'`, ["--json", '{"a": [1, "b c"]}']],
  ["größe ⚓\u00a0x", ["größe", "⚓", "x"]],
];
for (const [line, words] of LINES) {
  Deno.test(`wordsOf cuts ${JSON.stringify(line)}`, () => deepStrictEqual(wordsOf(line), words));
}

const REFUSED: readonly (readonly [line: string, message: string])[] = [
  ["", "cannot start a program: its command is empty"],
  [" \t\n", "cannot start a program: its command is empty"],
  [`node "my server.js`, 'cannot read the command: a " is not closed'],
  ["node 'my server.js", "cannot read the command: a ' is not closed"],
  [`node "a\\"`, 'cannot read the command: a " is not closed'],
  [`node "a" "b`, 'cannot read the command: a " is not closed'],
  [`node "a" 'b`, "cannot read the command: a ' is not closed"],
  [`node it's`, "cannot read the command: a ' is not closed"],
];
for (const [line, message] of REFUSED) {
  Deno.test(`wordsOf refuses ${JSON.stringify(line)}`, () => {
    const error = refusalOf(() => wordsOf(line));
    deepStrictEqual([error.code, error.message], ["usage", message]);
  });
}
