import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizationLaws } from '../src/index.js'

const document = suite('the document of the laws')
const docs = new URL('../../../docs/reuse/', import.meta.url)
const found = JSON.parse(readFileSync(new URL('laws.mutants.json', docs), 'utf8'))

document('the mutation run speaks of laws that there are, and of mutants that there were', () => {
  const ids = authorizationLaws.map(({ id }) => id)
  for (const id of Object.keys(found.killedBy))
    assert.ok(ids.includes(id), `${id}: node tools/mutation/mutate.mjs laws`)
  for (const id of found.mergedSince ?? []) assert.ok(id in found.killedBy, id)
  const killed: ReadonlyArray<number> = Object.values<ReadonlyArray<number>>(found.killedBy).flat()
  for (const number of [...killed, ...found.survivors]) assert.type(found.mutants[number], 'string')
})

document.run()
