// The audit log: its checkpoints, and its lists. That a change and its row are both stored, or neither, is in changes.ts.
import {
  type AuditActor,
  type AuditEntry,
  type StoredAuditRow,
  type StoredCheckpoint,
  auditRow,
  columnsOf,
} from '@clientele/domain/audit'
import { secondsAfter } from '@clientele/domain/kernel'
import type { AuditLog, AuditPage, AuditPlace, AuditQuery, StoragePorts } from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { exampleAuditRow, exampleHash, exampleTime } from '../examples.js'
import { contract, contracts, done, numbers } from './contract.js'

const lowest = Number.MIN_SAFE_INTEGER

const checkpoint = (number: number, rows: ReadonlyArray<StoredAuditRow>): StoredCheckpoint => ({
  number,
  at: exampleTime,
  jws: `jws-${number}`,
  lowest: rows[0]?.ordinal ?? 0,
  highest: rows.at(-1)?.ordinal ?? 0,
})
const link = ({ auditLog }: StoragePorts, number: number, ...rows: ReadonlyArray<StoredAuditRow>): Promise<boolean> =>
  done(auditLog.addCheckpoint(checkpoint(number, rows)))
/** The rows without a checkpoint, of which none was copied. */
const unlinked = async (
  { auditLog }: StoragePorts,
  after = lowest,
  max = 100,
): Promise<ReadonlyArray<StoredAuditRow>> =>
  (await done(auditLog.listUnlinked(after, max))).map(({ copied, ...row }) => {
    assert.is(copied, false)
    return row
  })

/** Writes six rows. */
const sixRows = async (ports: StoragePorts) => {
  for (const each of ['a', 'b', 'c', 'd', 'e', 'f']) await done(ports.auditLog.addAuditRow(exampleAuditRow(each)))
  const [a, b, c, d, e, f] = await unlinked(ports)
  if (!a || !b || !c || !d || !e || !f) throw new Error('rows are missing')
  return { a, b, c, d, e, f }
}

const checkpoints = contract('Checkpoints of the audit log', (it) => {
  it('a checkpoint takes its rows, and its number is taken once; it may have no rows', async (ports) => {
    const { auditLog, other } = ports
    assert.equal([await done(auditLog.lastCheckpoint), await done(auditLog.checkpointsAfter(0, 10))], [O.none, []])
    const { a, b, ...left } = await sixRows(ports)
    assert.equal([await link(ports, 1, a, b), await link(other, 1, left.c)], [true, false])
    assert.equal(await unlinked(other), Object.values(left))
    assert.equal(await done(other.auditLog.lastCheckpoint), O.some(checkpoint(1, [a, b])))
    assert.is(await link(other, 2), true)
    assert.equal(await done(auditLog.checkpointsAfter(0, 10)), [checkpoint(1, [a, b]), checkpoint(2, [])])
    assert.equal(await done(other.auditLog.checkpointsAfter(1, 10)), [checkpoint(2, [])])
    assert.equal(await unlinked(ports), Object.values(left))
  })

  it('what is forgotten is gone, and the checkpoint and all after it stay', async (ports) => {
    const { auditLog, other } = ports
    const rows = Object.values(await sixRows(ports))
    const made = rows.slice(0, 3).map((each, nth) => checkpoint(nth + 1, [each]))
    for (const each of made) await done(auditLog.addCheckpoint(each))
    for (const each of made.slice(0, 2)) await done(auditLog.forgetAudit(each))
    assert.equal(await done(other.auditLog.checkpointsAfter(0, 10)), made.slice(1))
    assert.equal(await done(other.auditLog.listRows(lowest, 10)), rows.slice(2))
    assert.is((await done(auditLog.listAudit({ max: 10 }))).rows.length, 4)
  })

  it('rows with and without a checkpoint are read in pages, in their order', async (ports) => {
    const { a, b, c, d, e, f } = await sixRows(ports)
    await link(ports, 1, a)
    await link(ports.other, 2, b, c, d)
    const rows = (after: number, max: number) => done(ports.other.auditLog.listRows(after, max))
    assert.equal([await rows(lowest, 3), await rows(c.ordinal, 2), await rows(f.ordinal, 2)], [[a, b, c], [d, e], []])
    assert.equal([await unlinked(ports, lowest, 1), await unlinked(ports, e.ordinal)], [[e], [f]])
    assert.equal(await unlinked(ports, f.ordinal), [])
  })
})

const chosen = <Item>(items: readonly [Item, Item, Item], nth: number): Item => items[nth % 3] ?? items[0]

/** The clock of the third row in four is late, and several rows have one time. */
const entries: ReadonlyArray<AuditEntry> = numbers(30).map((nth): AuditEntry => {
  const client_id = chosen(['one', 'two', ''], Math.floor(nth / 2))
  const actors: readonly [AuditActor, AuditActor, AuditActor] = [
    { kind: 'master', fingerprint: 'print-of-master' },
    { kind: 'operator_token', fingerprint: 'print-of-a', name: 'the laptop "of Zoë"' },
    { kind: 'operator_token', fingerprint: 'print-of-b', name: 'master' },
  ]
  return {
    at: secondsAfter(exampleTime, Math.floor(nth / 3) - (nth % 4 === 2 ? 5 : 0)),
    action: chosen(['client_registered', 'client_updated', 'client_deleted'], Math.floor(nth / 5)),
    actor: chosen(actors, nth),
    origin: { door: 'http', request_id: `request-${nth}` },
    members: [],
    ...(client_id === '' ? {} : { client_id }),
  }
})

type Filter = Omit<AuditQuery, 'max'>

const isMeant =
  ({ client_id, actor, action, since, until }: Filter) =>
  (entry: AuditEntry): boolean =>
    (client_id === undefined || entry.client_id === client_id) &&
    (actor === undefined || [columnsOf(entry).actor, entry.actor.name, entry.actor.kind].includes(actor)) &&
    (action === undefined || entry.action === action) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until)

const meant = (filter: Filter): ReadonlyArray<string> =>
  [...entries.entries()]
    .filter(([, entry]) => isMeant(filter)(entry))
    .sort(([first, one], [second, other]) => other.at - one.at || second - first)
    .map(([, entry]) => entry.origin.request_id)

const filters: ReadonlyArray<Filter> = [undefined, 'one', 'nobody'].flatMap((client_id) =>
  [undefined, 'master', 'operator_token', 'print-of-a', 'the laptop "of Zoë"'].flatMap((actor) =>
    [undefined, 'client_updated' as const].flatMap((action) =>
      [
        {},
        { since: secondsAfter(exampleTime, 3) },
        { since: secondsAfter(exampleTime, 1), until: secondsAfter(exampleTime, 6) },
      ].map((times) => ({ client_id, actor, action, ...times })),
    ),
  ),
)

const pagesOf = async (log: AuditLog, filter: Filter, max: number): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  let before: AuditPlace | undefined
  do {
    const page: AuditPage = await done(log.listAudit({ ...filter, before, max }))
    assert.ok(page.rows.length <= max)
    found.push(...page.rows.map(({ entry }) => (JSON.parse(entry) as AuditEntry).origin.request_id))
    before = page.reached
  } while (before !== undefined)
  return found
}

const lists = contract('Lists of the audit log', (it) => {
  it('rows are listed by any filters, from the latest to the earliest, in pages of any size', async (ports) => {
    for (const [nth, entry] of entries.entries()) {
      const made = auditRow(
        () => exampleHash(`mac-${nth}`),
        () => String(nth),
      )(entry)
      await done(ports.auditLog.addAuditRow(made))
    }
    for (const count of [0, 12, 18]) {
      const rows = (await unlinked(ports)).slice(0, count)
      if (count > 0) await link(ports, count, ...rows)
      for (const filter of filters)
        for (const max of [4, 100])
          assert.equal(await pagesOf(ports.other.auditLog, filter, max), meant(filter), JSON.stringify(filter))
    }
  })
})

/** The promises of AuditLog. */
export const auditContract = contracts(checkpoints, lists)
