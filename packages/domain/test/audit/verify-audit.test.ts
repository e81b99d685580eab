import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type AuditEntry,
  type AuditFinding,
  type AuditTimes,
  type CheckpointClaims,
  type StoredAuditRow,
  type StoredCheckpoint,
  auditActions,
  auditRow,
  checkpointType,
  isAuditAction,
  nextCheckpoint,
  readAuditEntry,
  readCheckpointClaims,
  storedCheckpoint,
  verifyChain,
} from '@clientele/domain/audit'
import { TokenHash } from '@clientele/domain/authorization'
import { epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { clientId, epochSecond, propertyRuns } from '@clientele/testing'

// A stand-in for the keyed digest: two texts have two digests.
const hash = (text: string): TokenHash => {
  let one = 0x811c9dc5
  let other = 0x1234567
  for (const character of text) {
    one = Math.imul(one ^ (character.codePointAt(0) ?? 0), 0x01000193)
    other = Math.imul(other + (character.codePointAt(0) ?? 0), 0x85ebca6b) ^ (other >>> 13)
  }
  const digest = `digest-${(one >>> 0).toString(36).padStart(8, '0')}-${(other >>> 0).toString(36).padStart(8, '0')}`
  if (!TokenHash.is(digest)) throw new Error(digest)
  return digest
}

const nonce = (): string => 'a-nonce'

const entry = (): fc.Arbitrary<AuditEntry> =>
  fc.record(
    {
      at: epochSecond(),
      action: fc.constantFrom(...Object.keys(auditActions).filter(isAuditAction)),
      actor: fc.record(
        {
          kind: fc.constantFrom('anonymous', 'master', 'store', 'operator_token'),
          fingerprint: fc.constantFrom('', 'abc'),
          name: fc.string(),
        },
        { noNullPrototype: true, requiredKeys: ['kind', 'fingerprint'] },
      ),
      origin: fc.record(
        { door: fc.constantFrom('http', 'socket', 'command', 'service'), request_id: fc.uuid() },
        { noNullPrototype: true },
      ),
      members: fc.array(fc.constantFrom('client_name', 'redirect_uris', 'scope')),
      client_id: clientId(),
    },
    { noNullPrototype: true },
  )

const ascii = (text: string): string =>
  text.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

const encoded = (value: unknown): string =>
  btoa(ascii(JSON.stringify(value)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const jwsOf = (claims: CheckpointClaims): string =>
  `${encoded({ typ: checkpointType, alg: 'ES256' })}.${encoded(claims)}.c2lnbmF0dXJl`

/** A checkpoint with its rows. */
type LinkedRows = { readonly checkpoint: StoredCheckpoint; readonly rows: ReadonlyArray<StoredAuditRow> }

/** The rows of the entries, in checkpoints of so many rows. */
const logOf = (entries: ReadonlyArray<AuditEntry>, together: number): ReadonlyArray<LinkedRows> => {
  const rows = entries.map((each, place): StoredAuditRow => ({
    ordinal: place + 1,
    ...auditRow(hash, nonce)(each),
  }))
  const linked: Array<LinkedRows> = []
  for (let from = 0; from < rows.length; from += together) {
    const own = rows.slice(from, from + together)
    const last: O.Option<StoredCheckpoint> = O.fromNullable(linked.at(-1)?.checkpoint)
    const claims = nextCheckpoint(hash, last, own, epochSeconds(1_800_000_000_000))
    linked.push({ checkpoint: storedCheckpoint(claims, jwsOf(claims)), rows: own })
  }
  return linked
}

const log = (): fc.Arbitrary<ReadonlyArray<LinkedRows>> =>
  fc
    .tuple(
      fc.uniqueArray(entry(), { minLength: 2, maxLength: 12, selector: ({ origin }) => origin.request_id }),
      fc.integer({ min: 1, max: 5 }),
    )
    .map(([entries, together]) => logOf(entries, together))

const verifyAt =
  (times: AuditTimes) =>
  (linked: ReadonlyArray<LinkedRows>, waiting: ReadonlyArray<StoredAuditRow>): ReadonlyArray<AuditFinding> =>
    verifyChain(hash, times)(
      linked.map(({ checkpoint }) => checkpoint),
      [...linked.flatMap(({ rows }) => rows), ...waiting],
    )

const verify = verifyAt({ removedBefore: epochSeconds(0), linkedBefore: epochSeconds(0) })

const rowsOf = (linked: ReadonlyArray<LinkedRows>): ReadonlyArray<StoredAuditRow> => linked.flatMap(({ rows }) => rows)

const changing = (
  linked: ReadonlyArray<LinkedRows>,
  change: (row: StoredAuditRow) => ReadonlyArray<StoredAuditRow>,
): ReadonlyArray<LinkedRows> =>
  linked.map(({ checkpoint, rows }) => ({ checkpoint, rows: rows.flatMap((row) => change(row)) }))

const check = <Values extends [unknown, ...Array<unknown>]>(property: fc.IProperty<Values>): void =>
  fc.assert(property, { numRuns: propertyRuns() })

const test = suite('the verification of the audit log')

test('equal changes have rows of their own, which say the same', () => {
  check(
    fc.property(entry(), (each) => {
      const [one, other] = ['one', 'other'].map((drawn) => auditRow(hash, () => drawn)(each))
      assert.is.not(one?.mac, other?.mac)
      for (const row of [one, other]) assert.equal(readAuditEntry(row?.entry ?? ''), O.some(each))
    }),
  )
})

test('an honest log has no finding, and none when honest rows follow', () => {
  check(
    fc.property(log(), entry(), (linked, next) => {
      assert.equal(verify(linked, []), [])
      const waiting = { ordinal: 1000, ...auditRow(hash, nonce)(next) }
      assert.equal(verify(linked, [waiting]), [])
    }),
  )
})

test('a row that waits for too long is a finding, and a later one is none', () => {
  check(
    fc.property(log(), entry(), fc.integer({ min: -1, max: 1 }), (linked, next, seconds) => {
      const linkedBefore = secondsAfter(next.at, seconds)
      const waiting = { ordinal: 1000, ...auditRow(hash, nonce)(next) }
      assert.equal(
        verifyAt({ removedBefore: epochSeconds(0), linkedBefore })(linked, [waiting]),
        seconds > 0 ? [{ fault: 'unlinked', row: 1000 }] : [],
      )
    }),
  )
})

test('an edited row shows, whatever column of it was edited', () => {
  const edit = fc.oneof(
    fc.record({ at: fc.nat() }),
    fc.record({ client_id: fc.string() }),
    fc.record({ actor: fc.string() }),
    fc.record({ actor_name: fc.string() }),
    fc.record({ entry: fc.string() }),
    fc.record({ mac: fc.string() }),
  )
  check(
    fc.property(log(), fc.nat(), edit, (linked, at, edited) => {
      const rows = rowsOf(linked)
      const chosen = rows[at % rows.length]
      const after = { ...chosen, ...edited }
      fc.pre(JSON.stringify(after) !== JSON.stringify(chosen))
      const findings = verify(
        changing(linked, (row) => [row === chosen ? { ...row, ...edited } : row]),
        [],
      )
      assert.ok(findings.some(({ fault, row }) => fault === 'edited' && row === chosen?.ordinal))
    }),
  )
})

test('a row that the forger digests with another key shows', () => {
  const forger = (text: string): TokenHash => hash(`another key ${text}`)
  check(
    fc.property(log(), entry(), (linked, forged) => {
      const row = { ordinal: 1000, ...auditRow(forger, nonce)(forged) }
      assert.equal(verify(linked, [row]), [{ fault: 'inserted', row: 1000 }])
    }),
  )
})

test('a removed row shows, and so does an inserted one', () => {
  check(
    fc.property(log(), fc.nat(), (linked, at) => {
      const rows = rowsOf(linked)
      const chosen = rows[at % rows.length]
      const removed = verify(
        changing(linked, (row) => (row === chosen ? [] : [row])),
        [],
      )
      assert.equal(
        removed.map(({ fault, row }) => [fault, row]),
        [['missing', chosen?.ordinal]],
      )
      const copied = verify(
        changing(linked, (row) => (row === chosen ? [{ ...row, ordinal: row.ordinal - 0.5 }, row] : [row])),
        [],
      )
      assert.equal(
        copied.map(({ fault, row }) => [fault, row]),
        [['inserted', (chosen?.ordinal ?? 0) - 0.5]],
      )
    }),
  )
})

test('rows that changed places show', () => {
  check(
    fc.property(log(), (linked) => {
      const [first, second] = rowsOf(linked)
      if (first === undefined || second === undefined) return
      const swapped = changing(linked, (row) => {
        if (row === first) return [{ ...second, ordinal: first.ordinal }]
        return [row === second ? { ...first, ordinal: second.ordinal } : row]
      })
      assert.ok(verify(swapped, []).length > 0)
    }),
  )
})

test('a removed checkpoint shows, unless it was the last one; so do two that changed places', () => {
  check(
    fc.property(log(), fc.nat(), (linked, at) => {
      fc.pre(linked.length > 2)
      const gone = at % (linked.length - 1)
      const findings = verify(
        linked.filter((_, place) => place !== gone),
        [],
      )
      const expected = gone === 0 ? 'removed_early' : 'checkpoint_unlinked'
      assert.equal(
        findings.map(({ fault }) => fault),
        [expected],
      )
      // Its rows are above the checkpoint before, and the next one does not list them.
      const left = linked.flatMap(({ checkpoint, rows }, place) => {
        if (place === gone) return []
        return [{ checkpoint, rows: place === gone + 1 ? [...(linked[gone]?.rows ?? []), ...rows] : rows }]
      })
      assert.equal(
        verify(left, []).map(({ fault }) => fault),
        [expected, ...(linked[gone]?.rows ?? []).map(() => 'inserted')],
      )
      assert.ok(verify([...linked].reverse(), []).length > 0)
    }),
  )
})

// A checkpoint by a token that an operator had signed: it has the claims that the service adds to each token.
test('a checkpoint with any other claim is a finding', () => {
  const added = fc.oneof(fc.constantFrom('exp', 'iat', 'iss'), fc.string({ minLength: 1 }))
  check(
    fc.property(log(), added, fc.jsonValue(), (linked, name, value) => {
      fc.pre(name !== '__proto__')
      const last = linked.at(-1)
      const claims = O.toUndefined(readCheckpointClaims(last?.checkpoint.jws ?? ''))
      if (last === undefined || claims === undefined || Object.hasOwn(claims, name)) return
      const jws = jwsOf({ ...claims, ...{ [name]: value } })
      const forged = [...linked.slice(0, -1), { ...last, checkpoint: { ...last.checkpoint, jws } }]
      assert.equal(
        verify(forged, []).map(({ fault }) => fault),
        ['checkpoint_unreadable'],
      )
    }),
  )
})

test('what was removed by age is no finding', () => {
  check(
    fc.property(log(), (linked) => {
      const [first, ...later] = linked
      if (first === undefined) return
      const old = verifyAt({ removedBefore: epochSeconds(1_900_000_000_000), linkedBefore: epochSeconds(0) })
      assert.equal(old([{ checkpoint: first.checkpoint, rows: [] }, ...later], []), [])
      assert.equal(old(later, []), [])
    }),
  )
})

test('any row and any checkpoint is a finding at most', () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.anything().map((value) => fc.stringify(value)),
  )
  const row = fc.record({
    ordinal: fc.integer(),
    at: fc.integer(),
    client_id: fc.option(text),
    actor: text,
    actor_name: fc.option(text),
    entry: text,
    mac: text,
  })
  const jws = fc.oneof(
    text,
    fc.jsonValue().map((value) => `${encoded({ typ: checkpointType })}.${encoded(value)}.x`),
  )
  const checkpoint = fc.record({ number: fc.integer(), at: epochSecond(), lowest: fc.nat(), highest: fc.nat(), jws })
  const any = fc.record({ checkpoint, rows: fc.array(row) })
  check(
    fc.property(fc.array(any, { minLength: 1 }), fc.array(row), (linked, waiting) => {
      assert.ok(verify(linked, waiting).length >= linked.length)
    }),
  )
  check(fc.property(text, (given) => void readAuditEntry(given)))
  check(fc.property(jws, (given) => void readCheckpointClaims(given)))
})

test.run()
