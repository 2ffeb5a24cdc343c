/**
 * `export` and `local` before messages and enums, of edition 2024.
 *
 * @module
 */
import { SymbolVisibility } from "@bufbuild/protobuf/wkt";
import type { Cursor } from "../syntax/cursor.ts";

/** Goes past the word if it is there, and says what it means. */
export function acceptVisibility(cursor: Cursor): SymbolVisibility | undefined {
  if (cursor.accept("export")) return SymbolVisibility.VISIBILITY_EXPORT;
  return cursor.accept("local") ? SymbolVisibility.VISIBILITY_LOCAL : undefined;
}
