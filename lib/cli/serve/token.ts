/**
 * A bearer token, as it is given by a flag, a file or a variable.
 *
 * @module
 */
import { BowireError } from "../../errors/mod.ts";
import { readVariable } from "../../store/mod.ts";
import { readText } from "./listen.ts";

/** Where a token may come from; the file outranks the flag, and that the variable. */
export interface TokenSources {
  readonly token?: string | undefined;
  readonly file?: string | undefined;
  /** The name of the variable. */
  readonly variable: string;
  /** The flag that names a file, for the refusal. */
  readonly fileFlag: string;
}

/** The token of a flag or variable. */
export function givenToken(
  { token, variable }: Pick<TokenSources, "token" | "variable">,
): string | undefined {
  return token ?? readVariable(variable);
}

/**
 * The token, if there is one.
 *
 * @throws {BowireError} `usage` for one that no header can carry, `file_failed`.
 */
export async function readToken(sources: TokenSources): Promise<string | undefined> {
  const { file, fileFlag } = sources;
  const found = file === undefined
    ? givenToken(sources)
    : (await readText(file, "the token")).trim();
  if (found === undefined || /^[\x21-\x7e]+$/.test(found)) return found;
  throw new BowireError(
    "usage",
    "cannot use the token: it is empty or holds white space, or what else no header carries",
    { hint: `name another with ${fileFlag}, or none` },
  );
}
