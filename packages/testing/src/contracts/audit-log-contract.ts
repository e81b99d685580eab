import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { type AuditLog, type StoredAuditRow, type StoredCheckpoint, noLimits } from '@clientele/domain'
import { exampleClient, exampleHash, exampleTime } from '../examples/examples.js'
import { type Contract, collect, onNewStore, race } from './contract.js'
import { type OpenStore, type StoreHandles, done } from './open-store.js'

type Ports = StoreHandles<'registry' | 'auditLog'>

const write = async ({ registry }: Ports, names: ReadonlyArray<string>): Promise<void> => {
  for (const each of names) {
    const row = { at: exampleTime, client_id: each, actor: 'master', entry: `{"${each}":1}`, mac: exampleHash(each) }
    await done(registry.addClient(exampleClient(each), O.none, noLimits, undefined, row))
  }
}

const checkpoint = (number: number, rows: ReadonlyArray<StoredAuditRow>): StoredCheckpoint => ({
  number,
  at: exampleTime,
  lowest: rows[0]?.ordinal ?? 0,
  highest: rows.at(-1)?.ordinal ?? 0,
  jws: `jws-${number}`,
})

const ordinals = (rows: ReadonlyArray<StoredAuditRow>): ReadonlyArray<number> => rows.map(({ ordinal }) => ordinal)

const unlinked = (log: AuditLog): Promise<ReadonlyArray<StoredAuditRow>> => done(log.listUnlinked(100))

/** The promises of AuditLog on checkpoints. */
export const auditLogContract = (name: string, open: OpenStore<'registry' | 'auditLog'>): Contract => {
  const { test, tests } = collect(`AuditLog ${name}`)
  const it = onNewStore(test, open)

  it('a checkpoint takes its rows, which the other handle reads by it', async (ports) => {
    const { auditLog, other } = ports
    await write(ports, ['a', 'b', 'c'])
    const [first, second, third] = await unlinked(auditLog)
    if (first === undefined || second === undefined || third === undefined) throw new Error('rows are missing')
    const one = checkpoint(1, [first, second])
    assert.is(await done(auditLog.addCheckpoint(one, ordinals([first, second]))), true)
    assert.equal(await unlinked(other.auditLog), [third])
    assert.equal(await done(other.auditLog.rowsOfCheckpoint(one)), [first, second])
    assert.equal(await done(other.auditLog.lastCheckpoint), O.some(one))
    assert.equal(await done(other.auditLog.strayRows(10)), [])
  })

  it('without checkpoints, there is no last one', async ({ auditLog }) => {
    assert.equal(await done(auditLog.lastCheckpoint), O.none)
    assert.equal(await done(auditLog.checkpointsAfter(0, 10)), [])
  })

  it('a number is taken once, and a row by one checkpoint', async (ports) => {
    const { auditLog } = ports
    await write(ports, ['a', 'b'])
    const [first, second] = await unlinked(auditLog)
    if (first === undefined || second === undefined) throw new Error('rows are missing')
    assert.is(await done(auditLog.addCheckpoint(checkpoint(1, [first]), [first.ordinal])), true)
    assert.is(await done(auditLog.addCheckpoint(checkpoint(1, [second]), [second.ordinal])), false)
    const both = checkpoint(2, [first, second])
    assert.is(await done(auditLog.addCheckpoint(both, [first.ordinal, second.ordinal])), false)
    assert.equal(await unlinked(auditLog), [second])
    assert.equal(await done(auditLog.checkpointsAfter(0, 10)), [checkpoint(1, [first])])
  })

  it('of two handles that add the next checkpoint at once, one does', async (ports) => {
    await write(ports, ['a', 'b'])
    const rows = await unlinked(ports.auditLog)
    const outcomes = await race(ports, [1, 2, 3, 4], ({ auditLog }) =>
      auditLog.addCheckpoint(checkpoint(1, rows), ordinals(rows)),
    )
    assert.is(outcomes.filter((each) => each._tag === 'Right' && each.right).length, 1)
    assert.equal(await unlinked(ports.auditLog), [])
  })

  it('a checkpoint without rows is stored', async ({ auditLog }) => {
    const empty = checkpoint(1, [])
    assert.is(await done(auditLog.addCheckpoint(empty, [])), true)
    assert.equal(await done(auditLog.rowsOfCheckpoint(empty)), [])
  })

  it('what is forgotten is gone, and the checkpoint and all after it stay', async (ports) => {
    const { auditLog } = ports
    await write(ports, ['a', 'b', 'c'])
    const rows = await unlinked(auditLog)
    const made = rows.map((each, place) => checkpoint(place + 1, [each]))
    for (const [place, each] of made.entries())
      await done(auditLog.addCheckpoint(each, ordinals(rows.slice(place, place + 1))))
    const [, second, third] = made
    if (second === undefined || third === undefined) throw new Error('checkpoints are missing')
    for (const each of made.slice(0, 2)) await done(auditLog.forgetAudit(each))
    assert.equal(await done(auditLog.checkpointsAfter(0, 10)), [second, third])
    assert.equal(await done(auditLog.listAudit({ max: 10 })), rows.slice(2))
    assert.equal(await done(auditLog.strayRows(10)), [])
  })

  return tests
}
