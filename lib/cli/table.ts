/**
 * Columns of text.
 *
 * @module
 */
import { safe, type Terminal } from "./terminal.ts";

/** Prints rows in aligned columns; the last column is not padded. Cells are made safe to show. */
export function printTable(
  terminal: Terminal,
  rows: readonly (readonly string[])[],
  indent = "",
): void {
  const cells = rows.map((row) => row.map((cell) => safe(cell).replace(/\s*\n\s*/g, " ")));
  const widths = cells.reduce<number[]>(
    (known, row) => row.map((cell, column) => Math.max(known[column] ?? 0, cell.length)),
    [],
  );
  for (const row of cells) {
    const line = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)
    );
    terminal.print(indent + line.join("  ").trimEnd());
  }
}
