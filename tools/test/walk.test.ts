import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { documentOf, withoutText } from '../trace/document.mjs'
import { instrument } from '../trace/instrument.mjs'
import { walkOf } from '../trace/walk.mjs'

const Walk = suite('the walks of requests')
const root = fileURLToPath(new URL('../../', import.meta.url))

Walk('each request enters what its document says, and the shell twice', () => {
  const args = ['--conditions=@clientele/source', '--import', './tools/trace/register.mjs', 'tools/trace/run.mjs']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 120_000 })
  assert.is(status, 0, stderr)
})

const places = ['a/one.ts:1:1:first', 'a/two.ts:2:1:second', 'b/three.ts:3:1:third', 'a/one.ts:4:1:fourth']

Walk('a step is one from file to file, and the files of the way are those that are entered from another folder', () => {
  const { functions, files, hops, spine, entriesOf } = walkOf(places)
  assert.equal([functions, files, hops, entriesOf('a/one.ts')], [4, 3, 4, 2])
  assert.equal(
    spine.map(({ file }) => file),
    ['a/one.ts', 'b/three.ts'],
  )
})

const document = '# A walk\n\n<!-- Traced: npm run walk -- --write -->\n<!-- End of what is traced -->\n'

Walk('a document keeps what it says of a file, and a file of which it says nothing is told', () => {
  const traced = documentOf(document, walkOf(places))
  assert.equal(withoutText(traced), ['a/one.ts', 'b/three.ts'])
  const written = traced.replace('`first` |  |', '`first` | the first one |')
  const [, ...others] = places
  const moved = documentOf(written, walkOf([places[2] ?? '', places[0] ?? '', ...others]))
  assert.match(moved, '| 2 | `a/one.ts` | `first` | the first one |')
  assert.equal(withoutText(moved), ['b/three.ts'])
})

Walk('every function of a source tells that it is entered, with its name', () => {
  const source = instrument('a.ts', 'const twice = (n: number) => n * 2\nfunction once() { return twice(1) }\nonce()\n')
  const entered: Array<string> = []
  runInNewContext(source, { entered: (place: string) => void entered.push(place) })
  assert.equal(entered, ['a.ts:2:1:once', 'a.ts:1:15:twice'])
})

Walk.run()
