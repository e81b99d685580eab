// The connections of consents: listed by pages, used, revoked, and kept aside until they are forgotten.
import { AuditActor } from '@clientele/domain/audit'
import { ClientId, RegistrationId } from '@clientele/domain/client'
import { EpochSeconds } from '@clientele/domain/kernel'
import { useTime } from '@clientele/domain/life-cycle'
import { Subject } from '@clientele/domain/logout'
import type {
  ConnectionRevocation,
  Connections,
  Encryption,
  FoundConnections,
  ListRange,
} from '@clientele/domain/ports'
import { type Connection, type ConnectionFilter, matchesConnection } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type Stored, belonging, consentIn, consents, namesOf, unreadable } from './consents.js'
import { type ParameterTypes, type Statement, change, exists, statement, together } from './statement.js'
import {
  type ReadRow,
  jsonBy,
  number,
  ofRegistration,
  orNull,
  readRow,
  readRows,
  table,
  text,
  unreadNumber,
  unreadableRow,
} from './table.js'
import { type Engine, type Tx, readOn, selectOrdinal, verb } from './verb.js'

const Revocation = t.type({ revoked_at: EpochSeconds, revoked_by: t.string })

const revocationIn = ({ revoked_at, revoked_by }: t.TypeOf<typeof Revocation>) =>
  pipe(
    jsonBy(AuditActor)(revoked_by),
    O.map((by) => ({ at: revoked_at, by })),
  )

/** Revoked ones, with the sealed text that the consent had. */
export const revokedConnections = table({
  name: 'revoked_connections',
  columns: {
    ordinal: number(t.number),
    client: unreadNumber,
    sub: text(Subject),
    given_at: number(EpochSeconds),
    since: number(EpochSeconds),
    used_at: number(orNull(EpochSeconds)),
    revoked_at: number(EpochSeconds),
    revoked_by: text(t.string),
    sealed: text(t.string),
  },
  key: ['client', 'sub'],
  joins: ofRegistration('revoked_connections.client'),
  sealed: 'sealed',
  proves: (row) => consents.context(row),
  value: (row, opened): O.Option<Stored> =>
    pipe(
      O.Do,
      O.bind('consent', () => consentIn(row, opened)),
      O.bind('revoked', () => revocationIn(row)),
      O.map((read) => ({ ...read, since: row.since, last_use: row.used_at ?? undefined })),
    ),
  unreadable,
})

// A use is written at the first of a UTC day.
const updateUsed = together(
  change(
    `UPDATE consents SET used_at = :day WHERE client = :client AND sub = :sub AND (used_at IS NULL OR used_at < :day)`,
    { ...belonging, day: 'number' },
  ),
)

/** The connection counts as used from now on. The verb relies on its consent. */
export const useConnection = async (tx: Tx, client: number, sub: string, at: EpochSeconds): Promise<void> => {
  await tx.run(updateUsed, { client, sub, day: useTime(at) })
}

// Connections, by pages.

const tokensOf = (kind: string): string => `
(SELECT count(*) FROM artefacts WHERE artefacts.client = consents.client AND artefacts.sub = consents.sub
  AND artefacts.kind = '${kind}' AND artefacts.consumed_at IS NULL AND artefacts.expires_at > :at)`
const counted = [
  'consents.ordinal',
  `${tokensOf('access_token')} AS access_tokens`,
  `${tokensOf('refresh_token')} AS refresh_tokens`,
]
const countedRevoked = ['0 AS access_tokens', '0 AS refresh_tokens']

const Counted = t.type({ ordinal: t.number, access_tokens: t.number, refresh_tokens: t.number })

const at = { at: 'number' } as const
const page = { after: 'number', until: 'number', max: 'number', used_since: 'number', idle_since: 'number' } as const

// A first choice: `matchesConnection` decides. One text for each way to a page, so that each has its index.
const pageOf = (name: string, way: string): string => `${way} ${name}.ordinal > :after AND ${name}.ordinal <= :until
  AND (:used_since IS NULL OR ${name}.used_at >= :used_since)
  AND (:idle_since IS NULL OR ${name}.used_at IS NULL OR ${name}.used_at < :idle_since)
ORDER BY ${name}.ordinal LIMIT :max`
const isOfClient = (name: string): string =>
  `${name}.client = (SELECT ordinal FROM clients WHERE client_id = :client_id) AND`
const isOfSub = (name: string): string => `${name}.sub = :sub AND`

type Pages = Readonly<Record<'all' | 'ofClient' | 'ofSub' | 'ofBoth', Statement>>

const clientId = { client_id: 'text' } as const
const user = { sub: 'text' } as const

const pagesOf = (name: string, select: (where: string, types: ParameterTypes) => Statement): Pages => ({
  all: select(pageOf(name, ''), page),
  ofClient: select(pageOf(name, isOfClient(name)), { ...page, ...clientId }),
  ofSub: select(pageOf(name, isOfSub(name)), { ...page, ...user }),
  ofBoth: select(pageOf(name, `${isOfClient(name)} ${isOfSub(name)}`), { ...page, ...clientId, ...user }),
})

const live = pagesOf('consents', (where, types) => consents.select(where, { ...types, ...at }, counted))
const revoked = pagesOf('revoked_connections', (where, types) =>
  revokedConnections.select(where, types, countedRevoked),
)

const pageBy = (pages: Pages, { client_id, sub }: ConnectionFilter): Statement => {
  if (sub === undefined) return client_id === undefined ? pages.all : pages.ofClient
  return client_id === undefined ? pages.ofSub : pages.ofBoth
}

const byPosition = { position: 'number' } as const
const oneLive = consents.select('consents.ordinal = :position', { ...byPosition, ...at }, counted)
const oneRevoked = revokedConnections.select('revoked_connections.ordinal = :position', byPosition, countedRevoked)
const lastOrdinal = statement('SELECT coalesce(max(ordinal), 0) AS last FROM consents', {}, t.type({ last: t.number }))

/** The connections of one step that are judged here, because their scope is sealed: some milliseconds. */
const judgedTogether = 500
/** The ordinals of one step in which unused connections are looked for. */
const lookedAtTogether = 20_000
const lastOfAll = Number.MAX_SAFE_INTEGER

const moreAfter = { after: 'number', until: 'number' } as const
const isMoreOf = (name: string) => exists(`${name} WHERE ordinal > :after AND ordinal <= :until LIMIT 1`, moreAfter)

const places = {
  live: { pages: live, more: isMoreOf('consents') },
  revoked: { pages: revoked, more: isMoreOf('revoked_connections') },
}

/** The statement and its values for a step of a search, which ends at `last`. */
const stepOf = (filter: ConnectionFilter, now: EpochSeconds, { after, until = lastOfAll, limit }: ListRange) => {
  const { client_id = null, sub = null, scope, resource, used_since, idle_since, state = 'live' } = filter
  const isJudged = scope !== undefined || resource !== undefined
  const isLookedFor = used_since !== undefined || idle_since !== undefined
  const max = isJudged ? Math.max(limit, judgedTogether) : limit
  const last = isLookedFor ? Math.min(until, after + lookedAtTogether) : until
  const times = {
    used_since: used_since === undefined ? null : useTime(used_since),
    idle_since: idle_since === undefined ? null : useTime(idle_since),
  }
  const { pages, more } = places[state]
  const values = { at: now, after, until: last, max, client_id, sub, ...times }
  return { state, page: pageBy(pages, filter), values, more, max, last, until }
}

const withNext = (connections: ReadonlyArray<Connection>, next: number | undefined): FoundConnections =>
  next === undefined ? { connections } : { connections, next }

const keptColumns = ['ordinal', 'client', 'sub', 'given_at', 'since', 'used_at', 'revoked_at', 'revoked_by', 'sealed']
const byConnection = { ...belonging, position: 'number' } as const
const isConnection = 'consents.client = :client AND consents.sub = :sub AND consents.ordinal = :position'
const keepRevoked = change(
  `
INSERT INTO revoked_connections (${keptColumns.join(', ')})
SELECT ordinal, client, sub, given_at, coalesce(since, given_at), used_at, :at, :by, sealed FROM consents
WHERE ${isConnection}
ON CONFLICT (client, sub) DO UPDATE SET ${keptColumns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  { ...byConnection, at: 'number', by: 'text' },
)
const deleteConsent = change(`DELETE FROM consents WHERE ${isConnection}`, byConnection)
const deleteArtefacts = change('DELETE FROM artefacts WHERE client = :client AND sub = :sub', belonging)
const forgetOld = change(
  `
DELETE FROM revoked_connections WHERE ordinal IN
  (SELECT ordinal FROM revoked_connections WHERE revoked_at <= :until ORDER BY revoked_at, ordinal LIMIT :max)`,
  { until: 'number', max: 'number' },
)

const revoke = ({ connection, revoked, audit }: ConnectionRevocation) => {
  const { position, sub, client: registration } = connection
  return verb(namesOf(sub, registration), async (tx) => {
    const client = (await tx.get(selectOrdinal, registration))?.ordinal
    if (client === undefined) return E.right(false)
    const kept = { client, sub, position, at: revoked.at, by: JSON.stringify(revoked.by) }
    if ((await tx.run(keepRevoked, kept)) === 0) return E.right(false)
    await tx.run(deleteConsent, kept)
    await tx.run(deleteArtefacts, { client, sub })
    await tx.note(audit)
    return E.right(true)
  })
}

// What an operator needs to revoke a connection whose sealed text cannot be read, and to see that it was revoked.
const Bare = t.type({
  client_id: ClientId,
  registration_id: RegistrationId,
  sub: Subject,
  given_at: EpochSeconds,
  since: orNull(EpochSeconds),
})

const bare = ({ client_id, registration_id, sub, given_at, since }: t.TypeOf<typeof Bare>): Stored => ({
  consent: { client: { client_id, registration_id }, sub, given_at, scope: [], resources: {}, shown: {} },
  since: since ?? given_at,
  last_use: undefined,
})

const bareIn = (row: unknown): O.Option<Stored> => {
  if (!Bare.is(row)) return O.none
  return Revocation.is(row)
    ? pipe(
        revocationIn(row),
        O.map((revoked) => ({ ...bare(row), revoked })),
      )
    : O.some(bare(row))
}

const orBare =
  (read: ReadRow<Stored>): ReadRow<Stored> =>
  (row) =>
    pipe(
      read(row),
      TE.orElse((failure): ReturnType<ReadRow<Stored>> =>
        failure.error === 'unreadable_row' ? TE.fromOption(() => failure)(bareIn(row)) : TE.left(failure),
      ),
    )

const connectionReading =
  (read: ReadRow<Stored>): ReadRow<Connection> =>
  (row) =>
    Counted.is(row)
      ? pipe(
          read(row),
          TE.map(({ consent, ...stored }) => ({
            ...consent,
            ...stored,
            position: row.ordinal,
            access_tokens: row.access_tokens,
            refresh_tokens: row.refresh_tokens,
          })),
        )
      : TE.left(unreadableRow('a connection of an end-user cannot be read: ordinal, access_tokens, refresh_tokens'))

export const createConnections = (engine: Engine, encryption: Encryption): Connections => {
  const readings = {
    live: connectionReading(orBare(consents.reading(encryption))),
    revoked: connectionReading(orBare(revokedConnections.reading(encryption))),
  }
  return {
    searchConnections: (filter, now, range) =>
      readOn(engine, async ({ get, done }) => {
        const { state, page, values, more, max, last, until } = stepOf(filter, now, range)
        const found = await done(readRows(readings[state])(engine.all(page, values)))
        const connections = found.filter(matchesConnection(filter)).slice(0, range.limit)
        if (connections.length === range.limit) return withNext(connections, connections.at(-1)?.position)
        if (found.length === max) return withNext(connections, found.at(-1)?.position)
        const isMore = last < until && (await get(more, { after: last, until })) !== undefined
        return withNext(connections, isMore ? last : undefined)
      }),
    findConnection: (position, now) =>
      readOn(engine, async ({ done }) => {
        const found = await done(readRow(readings.live)(engine.get(oneLive, { position, at: now })))
        return O.isSome(found) ? found : done(readRow(readings.revoked)(engine.get(oneRevoked, { position })))
      }),
    lastConnection: readOn(engine, async ({ get }) => (await get(lastOrdinal, {}))?.last ?? 0),
    revokeConnection: (revocation) => engine.write(revoke(revocation)),
    forgetConnections: (until, max) =>
      engine.write(
        verb({ changes: ['revoked connections'] }, async (tx) => E.right(await tx.run(forgetOld, { until, max }))),
      ),
  }
}
