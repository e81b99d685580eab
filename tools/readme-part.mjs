// A part of README.md that a tool writes stands between two markers.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const readme = fileURLToPath(new URL('../README.md', import.meta.url))

export const writeReadmePart = (name, text) => {
  const before = readFileSync(readme, 'utf8')
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [before.indexOf(start), before.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`README.md has no part between ${start} and ${end}`)
  writeFileSync(readme, `${before.slice(0, from)}${start}\n\n${text.trim()}\n\n${before.slice(to)}`)
}
