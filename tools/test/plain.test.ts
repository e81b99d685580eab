import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

// The declarations of the plain functions, as published.
const Plain = suite('the declarations of the plain functions')

const { compile } = await import(new URL('../build.mjs', import.meta.url).href)
const dist = fileURLToPath(new URL('../../packages/domain/dist/', import.meta.url))

const specifiers = /(?:from|import|import\() ?['"]([^'"]+)['"]/g

type Reached = { readonly files: ReadonlySet<string>; readonly libraries: ReadonlySet<string> }

/** Every declaration that a compiler reads for the file, and every library that one of them names. */
const reachedFrom = (entry: string): Reached => {
  const files = new Set<string>()
  const libraries = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(specifiers))
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier.replace(/\.js$/, '.d.ts')))
      else libraries.add(specifier)
  }
  visit(entry)
  return { files, libraries }
}

Plain.before(() => {
  const { passed, output } = compile()
  assert.ok(passed, output)
})

Plain('no library is named where a compiler reads them', () => {
  const { files, libraries } = reachedFrom(join(dist, 'plain/index.d.ts'))
  assert.ok(files.size > 4, [...files].join())
  assert.equal([...libraries], [])
})

Plain('the same search finds the libraries of the core', () => {
  const { libraries } = reachedFrom(join(dist, 'index.d.ts'))
  assert.ok(libraries.has('io-ts') && [...libraries].some((name) => name.startsWith('fp-ts/')), [...libraries].join())
})

Plain('there are eight functions at most, and the types that they take and answer have names', () => {
  const text = readFileSync(join(dist, 'plain/index.d.ts'), 'utf8')
  const exported = [...text.matchAll(/^export (type )?\{([^}]+)\}/gm)]
  const names = exported.flatMap(([, type = '', list = '']) => list.split(',').map((name) => type + name.trim()))
  const functions = names.filter((name) => name !== '' && !name.startsWith('type '))
  assert.ok(functions.length > 4 && functions.length <= 8, functions.join())
  assert.ok(names.length <= 24, names.join())
  assert.not.match(text, /export (?:\*|declare)/)
  assert.ok(existsSync(join(dist, 'plain/index.js')))
})

Plain.run()
