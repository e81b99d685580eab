import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RememberedRows } from '../src/remembered-rows.js'
import { rememberingRows } from '../src/remembered-rows.js'

const remembered = suite('remembered rows')

const mostCharacters = 16_777_216

type Row = Readonly<Record<string, string | number | null>>

const reading = (): RememberedRows<string> & { readonly readRows: Array<unknown> } => {
  const readRows: Array<unknown> = []
  const rows = rememberingRows(
    'id',
    (row) => {
      readRows.push(row)
      return JSON.stringify(row).includes('unreadable') ? E.left('unreadable') : E.right(JSON.stringify(row))
    },
    mostCharacters,
  )
  return { ...rows, readRows }
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

remembered('what was written is known, until a row differs in a column of it', () => {
  const { know, read, readRows } = reading()
  know({ id: 'one', text: 'a' }, 'known')
  assert.equal(read({ place: 7, id: 'one', text: 'a' }), E.right('known'))
  assert.is(readRows.length, 0)
  assert.equal(read({ place: 7, id: 'one', text: 'b' }), E.right('{"place":7,"id":"one","text":"b"}'))
})

remembered('what was read from a revision of the file is known for that one alone', () => {
  const { know, read, readAt } = reading()
  const row = { id: 'one', text: 'a' }
  assert.is(readAt('one', '1 0'), undefined)
  read(row, '1 0')
  assert.equal(readAt('one', '1 0'), E.right(JSON.stringify(row)))
  assert.is(readAt('one', '1 1'), undefined)
  assert.is(readAt('two', '1 0'), undefined)
  read({ ...row }, '1 1')
  assert.is(readAt('one', '1 0'), undefined)
  assert.equal(readAt('one', '1 1'), E.right(JSON.stringify(row)))
  know({ ...row, text: 'b' }, 'what is perhaps never written')
  assert.is(readAt('one', '1 1'), undefined)
})

remembered('a row that is read without a revision keeps the one that it was known for', () => {
  const { read, readAt } = reading()
  const row = { id: 'one', text: 'a' }
  read(row, '1 0')
  read({ ...row })
  assert.equal(readAt('one', '1 0'), E.right(JSON.stringify(row)))
  read({ ...row, text: 'b' })
  assert.is(readAt('one', '1 0'), undefined)
})

remembered('what is not asked for is not told, and not kept for having been looked at', () => {
  const { read, readAt, readRows } = reading()
  for (let place = 0; place < 279; place += 1) read(long(place), '1 0')
  assert.is(
    readAt('client 0', '1 0', () => false),
    undefined,
  )
  read(long(279), '1 0')
  read(long(0), '1 0')
  assert.is(readRows.length, 281)
})

const long = (place: number, length = 60_000): Row => ({ id: `client ${place}`, text: 'a'.repeat(length) })

remembered('of more rows than may be remembered those are remembered that were read last', () => {
  const { read, readRows } = reading()
  for (let place = 0; place < 279; place += 1) read(long(place))
  read(long(0))
  assert.is(readRows.length, 279)
  read(long(279))
  read(long(0))
  assert.is(readRows.length, 280)
  read(long(1))
  assert.is(readRows.length, 281)
})

remembered('rows that are read and changed over and over leave room for as many others', () => {
  const { read, readRows } = reading()
  for (let change = 0; change < 500; change += 1) read({ ...long(0), change })
  for (let place = 1; place < 279; place += 1) read(long(place))
  assert.is(readRows.length, 778)
  for (let place = 1; place < 279; place += 1) read(long(place))
  assert.is(readRows.length, 778)
})

remembered('a row that is longer than any client is read each time', () => {
  const { read, readRows } = reading()
  for (const again of [long(0, 70_000), long(0, 70_000)]) assert.equal(read(again), E.right(JSON.stringify(again)))
  assert.is(readRows.length, 2)
})

remembered.run()
