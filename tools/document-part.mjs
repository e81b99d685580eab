// Replaces the generated part of a document, between two markers.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.mjs'

export const writePart = (document, name, text) => {
  const file = join(root, document)
  const before = readFileSync(file, 'utf8')
  const start = `<!-- ${name} -->`
  const end = `<!-- /${name} -->`
  const from = before.indexOf(start)
  const to = before.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${document} has no part between ${start} and ${end}`)
  writeFileSync(file, `${before.slice(0, from)}${start}\n\n${text.trim()}\n\n${before.slice(to)}`)
}
