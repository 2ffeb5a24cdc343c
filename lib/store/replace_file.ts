/**
 * Files that are written whole or not at all.
 *
 * @module
 */

/**
 * Replaces a file, which only its owner may read then, through a temporary one beside it.
 *
 * @throws what Deno throws; the present file is left as it is.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    {
      using file = await Deno.open(temporary, { createNew: true, write: true, mode: 0o600 });
      for (let start = 0; start < bytes.length;) {
        start += await file.write(bytes.subarray(start)); // may write less than it is given
      }
      await file.syncData();
    }
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {}); // the first failure is the one to tell
    throw error;
  }
}
