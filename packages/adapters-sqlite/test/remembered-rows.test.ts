import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rememberingRows } from '../src/remembered-rows.js'

const remembered = suite('remembered rows')

type Row = Readonly<Record<string, string | number | null>>

const reading = (): {
  readonly read: (row: unknown) => E.Either<string, string>
  readonly readRows: Array<unknown>
} => {
  const readRows: Array<unknown> = []
  const read = rememberingRows('id', (row) => {
    readRows.push(row)
    return JSON.stringify(row).includes('unreadable') ? E.left('unreadable') : E.right(JSON.stringify(row))
  })
  return { read, readRows }
}

remembered('a row that is the same in every column is read once', () => {
  const { read, readRows } = reading()
  const row: Row = { id: 'one', text: 'a', none: null, count: 1 }
  for (const again of [row, { ...row }, { ...row }]) assert.equal(read(again), E.right(JSON.stringify(row)))
  assert.is(readRows.length, 1)
})

remembered('what is told is what reading the very row would tell, whatever was read before it', () => {
  const value = fc.constantFrom('a', 'b', 'unreadable', null, 1, 2)
  const rows = fc.array(fc.record({ id: fc.constantFrom('one', 'two', null), text: value, count: value }), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(rows, (all) => {
      const { read } = reading()
      for (const row of all) assert.equal(read(row), reading().read(row))
    }),
  )
})

remembered('what cannot be read is tried again', () => {
  const { read, readRows } = reading()
  for (const row of [{ id: 'unreadable' }, { id: 'unreadable' }]) assert.equal(read(row), E.left('unreadable'))
  assert.is(readRows.length, 2)
})

remembered('what is no row is left to the reader', () => {
  const { read, readRows } = reading()
  for (const row of [null, 'text', 1]) assert.equal(read(row), E.right(JSON.stringify(row)))
  assert.equal(readRows, [null, 'text', 1])
})

remembered('of many rows the last thousand that were read are remembered', () => {
  const { read, readRows } = reading()
  const row = (place: number): Row => ({ id: `client ${place}` })
  for (let place = 0; place < 1_000; place += 1) read(row(place))
  read(row(0))
  assert.is(readRows.length, 1_000)
  read(row(1_000))
  read(row(0))
  assert.is(readRows.length, 1_001)
  read(row(1))
  assert.is(readRows.length, 1_002)
})

remembered('a long row is read each time, so that a thousand of them need little memory', () => {
  const { read, readRows } = reading()
  const row: Row = { id: 'long', text: 'a'.repeat(5_000) }
  for (const again of [row, { ...row }]) assert.equal(read(again), E.right(JSON.stringify(row)))
  assert.is(readRows.length, 2)
})

remembered.run()
