type Cells = ReadonlyArray<string>

const line = (cells: Cells): string => `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`

/** A table without its empty columns. */
export const table = (heads: Cells, rows: ReadonlyArray<Cells>): string => {
  const used = heads.map((_, column) => rows.some((cells) => cells[column] !== ''))
  const stored = (cells: Cells): Cells => cells.filter((_, column) => used[column] === true)
  return [
    line(stored(heads)),
    `|${stored(heads)
      .map(() => '---|')
      .join('')}`,
    ...rows.map(stored).map(line),
  ].join('\n')
}

export const code = (text: string): string => `\`${text}\``
