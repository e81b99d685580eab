import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  type AuditActor,
  type AuditEntry,
  type AuditLog,
  type AuditPage,
  type AuditPlace,
  type AuditQuery,
  type StoredAuditRow,
  type StoredCheckpoint,
  auditRow,
  columnsOf,
  noLimits,
  secondsAfter,
} from '@clientele/domain'
import { exampleClient, exampleHash, exampleTime } from '../examples/examples.js'
import { type Contract, collect, onNewStore, race } from './contract.js'
import { type OpenStore, type StoreHandles, done } from './open-store.js'

type Ports = StoreHandles<'registry' | 'auditLog'>

const write = async ({ registry }: Ports, names: ReadonlyArray<string>): Promise<void> => {
  for (const each of names) {
    const row = {
      at: exampleTime,
      client_id: each,
      actor: 'master',
      actor_name: null,
      entry: `{"${each}":1}`,
      mac: exampleHash(each),
    }
    await done(registry.addClient(exampleClient(each), O.none, noLimits, undefined, row))
  }
}

const first = Number.MIN_SAFE_INTEGER
const beginning = { checkpoint: first, ordinal: first }

const checkpoint = (number: number, rows: ReadonlyArray<StoredAuditRow>): StoredCheckpoint => ({
  number,
  at: exampleTime,
  lowest: rows[0]?.ordinal ?? 0,
  highest: rows.at(-1)?.ordinal ?? 0,
  jws: `jws-${number}`,
})

const ordinals = (rows: ReadonlyArray<StoredAuditRow>): ReadonlyArray<number> => rows.map(({ ordinal }) => ordinal)

const unlinked = (log: AuditLog): Promise<ReadonlyArray<StoredAuditRow>> => done(log.listUnlinked(first, 100))

const actions = ['client_registered', 'client_updated', 'client_deleted'] as const
const actors: ReadonlyArray<AuditActor> = [
  { kind: 'master', fingerprint: '' },
  { kind: 'operator_token', fingerprint: 'print-of-a', name: 'the laptop "of Zoë"' },
  { kind: 'operator_token', fingerprint: 'print-of-b', name: 'master' },
]
const clients = ['one', 'two', undefined]

const chosen = <Item>(items: ReadonlyArray<Item>, place: number): Item => {
  const item = items[place % items.length]
  if (item === undefined && !items.includes(item as Item)) throw new Error('no item')
  return item as Item
}

/** The clock of the third row in four is late, and several rows have one time. */
const entries: ReadonlyArray<AuditEntry> = Array.from({ length: 30 }, (_, place): AuditEntry => {
  const client_id = chosen(clients, Math.floor(place / 2))
  return {
    at: secondsAfter(exampleTime, Math.floor(place / 3) - (place % 4 === 2 ? 5 : 0)),
    action: chosen(actions, Math.floor(place / 5)),
    actor: chosen(actors, place),
    origin: { door: 'http', request_id: `request-${place}` },
    members: [],
    ...(client_id === undefined ? {} : { client_id }),
  }
})

const writeEntries = async ({ auditLog }: Ports): Promise<void> => {
  for (const [place, entry] of entries.entries())
    await done(
      auditLog.addAuditRow(
        auditRow(
          () => exampleHash(`mac-${place}`),
          () => String(place),
        )(entry),
      ),
    )
}

const isMeant =
  ({ client_id, actor, action, since, until }: Omit<AuditQuery, 'max'>) =>
  (entry: AuditEntry): boolean =>
    (client_id === undefined || entry.client_id === client_id) &&
    (actor === undefined || [columnsOf(entry).actor, entry.actor.name].includes(actor)) &&
    (action === undefined || entry.action === action) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until)

const meant = (query: Omit<AuditQuery, 'max'>): ReadonlyArray<string> =>
  entries
    .map((entry, place) => ({ entry, place }))
    .filter(({ entry }) => isMeant(query)(entry))
    .sort((one, other) => other.entry.at - one.entry.at || other.place - one.place)
    .map(({ entry }) => entry.origin.request_id)

const optional = <Value>(...values: ReadonlyArray<Value>): ReadonlyArray<Value | undefined> => [undefined, ...values]

const queries: ReadonlyArray<Omit<AuditQuery, 'max'>> = optional('one', 'nobody').flatMap((client_id) =>
  optional('master', 'print-of-a', 'the laptop "of Zoë"').flatMap((actor) =>
    optional('client_updated' as const).flatMap((action) =>
      [
        {},
        { since: secondsAfter(exampleTime, 3) },
        { since: secondsAfter(exampleTime, 1), until: secondsAfter(exampleTime, 6) },
      ].map((times) => ({ client_id, actor, action, ...times })),
    ),
  ),
)

const pagesOf = async (log: AuditLog, query: Omit<AuditQuery, 'max'>, max: number): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  let before: AuditPlace | undefined
  do {
    const page: AuditPage = await done(log.listAudit({ ...query, before, max }))
    assert.ok(page.rows.length <= max)
    found.push(...page.rows.map(({ entry }) => (JSON.parse(entry) as AuditEntry).origin.request_id))
    before = page.reached
  } while (before !== undefined)
  return found
}

/** The promises of AuditLog on checkpoints and lists. */
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
    assert.equal(
      await done(other.auditLog.listLinked(beginning, 10)),
      [first, second].map((each) => ({ ...each, checkpoint: 1 })),
    )
    assert.equal(await done(other.auditLog.lastCheckpoint), O.some(one))
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
    assert.equal(await done(auditLog.listLinked(beginning, 10)), [])
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
    assert.equal((await done(auditLog.listAudit({ max: 10 }))).rows, rows.slice(2))
    assert.equal(
      (await done(auditLog.listLinked(beginning, 10))).map(({ ordinal }) => ordinal),
      ordinals(rows.slice(2)),
    )
  })

  it('rows with and without a checkpoint are read in pages, in their order', async (ports) => {
    const { auditLog } = ports
    await write(ports, ['a', 'b', 'c', 'd', 'e', 'f'])
    const [a, b, c, d, e, f] = ordinals(await unlinked(auditLog))
    // A checkpoint may have rows of before those of an earlier one, where instances write at the same time.
    for (const [number, own] of [
      [1, [b, d]],
      [2, [a, c]],
    ] as const) {
      const rows = (await unlinked(auditLog)).filter(({ ordinal }) => own.includes(ordinal))
      assert.is(await done(auditLog.addCheckpoint(checkpoint(number, rows), ordinals(rows))), true)
    }
    const places: Array<unknown> = []
    let after = beginning
    for (let page = await done(auditLog.listLinked(after, 3)); page.length > 0;) {
      places.push(...page.map(({ checkpoint: number, ordinal }) => [number, ordinal]))
      after = page.at(-1) ?? after
      page = await done(auditLog.listLinked(after, 3))
    }
    assert.equal(places, [
      [1, b],
      [1, d],
      [2, a],
      [2, c],
    ])
    assert.equal(ordinals(await done(auditLog.listUnlinked(first, 1))), [e])
    assert.equal(ordinals(await done(auditLog.listUnlinked(e ?? 0, 9))), [f])
    assert.equal(await done(auditLog.listUnlinked(f ?? 0, 9)), [])
  })

  it('rows are listed by any filters, from the latest to the earliest, in pages of any size', async (ports) => {
    await writeEntries(ports)
    for (const linked of [0, 12, 30]) {
      const rows = (await unlinked(ports.auditLog)).slice(0, linked)
      if (rows.length > 0) await done(ports.auditLog.addCheckpoint(checkpoint(linked, rows), ordinals(rows)))
      for (const query of queries)
        for (const max of [4, 100])
          assert.equal(await pagesOf(ports.other.auditLog, query, max), meant(query), JSON.stringify(query))
    }
  })

  return tests
}
