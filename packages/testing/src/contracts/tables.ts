// The promises that every table keeps whose rows have a key. A table is described once: how a row is made, written, read and
// removed, and when it is over.
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AuditRow } from '@clientele/domain/audit'
import type { InitialAccessToken, OperatorToken, TokenHash } from '@clientele/domain/authorization'
import { ClientId } from '@clientele/domain/client'
import { type EpochSeconds, epochSeconds, isJsonObject, maxDepth, secondsAfter } from '@clientele/domain/kernel'
import type { ForeignKey } from '@clientele/domain/keys'
import type { EndUserSession } from '@clientele/domain/logout'
import type { ClientAuthorization, StoragePorts, Tombstone } from '@clientele/domain/ports'
import type { Artefact, ArtefactKind, Consent } from '@clientele/domain/provider'
import { type KeyedRegistration, type RegisteredClient, suspendedClient } from '@clientele/domain/registration'
import { epochSecond, initialAccessToken, operatorToken, tokenHash } from '../arbitraries/credentials.js'
import { customData } from '../arbitraries/json-values.js'
import { anyClientId, largeClient, registeredClient, unapproved } from '../arbitraries/registration.js'
import { artefact, endUserSession, subject } from '../arbitraries/sessions.js'
import { httpsUri } from '../arbitraries/uris.js'
import { grant, prepareOwners } from './belongings.js'
import { contract, contracts, done, listed, numbers } from './contract.js'
import {
  addition,
  connectionsOf,
  exampleArtefact,
  exampleAuditRow,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleForeignKey,
  exampleHash,
  exampleOperatorToken,
  exampleSession,
  exampleSubject,
  exampleTime,
  exampleToken,
  importOf,
  noRow,
  registrationOf,
  removal,
  replacement,
  revokeExample,
  giveConsent,
  endOf,
} from '../examples.js'
import { propertyRuns } from '../property-runs.js'

type Table<Value> = {
  readonly name: string
  /** Rows of any values. */
  readonly any: fc.Arbitrary<Value>
  /** Keys that must not be taken for each other, and a row for each. */
  readonly keys: () => ReadonlyArray<string>
  readonly row: (key: string, nth: number) => Value
  readonly write: (ports: StoragePorts, row: Value, at: EpochSeconds) => TE.TaskEither<unknown, unknown>
  /** All ways to read the row. */
  readonly read: (ports: StoragePorts, row: Value) => Promise<ReadonlyArray<O.Option<Value>>>
  /** Whether the row was removed, where the port says so. */
  readonly remove?: (ports: StoragePorts, row: Value) => Promise<boolean | 'done'>
  /** The second from which on the row is over. That the port says so then is in the contracts about its lists. */
  readonly end?: (row: Value) => EpochSeconds
}

// At that time nothing is over.
const beforeAll = epochSeconds(0)

const assertRead = async <Value>(table: Table<Value>, ports: StoragePorts, row: Value, isThere: boolean) => {
  const ways = await table.read(ports, row)
  const expected = isThere ? O.some(row) : O.none
  assert.equal(
    ways,
    ways.map(() => expected),
  )
}

const keptByKey = <Value>(table: Table<Value>, prepare?: (ports: StoragePorts) => Promise<unknown>) =>
  contract(
    table.name,
    (it) => {
      const { any, keys, row, write, remove, end } = table

      it('any of them is read as it was written, every member of it, by either handle', async (ports) => {
        const roundTrip = fc.asyncProperty(any, async (each) => {
          if ((await table.read(ports, each)).some(O.isSome)) return
          await done(write(ports, each, beforeAll))
          for (const handle of [ports, ports.other]) await assertRead(table, handle, each, true)
          await remove?.(ports.other, each)
          if (remove !== undefined)
            for (const handle of [ports, ports.other]) await assertRead(table, handle, each, false)
        })
        await fc.assert(roundTrip, { numRuns: propertyRuns() })
      })

      it('any two are apart: letter case, names that all objects have, and odd ones', async (ports) => {
        const rows = keys().map(row)
        for (const each of rows) {
          await assertRead(table, ports.other, each, false)
          await done(write(ports, each, beforeAll))
        }
        for (const each of rows) await assertRead(table, ports.other, each, true)
        if (remove === undefined) return
        // Every second one is removed, and then the others.
        for (const turn of [0, 1]) {
          for (const each of rows.filter((_, nth) => nth % 2 === turn))
            for (const handle of [ports, ports.other])
              assert.ok([handle === ports, 'done'].includes(await remove(handle, each)), JSON.stringify(each))
          for (const [nth, each] of rows.entries()) await assertRead(table, ports, each, nth % 2 > turn)
        }
      })

      if (end !== undefined)
        it('it is kept until the second of its end', async (ports) => {
          const each = row('first', 1)
          await done(write(ports, each, exampleTime))
          await done(write(ports.other, row('second', 2), secondsAfter(end(each), -1)))
          await assertRead(table, ports, each, true)
        })
    },
    prepare,
  )

const namesOfObjects = ['__proto__', 'constructor', 'toString', 'tostring', 'hasOwnProperty']
const hashKeys = () => ['a', 'A', 'aB', 'Ab', 'x'.repeat(43), 'X'.repeat(43), ...namesOfObjects]
const printable = numbers(95).map((index) => String.fromCharCode(32 + index))
const subjectKeys = () => ['a', 'A', ' ', printable.join(''), 'x'.repeat(255), 'X'.repeat(255), ...namesOfObjects]
const textKeys = () => ['a', 'A', 'é', 'É', 'e\u0301', 'ﬀ', 'ff', 'ß', '"', "'", '🦊'.repeat(300), ...namesOfObjects]

const whether = <Failure, Value>(task: TE.TaskEither<Failure, Value>): Promise<boolean> => task().then(E.isRight)

const clients: Table<RegisteredClient> = {
  name: 'clients',
  any: fc.oneof(
    { weight: 3, arbitrary: registeredClient() },
    { weight: 1, arbitrary: largeClient() },
    registeredClient().map((client) => suspendedClient(exampleTime)({ ...client, waits_since: exampleTime })),
    fc.tuple(registeredClient(), unapproved()).map(([client, approval]) => ({ ...client, approval })),
    registeredClient().map((client) => ({ ...client, fingerprint: exampleHash('fingerprint') })),
    registeredClient().map((client) => ({
      ...client,
      preceding_token: { hash: exampleHash('preceding'), until: exampleTime },
    })),
    registeredClient().map((client) => ({
      ...client,
      secret_created_at: exampleTime,
      preceding_secret: {
        client_secret: 'the-secret-before',
        client_secret_expires_at: exampleTime,
        created_at: exampleTime,
        ends_at: exampleTime,
      },
    })),
  ),
  keys: () => [...new Set(fc.sample(anyClientId(), propertyRuns()))].slice(0, 40),
  row: (key, nth) => ({ ...exampleClient(`client-${nth}`), ...(ClientId.is(key) ? { client_id: key } : {}) }),
  write: ({ registry }, client) => registry.addClient(addition(client)),
  read: async ({ registry }, { client_id, registration_access_token: { hash } }) => [
    await done(registry.findClient(client_id)),
    await done(registry.findClientByToken(client_id, hash)),
    pipe((await done(registry.findClients([client_id])))[0], O.fromNullable, O.flatMap(O.fromEither)),
    O.fromNullable((await listed(registry)).find((each) => each.client_id === client_id)),
  ],
  remove: ({ registry }, { client_id }) => whether(registry.removeClient(removal(client_id))),
}

const imported: Table<RegisteredClient> = {
  ...clients,
  name: 'imported clients',
  write: ({ registry }, client) => registry.importClients([importOf(client)]),
}

// What a client was registered with does not change.
const replaced: Table<RegisteredClient> = {
  ...clients,
  name: 'replaced clients',
  write: ({ registry }, client) => {
    const { secret, registration_access_token, metadata } = exampleClient('before')
    const before = { ...client, secret, registration_access_token, metadata, version: client.version - 1 }
    return pipe(
      registry.addClient(addition(before)),
      TE.mapLeft((refusal): unknown => refusal),
      TE.flatMap(() => registry.replaceClient(replacement(client, before))),
    )
  },
}

const initialAccessTokens: Table<InitialAccessToken> = {
  name: 'initial access tokens',
  any: initialAccessToken(),
  keys: hashKeys,
  row: exampleToken,
  write: (ports, token, at) => ports.initialAccessTokens.addInitialAccessToken(token, at, noRow),
  read: async (ports, { hash }) => [await done(ports.initialAccessTokens.findInitialAccessToken(hash))],
  remove: (ports, { hash }) => done(ports.initialAccessTokens.removeInitialAccessToken(hash, noRow)),
  end: ({ expires_at }) => expires_at,
}

const operatorTokens: Table<OperatorToken> = {
  name: 'operator tokens',
  any: operatorToken(),
  keys: hashKeys,
  row: (key) => exampleOperatorToken(key),
  write: (ports, token, at) => ports.operatorTokens.addOperatorToken(token, at, noRow),
  read: async (ports, { hash }) => [await done(ports.operatorTokens.findOperatorToken(hash))],
  remove: (ports, { hash }) => done(ports.operatorTokens.removeOperatorToken(hash, noRow)),
  end: ({ expires_at }) => expires_at,
}

// Each is stored with a client of its own, and ends with it.
const keyedRegistrations: Table<KeyedRegistration> = {
  name: 'keyed registrations',
  any: fc
    .tuple(registeredClient(), tokenHash(), tokenHash(), epochSecond())
    .map(([client, key, request, expires_at]) => ({ ...registrationOf(client), key, request, expires_at })),
  keys: hashKeys,
  row: (key, nth) => ({
    ...registrationOf(exampleClient(`client-${nth}`)),
    key: exampleHash(key),
    request: exampleHash(`request-${key}`.slice(0, 43)),
    expires_at: secondsAfter(exampleTime, 60),
  }),
  write: ({ registry }, row, at) => {
    const registration_access_token = { token: 'a token', hash: row.key }
    const client = { ...exampleClient('keyed'), ...registrationOf(row), registration_access_token }
    return registry.addClient(addition({ ...client, client_id_issued_at: at }, { keyed: row }))
  },
  read: async ({ registry }, { key }) => [await done(registry.findKeyedRegistration(key))],
  remove: ({ registry }, { client_id }) => whether(registry.removeClient(removal(client_id))),
  end: ({ expires_at }) => expires_at,
}

const authorizations: Table<ClientAuthorization> = {
  name: 'authorizations',
  any: fc.record(
    {
      kind: fc.constantFrom<ClientAuthorization['kind']>('refresh_token', 'access_token', 'sticky_grant'),
      hash: tokenHash(),
      client_id: fc.constant(exampleClient('a').client_id),
      registration_id: fc.constant(exampleClient('a').registration_id),
      expires_at: fc.oneof(epochSecond(), fc.constant(epochSeconds(0))),
      details: customData().filter(isJsonObject(maxDepth)),
      session: fc.constantFrom('one', 'two "2"\\'),
      offline: fc.constant(true),
    },
    {
      requiredKeys: ['kind', 'hash', 'client_id', 'registration_id', 'expires_at', 'details'],
      noNullPrototype: true,
    },
  ),
  keys: hashKeys,
  row: (key) => exampleAuthorization(exampleClient('a'), key),
  write: (ports, row, at) => ports.authorizations.recordAuthorization(row, at),
  read: async (ports, { kind, hash }) => [await done(ports.authorizations.findAuthorization(kind, hash))],
  remove: (ports, { kind, hash }) =>
    done(ports.authorizations.revokeAuthorization(kind, hash)).then(() => 'done' as const),
  end: ({ expires_at }) => expires_at,
}

const artefacts = (kind: ArtefactKind): Table<Artefact> => ({
  name: `artefacts (${kind})`,
  any: artefact({ client: registrationOf(exampleClient('a')), grant: grant.hash, session: exampleSubject('one') }),
  keys: hashKeys,
  row: (key) => exampleArtefact(kind, key),
  write: (ports, row, at) => ports.artefacts.storeArtefact(row, at),
  read: async (ports, row) => [await done(ports.artefacts.findArtefact(row.kind, row.hash))],
  remove: (ports, row) => done(ports.artefacts.removeArtefact(row.kind, row.hash)).then(() => 'done' as const),
  end: ({ expires_at }) => expires_at,
})

const consentOf = ({ sub, client, scope, resources, shown, given_at }: Consent): Consent => ({
  sub,
  client,
  scope,
  resources,
  shown,
  given_at,
})

const consents: Table<Consent> = {
  name: 'consents',
  any: fc.record(
    {
      sub: subject(),
      client: fc.constantFrom('a', 'b').map((id) => registrationOf(exampleClient(id))),
      scope: fc.array(fc.string()),
      resources: fc.dictionary(httpsUri(), fc.array(fc.string()), { noNullPrototype: true }),
      shown: customData().filter(isJsonObject(maxDepth)),
      given_at: epochSecond(),
    },
    { noNullPrototype: true },
  ),
  keys: subjectKeys,
  row: (key) => exampleConsent(exampleClient('a'), key),
  write: (ports, row) => giveConsent(ports, row),
  read: async (ports, { sub, client }) => [
    await done(ports.consents.findConsent(sub, client)),
    pipe(
      (await done(connectionsOf(ports, sub))).find((each) => each.client.client_id === client.client_id),
      O.fromNullable,
      O.map(consentOf),
    ),
  ],
  remove: (ports, { sub, client }) => done(revokeExample(ports, { sub, client })),
}

type KeptSession = { readonly session: EndUserSession; readonly cookie: TokenHash }

const sessions: Table<KeptSession> = {
  name: 'sessions of end-users',
  any: fc.record({ session: endUserSession(['a', 'b', 'c']), cookie: tokenHash() }, { noNullPrototype: true }),
  keys: subjectKeys,
  row: (key, nth) => ({
    session: { ...exampleSession(key), sub: exampleSubject(key) },
    cookie: exampleHash(`${nth % 2 === 0 ? 'cookie' : 'COOKIE'}-${Math.floor(nth / 2)}`),
  }),
  write: (ports, { session, cookie }, at) => ports.endUserSessions.addSession(session, cookie, at, noRow),
  read: async (ports, { session, cookie }) => {
    const ofCookie = (found: EndUserSession) => ({ session: found, cookie })
    return [
      pipe(await done(ports.endUserSessions.findSession(cookie)), O.map(ofCookie)),
      pipe(await done(ports.endUserSessions.findSessionById(session.sid)), O.map(ofCookie)),
      pipe((await done(ports.endUserSessions.listSessions(session.sub)))[0], O.fromNullable, O.map(ofCookie)),
    ]
  },
  remove: (ports, { session }) => whether(ports.sessionTermination.endSession(endOf(session), noRow)),
  end: ({ session }) => secondsAfter(session.used_at, session.idle_lifetime),
}

const replacedSessions: Table<KeptSession> = {
  ...sessions,
  name: 'replaced sessions of end-users',
  write: (ports, { session, cookie }, at) => {
    const before = { ...exampleSession(session.sid, ['c', 'a']), version: session.version - 1 }
    return pipe(
      ports.endUserSessions.addSession(before, cookie, at, noRow),
      TE.mapLeft((refusal): unknown => refusal),
      TE.flatMap(() => ports.endUserSessions.replaceSession(replacement(session, before))),
    )
  },
}

const foreignKeys: Table<ForeignKey> = {
  name: 'keys of other signers',
  any: fc
    .tuple(fc.constantFrom(...textKeys()), fc.constantFrom('ES256', 'EdDSA'), epochSecond())
    .map(([kid, alg, publishedAt]) => ({ ...exampleForeignKey(kid), alg, publishedAt })),
  keys: textKeys,
  row: exampleForeignKey,
  write: (ports, key) => ports.foreignKeys.addForeignKeys([key], [], noRow),
  read: async (ports, { kid }) => [
    O.fromNullable((await done(ports.foreignKeys.readForeignKeys)).find((each) => each.kid === kid)),
  ],
  remove: (ports, { kid }) => done(ports.foreignKeys.removeForeignKey(kid, noRow)),
}

const tombstones: Table<Tombstone> = {
  name: 'tombstones of removed clients',
  any: fc.record({ id: tokenHash(), until: epochSecond() }, { noNullPrototype: true }),
  keys: hashKeys,
  row: (key) => ({ id: exampleHash(key), until: secondsAfter(exampleTime, 100) }),
  write: ({ registry }, tombstone) => {
    const client = exampleClient('buried')
    return pipe(
      registry.addClient(addition(client)),
      TE.mapLeft((refusal): unknown => refusal),
      TE.flatMap(() => registry.removeClient(removal(client.client_id, { tombstone }))),
    )
  },
  read: async ({ clientUses }, row) => [
    (await done(clientUses.isRemembered(row.id, secondsAfter(row.until, -1)))) ? O.some(row) : O.none,
  ],
  end: ({ until }) => until,
}

const auditRows: Table<AuditRow> = {
  name: 'rows of the audit log',
  any: fc.record(
    {
      at: epochSecond(),
      client_id: fc.option(anyClientId()),
      actor: fc.constantFrom('master', 'print-of-a'),
      actor_name: fc.option(fc.constantFrom('the laptop "of Zoë"', '🦊', 'master')),
      entry: customData().map((value) => JSON.stringify(value)),
      mac: tokenHash(),
    },
    { noNullPrototype: true },
  ),
  keys: hashKeys,
  row: (key) => ({ ...exampleAuditRow('one'), mac: exampleHash(key) }),
  write: ({ auditLog }, row) => auditLog.addAuditRow(row),
  read: async ({ auditLog }, { mac }) => {
    const found = (await done(auditLog.listAudit({ max: 1_000 }))).rows.find((each) => each.mac === mac)
    if (found === undefined) return [O.none]
    const { at, client_id, actor, actor_name, entry } = found
    return [O.some({ at: epochSeconds(1_000 * at), client_id, actor, actor_name, entry, mac })]
  },
}

/** What all tables keep. */
export const tablesContract = contracts(
  keptByKey(clients),
  keptByKey(imported),
  keptByKey(replaced),
  keptByKey(initialAccessTokens),
  keptByKey(operatorTokens),
  keptByKey(keyedRegistrations),
  keptByKey(authorizations, prepareOwners),
  keptByKey(artefacts('replay'), prepareOwners),
  keptByKey(artefacts('refresh_token'), prepareOwners),
  keptByKey(consents, prepareOwners),
  keptByKey(sessions, prepareOwners),
  keptByKey(replacedSessions, prepareOwners),
  keptByKey(foreignKeys),
  keptByKey(tombstones),
  keptByKey(auditRows),
)
