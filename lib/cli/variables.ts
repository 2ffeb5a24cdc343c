/**
 * The environment, as far as the process may read it.
 *
 * @module
 */

/** An environment variable, or `undefined` when it is not set or may not be read. */
export function readVariable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}
