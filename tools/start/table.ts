/**
 * Rows under headings, each column as wide as its widest cell.
 *
 * @param headings one for each column
 * @param rows cells as text; a missing one is empty
 */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `  ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join('   ')}`.trimEnd();
  return [line(headings), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}
