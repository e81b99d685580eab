type Cells = ReadonlyArray<string>

const line = (cells: Cells): string => `| ${cells.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`

/** A table without the columns in which nothing stands. */
export const table = (heads: Cells, rows: ReadonlyArray<Cells>): string => {
  const used = heads.map((_, column) => rows.some((cells) => cells[column] !== ''))
  const kept = (cells: Cells): Cells => cells.filter((_, column) => used[column] === true)
  return [
    line(kept(heads)),
    `|${kept(heads)
      .map(() => '---|')
      .join('')}`,
    ...rows.map(kept).map(line),
  ].join('\n')
}

export const code = (text: string): string => `\`${text}\``
