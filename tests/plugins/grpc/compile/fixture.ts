/**
 * Compiles texts and folders for the tests of the compiler.
 *
 * @module
 */
import { BowireError } from "../../../../lib/errors/error.ts";
import { type Compiled, compileProtos } from "../../../../plugins/grpc/compile/mod.ts";

/** Compiles texts by their paths; all of them unless some are named. */
export function compileTexts(
  texts: Readonly<Record<string, string>>,
  paths: readonly string[] = Object.keys(texts),
): Promise<Compiled> {
  return compileProtos(paths, (path) => Promise.resolve(texts[path]));
}

/** Compiles files below a folder. */
export function compileFolder(folder: string, paths: readonly string[]): Promise<Compiled> {
  return compileProtos(paths, async (path) => {
    try {
      return await Deno.readTextFile(`${folder}/${path}`);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  });
}

/** What the compiler says about a text of `a.proto` that it must refuse. */
export async function refusalOf(
  text: string,
  others: Readonly<Record<string, string>> = {},
): Promise<BowireError> {
  try {
    await compileTexts({ "a.proto": text, ...others });
  } catch (error) {
    if (error instanceof BowireError && error.code === "bad_document") return error;
    throw error;
  }
  throw new Error("it was compiled");
}
