import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createReadTogether } from '../src/engine.js'
import { keeping, openedLayers, stored } from './support/opened-layers.js'
import { inFolder } from './support/temporary-store.js'

const reads = suite('reads of one turn')

reads(
  'share one transaction, a single one needs none, and none stays open',
  inFolder(async (file) => {
    const { db, read } = await openedLayers(file)
    const isInTransaction = read(() => db.inTransaction)
    assert.equal(await Promise.all([isInTransaction(), isInTransaction()]), [E.right(true), E.right(true)])
    assert.equal(await isInTransaction(), E.right(false))
    assert.not(db.inTransaction)
    db.close()
  }),
)

reads(
  'see what another connection committed before they were called, also in the same turn',
  inFolder(async (file) => {
    const one = await openedLayers(file)
    const other = await openedLayers(file)
    const names = other.read(() => stored(other))
    const before = names()
    keeping(one, 'new')()
    const [, after] = await Promise.all([before, names()])
    assert.ok(E.isRight(after) && after.right.includes('new'))
    one.db.close()
    other.db.close()
  }),
)

reads(
  'fail alone',
  inFolder(async (file) => {
    const { db, read } = await openedLayers(file)
    const failing = read(() => db.prepare('SELECT 1 FROM missing').get())
    const one = read(() => db.prepare('SELECT 1').pluck().get())
    const outcomes = await Promise.all([one(), failing(), one()])
    assert.equal(outcomes.map(E.isRight), [true, false, true])
    db.close()
  }),
)

reads(
  'are all answered where the transaction cannot begin',
  inFolder(async (file) => {
    const { db } = await openedLayers(file)
    const read = createReadTogether(db)
    const all = [read(() => 1)(), read(() => 2)()]
    db.close()
    assert.equal((await Promise.all(all)).map(E.isLeft), [true, true])
  }),
)

reads.run()
