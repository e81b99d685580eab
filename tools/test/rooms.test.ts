import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { arrowsBack } from '../rooms.mjs'

const Rooms = suite('the rooms of the packages')
const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

for (const name of readdirSync(packages))
  Rooms(`${name}: no room reaches itself by an import of another room`, () => {
    assert.equal(arrowsBack(join(packages, name, 'src')), [])
  })

const plant = (files: Readonly<Record<string, string>>): string => {
  const src = mkdtempSync(join(tmpdir(), 'clientele-rooms-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(src, name)), { recursive: true })
    writeFileSync(join(src, name), text)
  }
  return src
}

Rooms('two folders that import from each other are told, each with a file that does', () => {
  const src = plant({
    'one/a.ts': "import { b } from '../other/b.js'\nexport const a = b\n",
    'one/c.ts': 'export const c = 1\n',
    'other/b.ts': "import { c } from '../one/c.js'\nexport const b = c\n",
  })
  assert.equal(arrowsBack(src), ['one/a.ts -> other/b.ts', 'other/b.ts -> one/c.ts'])
  rmSync(src, { recursive: true })
})

Rooms('a front door, which imports from every room, is no room', () => {
  const src = plant({
    'index.ts': "export { a } from './one/a.js'\n",
    'one/a.ts': "import { b } from '../b.js'\nexport const a = b\n",
    'b.ts': 'export const b = 1\n',
  })
  assert.equal(arrowsBack(src), [])
  rmSync(src, { recursive: true })
})

Rooms.run()
