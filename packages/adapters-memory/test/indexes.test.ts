import { runParameters, storeModelProperty, storeModels } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { emptyState, inMemoryStore, type State } from '../src/index.js'
import { Rows } from '../src/state.js'
import { inMemoryReference as reference } from './support/in-memory-reference.js'

const Indexes = suite('indexes of the store in memory')

/** What the indexes say, as a scan of the rows finds it. */
const scanned = <Row, Index extends string>(rows: Rows<Row, Index>): Map<string, Map<string, Row>> => {
  const found = new Map<string, Map<string, Row>>()
  for (const [index, valuesOf] of Object.entries<(row: Row) => ReadonlyArray<string | undefined>>(rows.indexes))
    for (const [key, row] of rows)
      for (const value of valuesOf(row)) {
        const place = `${index} ${value}`
        if (value !== undefined) found.set(place, new Map(found.get(place)).set(key, row))
      }
  return found
}

const indexed = (state: State): ReadonlyArray<Rows<never, never>> =>
  Object.values(state).filter((part): part is Rows<never, never> => part instanceof Rows)

for (const model of storeModels)
  Indexes(`say what a scan of the rows says, whatever happens: ${model.name}`, () => {
    const atOnce = { min: 1, max: 1 }
    const open = async () => {
      const state = emptyState()
      const close = async (): Promise<void> => {
        assert.is(indexed(state).length, 12)
        for (const rows of indexed(state)) assert.equal(rows.found, scanned(rows))
      }
      return { one: inMemoryStore(state), other: inMemoryStore(state), close }
    }
    const freedoms = { expired: false, order: false }
    return fc.assert(storeModelProperty(model, { open, reference, atOnce, freedoms }), runParameters())
  })

type Row = { readonly colours: ReadonlyArray<string | undefined> }

Indexes('stay true when rows are replaced and removed', () => {
  const key = fc.constantFrom('a', 'b', 'c')
  const colours = fc.array(fc.constantFrom('red', 'green', undefined), { maxLength: 2 })
  const change = fc.oneof(fc.tuple(key, colours), key, fc.constant('all' as const))
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const rows = new Rows<Row, 'colour'>({ colour: (row) => row.colours })
      for (const each of changes) {
        if (each === 'all') rows.clear()
        else if (typeof each === 'string') rows.delete(each)
        else rows.set(each[0], { colours: each[1] })
        assert.equal(rows.found, scanned(rows))
      }
    }),
    runParameters(),
  )
})

Indexes('remove all rows of a value, and no other', () => {
  const rows = new Rows<Row, 'colour'>({ colour: (row) => row.colours })
  rows
    .set('a', { colours: ['red'] })
    .set('b', { colours: ['red', 'green'] })
    .set('c', { colours: ['green'] })
  rows.deleteWhere('colour', 'red')
  assert.equal([...rows.keys()], ['c'])
  assert.equal([...rows.where('colour', 'green').keys()], ['c'])
})

Indexes.run()
