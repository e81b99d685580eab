// Every change that succeeds once: of several at once, by two handles, one succeeds, and the others are refused as they are
// later. A change and its row in the audit log are both stored, or neither.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AuditRow } from '@clientele/domain/audit'
import { clientIdTaken, registryFull, secondsAfter, unknownClient } from '@clientele/domain/kernel'
import type { KeyRing } from '@clientele/domain/keys'
import { usedSession } from '@clientele/domain/logout'
import {
  type ClientImport,
  type StoragePorts,
  clientChanged,
  initialAccessTokenConsumed,
  keyRingChanged,
  noLimits,
  registeredBefore,
  requestedBefore,
  sessionChanged,
} from '@clientele/domain/ports'
import { alreadyConsumed } from '@clientele/domain/provider'
import type { RegisteredClient } from '@clientele/domain/registration'
import { contract, done, numbers, race, refused } from './contract.js'
import {
  type RegisteredWith,
  addClient,
  register,
  replaceRings,
  beginSession,
  issueToken,
  storeArtefact,
} from './steps.js'
import {
  exampleArtefact,
  exampleAuditRow,
  exampleClient,
  exampleConsent,
  exampleForeignKey,
  exampleHash,
  exampleKeyRing,
  exampleNotification,
  exampleOperatorToken,
  exampleParking,
  exampleRemoval,
  exampleSession,
  exampleTime,
  useOf,
  exampleToken,
  noRow,
  registrationOf,
  removal,
  revokeExample,
  updatedExample,
  giveConsent,
  endOf,
  openExample,
} from '../examples.js'

type Change = {
  readonly name: string
  readonly prepare?: (ports: StoragePorts) => Promise<unknown>
  readonly make: (ports: StoragePorts, row: AuditRow, nth: number) => TE.TaskEither<unknown, unknown>
  /** What the others are told: an error, or that there was nothing to change. */
  readonly refusal: string | false | 0
  /** Whether what the nth made is stored. */
  readonly isStored?: (ports: StoragePorts, nth: number) => Promise<boolean>
  /** The change has no row in the audit log. */
  readonly unaudited?: true
}

const a = exampleClient('a')
const unused = openExample('a')
const token = exampleToken('one')
const operatorToken = exampleOperatorToken('one')
const session = exampleSession('one', ['a'])
const ring = exampleKeyRing()
const foreign = exampleForeignKey('f')
const artefact = exampleArtefact('refresh_token', 'one')
const issued = (nth: number) => exampleArtefact('access_token', `nth-${nth}`)
const mark = exampleArtefact('replay', 'mark')

const registerIt = (ports: StoragePorts) => register(ports, a)
const issue = (ports: StoragePorts) => issueToken(ports, token)
const park = async (ports: StoragePorts): Promise<void> => {
  await register(ports, unused)
  await done(ports.clientUses.parkUnused(exampleParking(exampleTime), 1))
}
const removeParked = ({ clientUses }: StoragePorts, row?: AuditRow) => {
  const tombstone = { id: exampleHash('tombstone'), until: exampleTime }
  return clientUses.removeParked(unused, exampleRemoval(exampleTime), tombstone, exampleTime, row)
}
const signIn = async (ports: StoragePorts): Promise<void> => {
  await register(ports, a)
  await done(beginSession(ports, session))
}
const storeIt = (ports: StoragePorts) => storeArtefact(ports, artefact)

const nthClient = (nth: number): RegisteredClient => openExample(`nth-${nth}`)
const findNth = async ({ registry }: StoragePorts, { client_id, registration_id }: RegisteredClient) =>
  O.toUndefined(await done(registry.findClient(client_id)))?.registration_id === registration_id

/** Registrations that have something in common. */
const registrations = (
  name: string,
  refusal: { readonly error: string },
  common: RegisteredWith,
  clientOf = nthClient,
): Change => ({
  name: `a registration ${name}`,
  refusal: refusal.error,
  prepare: issue,
  make: (ports, audit, nth) => addClient(ports, clientOf(nth), { ...common, audit }),
  isStored: (ports, nth) => findNth(ports, clientOf(nth)),
})

const importOne = ({ registry }: StoragePorts, each: ClientImport): TE.TaskEither<unknown, void> =>
  pipe(
    registry.importClients([each]),
    TE.mapLeft((refusal): unknown => refusal),
    TE.flatMapEither(([outcome]): E.Either<unknown, void> => outcome ?? E.left('no outcome')),
  )

const limited = { ...noLimits, clients: 1_000 }

const ofClients: ReadonlyArray<Change> = [
  registrations('by one id', clientIdTaken, {}, (nth) => exampleClient('same', `life-${nth}`)),
  registrations('with one initial access token', initialAccessTokenConsumed, { token: 'one' }),
  registrations('with one fingerprint', registeredBefore, { print: 'print' }),
  registrations('with one fingerprint, within a limit', registeredBefore, { print: 'print', limits: limited }),
  registrations('with one key', requestedBefore, { key: 'key' }),
  registrations('with one key, within a limit', requestedBefore, { key: 'key', limits: limited }),
  registrations('within a limit of one client', registryFull, { limits: { ...noLimits, clients: 1 } }),
  registrations('within a limit of one unused client', registryFull, { limits: { ...noLimits, unusedOpenClients: 1 } }),
  {
    name: 'an import of a new client',
    make: (ports, audit, nth) =>
      importOne(ports, { client: exampleClient('same', `life-${nth}`), replacing: undefined, audit }),
    refusal: clientIdTaken.error,
    isStored: (ports, nth) => findNth(ports, exampleClient('same', `life-${nth}`)),
  },
  {
    name: 'an import that replaces a client',
    prepare: registerIt,
    make: (ports, audit) => importOne(ports, { client: updatedExample(a), replacing: a, audit }),
    refusal: clientChanged.error,
  },
  {
    name: 'a replacement of a client',
    prepare: registerIt,
    make: ({ registry }, row, nth) =>
      registry.replaceClient({ next: updatedExample(a, `name-${nth}`), replacing: a, audit: row }),
    refusal: clientChanged.error,
    isStored: async ({ registry }, nth) =>
      O.toUndefined(await done(registry.findClient(a.client_id)))?.metadata.client_name === `name-${nth}`,
  },
  {
    name: 'a removal of a client',
    prepare: registerIt,
    make: ({ registry }, row) => registry.removeClient(removal(a.client_id, { audit: row })),
    refusal: unknownClient.error,
  },
  { name: 'a removal of an unused client', prepare: park, make: removeParked, refusal: false },
  {
    name: 'a revocation of a connection',
    prepare: async (ports) => {
      await register(ports, a)
      await done(giveConsent(ports, exampleConsent(a)))
    },
    make: (ports, row) => revokeExample(ports, exampleConsent(a), row),
    refusal: false,
  },
  {
    name: 'a restoration',
    prepare: async (ports) => {
      await park(ports)
      await done(removeParked(ports))
    },
    make: ({ clientUses }, row) => {
      const restoring = { since: secondsAfter(exampleTime, -1), at: exampleTime, tombstone: undefined }
      return clientUses.restoreRemoved(a.client_id, restoring, row)
    },
    refusal: unknownClient.error,
  },
  {
    name: 'a revocation of an initial access token',
    prepare: issue,
    make: (ports, row) => ports.initialAccessTokens.removeInitialAccessToken(token.hash, row),
    refusal: false,
  },
  {
    name: 'a revocation of an operator token',
    prepare: (ports) => done(ports.operatorTokens.addOperatorToken(operatorToken, exampleTime, noRow)),
    make: (ports, row) => ports.operatorTokens.removeOperatorToken(operatorToken.hash, row),
    refusal: false,
  },
  {
    name: 'an operator token in place of another one',
    prepare: (ports) => done(ports.operatorTokens.addOperatorToken(operatorToken, exampleTime, noRow)),
    make: (ports, row, nth) =>
      ports.operatorTokens.addOperatorToken(exampleOperatorToken(`${nth}`), exampleTime, row, operatorToken.hash),
    refusal: false,
    isStored: async ({ operatorTokens }, nth) =>
      O.isSome(await done(operatorTokens.findOperatorToken(exampleOperatorToken(`${nth}`).hash))),
  },
]

const replaceRing = ({ keyRings }: StoragePorts, next: KeyRing, replacing: O.Option<KeyRing>, row: AuditRow) =>
  pipe(
    keyRings.readStoreTime,
    TE.flatMap((now) => keyRings.replaceKeyRings([{ next, replacing }], now, row)),
  )
const forgets = async ({ keyRings }: StoragePorts, nth: number): Promise<boolean> =>
  (await done(keyRings.readKeyRings)).some(({ forgotten }) => forgotten.includes(`${nth}`))

const ofOthers: ReadonlyArray<Change> = [
  {
    name: 'a first key ring',
    make: (ports, row, nth) => replaceRing(ports, { ...ring, forgotten: [`${nth}`] }, O.none, row),
    refusal: keyRingChanged.error,
    isStored: forgets,
  },
  {
    name: 'a replacement of a key ring',
    prepare: ({ keyRings }) => done(replaceRings(keyRings)([{ next: ring, replacing: O.none }])),
    make: (ports, row, nth) => replaceRing(ports, { ...ring, version: 2, forgotten: [`${nth}`] }, O.some(ring), row),
    refusal: keyRingChanged.error,
    isStored: forgets,
  },
  {
    name: 'an addition of a key of another signer',
    make: ({ foreignKeys }, row) => foreignKeys.addForeignKeys([foreign], [], row),
    refusal: keyRingChanged.error,
  },
  {
    name: 'a removal of a key of another signer',
    prepare: ({ foreignKeys }) => done(foreignKeys.addForeignKeys([foreign], [], noRow)),
    make: ({ foreignKeys }, row) => foreignKeys.removeForeignKey('f', row),
    refusal: false,
  },
  {
    name: 'a session with one cookie',
    make: (ports, row, nth) =>
      ports.endUserSessions.addSession(exampleSession(`nth-${nth}`), exampleHash('cookie'), exampleTime, row),
    refusal: 'unavailable',
    isStored: async ({ endUserSessions }, nth) => O.isSome(await done(endUserSessions.findSessionById(`nth-${nth}`))),
  },
  {
    name: 'a use of a session',
    prepare: signIn,
    make: ({ endUserSessions }, row, nth) =>
      endUserSessions.replaceSession({
        next: usedSession(secondsAfter(exampleTime, nth))(session),
        replacing: session,
        audit: row,
      }),
    refusal: sessionChanged.error,
    isStored: async ({ endUserSessions }, nth) =>
      O.toUndefined(await done(endUserSessions.findSessionById('one')))?.used_at === secondsAfter(exampleTime, nth),
  },
  {
    name: 'an end of a session',
    prepare: signIn,
    make: ({ sessionTermination }, row, nth) =>
      sessionTermination.endSession(endOf(session, { notifications: [exampleNotification(`by ${nth}`, 'a')] }), row),
    refusal: sessionChanged.error,
    isStored: async ({ pendingNotifications }, nth) =>
      (await done(pendingNotifications.listNotifications(100))).some(({ id }) => id === `by ${nth}`),
  },
  {
    name: 'a retry of a notification',
    prepare: async (ports) => {
      const { pendingNotifications } = ports
      await signIn(ports)
      const notifications = [exampleNotification('owed', 'a')]
      await done(ports.sessionTermination.endSession(endOf(session, { notifications }), noRow))
      const claim = { holder: 'one', until: secondsAfter(exampleTime, 9) }
      await done(pendingNotifications.claimDue(exampleTime, claim, 100))
      const failed = { id: 'owed', kind: 'failed', attempts: 9, due_at: exampleTime, note: '' } as const
      await done(pendingNotifications.recordTries('one', [failed]))
    },
    make: (ports, row) => ports.pendingNotifications.retryNotifications(O.none, exampleTime, row),
    refusal: 0,
  },
  {
    name: 'a use of an artefact',
    prepare: storeIt,
    make: ({ artefacts }, _, nth) => artefacts.useArtefact(useOf(artefact, secondsAfter(exampleTime, nth))),
    refusal: alreadyConsumed.error,
    isStored: async ({ artefacts }, nth) =>
      O.toUndefined(await done(artefacts.findArtefact(artefact.kind, artefact.hash)))?.consumed_at ===
      secondsAfter(exampleTime, nth),
    unaudited: true,
  },
  {
    name: 'a token that is issued for another one',
    prepare: storeIt,
    make: ({ artefacts }, _, nth) => artefacts.storeArtefact(issued(nth), exampleTime, useOf(artefact)),
    refusal: alreadyConsumed.error,
    isStored: async ({ artefacts }, nth) =>
      O.isSome(await done(artefacts.findArtefact('access_token', issued(nth).hash))),
    unaudited: true,
  },
  {
    name: 'an artefact that is used as it is stored',
    make: ({ artefacts }) => artefacts.storeArtefact(mark, exampleTime, useOf(mark)),
    refusal: alreadyConsumed.error,
    unaudited: true,
  },
  {
    name: 'a lease',
    make: ({ leases }, _, nth) =>
      leases.acquireLease({ name: 'keys', holder: `${nth}`, until: secondsAfter(exampleTime, 10) }, exampleTime),
    refusal: false,
    unaudited: true,
  },
  {
    name: 'a checkpoint of the audit log',
    make: ({ auditLog }, _, nth) =>
      auditLog.addCheckpoint({ number: 1, at: exampleTime, lowest: 0, highest: 0, jws: `jws-${nth}` }),
    refusal: false,
    isStored: async ({ auditLog }, nth) => O.toUndefined(await done(auditLog.lastCheckpoint))?.jws === `jws-${nth}`,
    unaudited: true,
  },
]

const rowOf = (nth: number): AuditRow => exampleAuditRow(`${nth}`)

/** What the caller is told: the error of a refusal, or what there was to change. */
const toldBy = (outcome: E.Either<unknown, unknown>): unknown => {
  if (E.isRight(outcome)) return outcome.right
  return typeof outcome.left === 'object' && outcome.left !== null && 'error' in outcome.left
    ? outcome.left.error
    : outcome.left
}

/** The promises of all ports about changes at the same time, and about their audit rows. */
export const changesContract = contract('Changes that succeed once', (it) => {
  for (const { name, prepare, make, refusal, isStored, unaudited } of [...ofClients, ...ofOthers])
    it(`${name}: of 20 at once, by two handles, one succeeds, and has its audit row`, async (ports) => {
      await prepare?.(ports)
      const outcomes = await race(ports, numbers(20), (handle, nth) => make(handle, rowOf(nth), nth))
      const told = [...outcomes, await make(ports.other, rowOf(20), 20)()].map(toldBy)
      const winners = numbers(21).filter((nth) => told[nth] !== refusal)
      assert.is(winners.length, 1, `${winners.length} were told another thing than ${refusal}`)
      const stored = isStored && (await Promise.all(numbers(21).map((nth) => isStored(ports.other, nth))))
      for (const nth of stored === undefined ? [] : numbers(21)) assert.is(stored?.[nth], winners.includes(nth))
      for (const { auditLog } of [ports, ports.other]) {
        const { rows } = await done(auditLog.listAudit({ max: 100 }))
        const expected = unaudited ? [] : winners.map((nth) => rowOf(nth).mac)
        assert.equal(
          rows.map(({ mac }) => mac),
          expected,
        )
      }
    })

  it('tokens that are issued have their rows, and one that is refused has none', async (ports) => {
    const owned = { ...token, owner: registrationOf(a) }
    await refused(ports.initialAccessTokens.addInitialAccessToken(owned, exampleTime, rowOf(0)))
    await done(ports.initialAccessTokens.addInitialAccessToken(token, exampleTime, rowOf(1)))
    await done(ports.operatorTokens.addOperatorToken(operatorToken, exampleTime, rowOf(2)))
    const { rows } = await done(ports.other.auditLog.listAudit({ max: 100 }))
    assert.equal(
      rows.map(({ mac }) => mac),
      [rowOf(2).mac, rowOf(1).mac],
    )
  })

  it('of many registrations at once by two handles, each has one row', async (ports) => {
    await race(ports, numbers(60), (handle, nth) => addClient(handle, nthClient(nth), { audit: rowOf(nth) }))
    const { rows } = await done(ports.auditLog.listAudit({ max: 1000 }))
    assert.equal(
      rows.map(({ mac }) => mac).sort(),
      numbers(60)
        .map((nth) => rowOf(nth).mac)
        .sort(),
    )
    assert.is(new Set(rows.map(({ ordinal }) => ordinal)).size, 60)
  })
})
