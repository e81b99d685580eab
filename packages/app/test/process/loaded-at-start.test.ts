// The scripts that the built service loads at its start: what only commands or rare settings need is in others.
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mainFile } from '../support/service.js'

const Loaded = suite('what a start loads')
const folder = dirname(mainFile)
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))

const staticImports = /\bimport\s*(?:[\w$*{][^'"()]*?from\s*)?["']\.\/([\w-]+\.js)["']/g

const loadedFrom = (name: string, known = new Set<string>()): ReadonlySet<string> => {
  if (known.has(name)) return known
  known.add(name)
  for (const [, imported = ''] of textOf(name).matchAll(staticImports)) loadedFrom(imported, known)
  return known
}

const loaded = loadedFrom('clientele.js')
const later = scripts.filter((name) => !loaded.has(name))
const contains = (names: Iterable<string>, text: string): boolean =>
  [...names].some((name) => textOf(name).includes(text))

const mebibyte = 1_048_576

Loaded('is at most 2.2 MiB', () => {
  const bytes = [...loaded].reduce((sum, name) => sum + Buffer.byteLength(textOf(name)), 0)
  assert.ok(bytes > mebibyte && bytes < 2.2 * mebibyte, `${bytes} bytes in ${[...loaded].join(', ')}`)
})

const parts: Readonly<Record<string, string>> = {
  'the other commands': 'clientele keys import ',
  'the authorization server': 'already parsed request body detected',
  'the HTTP client': 'node_modules/undici/',
  'the driver of PostgreSQL': 'node_modules/pg/',
}

for (const [part, text] of Object.entries(parts))
  Loaded(`${part} is in another script`, () => {
    assert.not.ok(contains(loaded, text))
    assert.ok(contains(later, text))
  })

Loaded('the tables of media types and encodings are small', () => {
  assert.ok(contains(loaded, 'node_modules/mime-db/') && contains(loaded, 'node_modules/iconv-lite/'))
  assert.not.ok(contains(scripts, 'application/vnd.3gpp'))
  assert.not.ok(contains(scripts, 'shiftjis'))
})

Loaded.run()
