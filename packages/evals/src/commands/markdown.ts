/** The cells of a line of a table. */
export type Row = readonly string[];

/** A table as Markdown. */
export function markdown(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
