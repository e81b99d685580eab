// Verifying a log in steps finds what verifying it as a whole finds, whatever was done to its rows and checkpoints.
import { type State, emptyState, inMemoryStore } from '@clientele/adapters-memory'
import {
  type AuditFinding,
  auditRow,
  checkpointType,
  nextCheckpoint,
  storedCheckpoint,
  verifyChain,
} from '@clientele/domain/audit'
import { TokenHash, operatorOfTheStore } from '@clientele/domain/authorization'
import { epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { type AuditVerification, type VerifyAuditPorts, verifyAudit } from '@clientele/domain/operations'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { done, exampleTime, propertyRuns } from '../src/index.js'

const hash = (text: string): TokenHash => {
  const digest = createHash('sha256').update(text).digest('base64url')
  if (!TokenHash.is(digest)) throw new Error(digest)
  return digest
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const entryOf = (row: number) =>
  ({
    at: exampleTime,
    action: 'client_updated',
    actor: { kind: 'master', fingerprint: '' },
    origin: { door: 'http', request_id: String(row) },
    members: [],
  }) as const

/** A log of so many rows, in checkpoints of so many; the last rows wait for one. */
const logOf = (rows: number, together: number, waiting: number): State => {
  const state = emptyState()
  const make = auditRow(hash, () => '')
  let last: State['audit']['checkpoints'] extends Map<number, infer Checkpoint> ? Checkpoint | undefined : never
  for (let from = 0; from < rows; from += together) {
    const own = Array.from({ length: Math.min(together, rows - from) }, (_, place) => ({
      ordinal: from + place + 1,
      ...make(entryOf(from + place)),
    }))
    const claims = nextCheckpoint(hash, O.fromNullable(last), own, exampleTime)
    const isLinked = from < rows - waiting
    for (const row of own) state.audit.rows.set(row.mac, row)
    if (!isLinked) continue
    last = storedCheckpoint(claims, `${encoded({ typ: checkpointType })}.${encoded(claims)}.c2ln`)
    state.audit.checkpoints.set(last.number, last)
  }
  return state
}

const times = { removedBefore: epochSeconds(0), linkedBefore: epochSeconds(0) }

const portsOf = (state: State): VerifyAuditPorts => ({
  ...inMemoryStore(state).auditLog,
  hashToken: hash,
  isSignedCheckpoint: () => () => Promise.resolve(true),
  times: () => times,
})

type Verified = { readonly steps: number; readonly findings: ReadonlyArray<unknown>; readonly rows: number }

const inSteps = async (state: State, ports = portsOf(state)): Promise<Verified> => {
  const verify = verifyAudit(ports)(operatorOfTheStore())
  const all = { steps: 0, findings: [] as Array<unknown>, rows: 0 }
  let after: string | undefined
  do {
    const step: AuditVerification = await done(verify({ after }))
    all.steps += 1
    all.findings.push(...step.findings)
    all.rows += step.rows + step.waiting
    after = step.next
  } while (after !== undefined)
  return all
}

const asWhole = (state: State): ReadonlyArray<AuditFinding> => {
  const { rows, checkpoints } = state.audit
  const inOrder = [...rows.values()].sort((one, other) => one.ordinal - other.ordinal)
  return verifyChain(hash, times)([...checkpoints.values()], inOrder)
}

const sorted = (findings: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  findings.map((finding) => JSON.stringify(finding)).sort()

type Tampering = (state: State) => void

const withRow = (place: number, change: (log: State['audit'], mac: string) => void): Tampering => {
  return ({ audit }) => {
    const macs = [...audit.rows.keys()]
    const mac = macs[place % Math.max(1, macs.length)]
    if (mac !== undefined) change(audit, mac)
  }
}

const moved = (log: State['audit'], mac: string, ordinal: number): void => {
  const found = log.rows.get(mac)
  if (found !== undefined) log.rows.set(mac, { ...found, ordinal })
}

const edited = ({ rows }: State['audit'], mac: string): void => {
  const found = rows.get(mac)
  if (found !== undefined) rows.set(mac, { ...found, client_id: 'another' })
}

const tampering: fc.Arbitrary<Tampering> = fc.oneof(
  fc.nat().map((place) => withRow(place, ({ rows }, mac) => void rows.delete(mac))),
  fc
    .tuple(fc.nat(), fc.integer({ min: -1, max: 30 }))
    .map(([place, ordinal]) => withRow(place, (log, mac) => moved(log, mac, ordinal + 0.5))),
  fc.nat().map((place) => withRow(place, edited)),
  fc.integer({ min: 1, max: 8 }).map(
    (number): Tampering =>
      ({ audit }) =>
        void audit.checkpoints.delete(number),
  ),
)

const Verification = suite('verification of the audit log in steps')

Verification('finds what the verification of the whole log finds', () =>
  fc.assert(
    fc.asyncProperty(
      fc.record({ rows: fc.nat(24), together: fc.integer({ min: 1, max: 5 }), waiting: fc.nat(6) }),
      fc.array(tampering, { maxLength: 4 }),
      async ({ rows, together, waiting }, changes) => {
        const state = logOf(rows, together, waiting)
        for (const change of changes) change(state)
        const { findings, rows: verified } = await inSteps(state)
        assert.equal(sorted(findings), sorted(asWhole(state)))
        assert.ok(verified <= state.audit.rows.size)
      },
    ),
    { numRuns: propertyRuns() },
  ),
)

Verification('goes from step to step through a long log, and names a row of each part', async () => {
  const state = logOf(5_000, 1, 500)
  assert.equal(await inSteps(state), { steps: 3, findings: [], rows: 5_000 })
  for (const place of [10, 2_500]) withRow(place, (log, mac) => moved(log, mac, place + 0.5))(state)
  withRow(4_900, edited)(state)
  const { findings } = await inSteps(state)
  assert.equal(sorted(findings), sorted(asWhole(state)))
  assert.equal(findings.length, 5)
})

Verification('of rows that are removed by age meanwhile finds nothing', async () => {
  const state = logOf(40, 4, 0)
  const ports = portsOf(state)
  const { forgetAudit } = inMemoryStore(state).auditLog
  const old = [...state.audit.checkpoints.values()].slice(0, 3)
  const meanwhile: VerifyAuditPorts = {
    ...ports,
    times: () => ({ ...times, removedBefore: secondsAfter(exampleTime, 1) }),
    listRows: (after, max) => async () => {
      for (const each of old) await done(forgetAudit(each))
      return ports.listRows(after, max)()
    },
  }
  assert.equal((await inSteps(state, meanwhile)).findings, [])
  const [row] = [...state.audit.rows.keys()]
  state.audit.rows.delete(String(row))
  assert.equal((await inSteps(state, meanwhile)).findings, [{ fault: 'missing', row: 13, checkpoint: 4 }])
})

Verification.run()
