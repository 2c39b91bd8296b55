/** What stands in a cell; `null` is shown as a dash. */
export type Cell = string | number | null;

/** Lays rows out in columns, the first row being the head. */
export function table(rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '-' : String(cell))));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? '').length)),
  );
  return cells
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}
