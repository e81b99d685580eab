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

/** The page with this text in its part of the name: between <!-- NAME: … --> and <!-- end of NAME -->. */
export const withPart =
  (name: string, text: string) =>
  (page: string): string => {
    const part = new RegExp(`(<!-- ${name}: [^\\n]* -->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`)
    if (!part.test(page)) throw new Error(`the page has no part ${name}`)
    return page.replace(part, (_, begin: string, end: string) => `${begin}\n${text.trim()}\n\n${end}`)
  }
