/** A temporary source tree; it is removed at the end of its scope. */
export interface Tree extends AsyncDisposable {
  readonly root: string;
}

/** Writes files, path to text, into a temporary folder. */
export async function makeTree(files: Readonly<Record<string, string>>): Promise<Tree> {
  const root = await Deno.makeTempDir();
  for (const [path, text] of Object.entries(files)) {
    const file = `${root}/${path}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
  return { root, [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }) };
}

/** Runs a script of `scripts/` on a tree, with the right to read nothing else. */
export async function runScript(
  name: string,
  root: string,
): Promise<{ code: number; stderr: string }> {
  const script = new URL(`../../scripts/${name}`, import.meta.url).href;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--quiet", `--allow-read=${root}`, script, root],
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}
