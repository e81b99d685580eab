// A store on an engine: all ports but those that the database itself has; its counts, and its budgets.
import { type Unavailable, EpochSeconds, draw, latestStored } from '@clientele/domain/kernel'
import { type Budgets, type Census, type Encryption, type Store, maxForgotten } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { createArtefacts } from './artefacts.js'
import { createAuditLog } from './audit-log.js'
import { createClientRegistry } from './client-registry.js'
import { createClientSearch } from './client-search.js'
import { createClientUses, createSecretUses } from './client-uses.js'
import { createConnections } from './connections.js'
import { createConsents } from './consents.js'
import { createClientAuthorizations } from './grants.js'
import { createForeignKeys, createKeyRings, createLeases } from './keys.js'
import { createPendingNotifications, createProviderEvents } from './notifications.js'
import { createSealAnew } from './seal-anew.js'
import { createRefusals } from './refusals.js'
import { createEndUserSessions, createSessionTermination } from './sessions.js'
import { change, replacement, select, statement, together } from './statement.js'
import { orNull } from './table.js'
import { createInitialAccessTokens, createOperatorTokens } from './tokens.js'
import { parkedMark, unapprovedIn } from './client-row.js'
import { type Engine, type Shared, readOn, verb } from './verb.js'

const clients = select(
  {
    ordinal: t.number,
    suspended_at: orNull(EpochSeconds),
    approval: orNull(t.string),
    used_at: orNull(EpochSeconds),
    unused_open: t.number,
  },
  'clients WHERE ordinal > :after ORDER BY ordinal LIMIT :max',
  { after: 'number', max: 'number' },
)

const upTo = (from: string): string => `(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT :max) AS counted)`
const countAll = (size: string): string => `
SELECT ${upTo('initial_access_tokens WHERE expires_at > :at')} AS tokens,
  ${upTo('end_user_sessions WHERE over_at > :at')} AS sessions,
  ${upTo('notifications WHERE failed = 0')} AS waiting,
  ${upTo('notifications WHERE failed = 1')} AS failed,
  (SELECT min(created_at) FROM notifications) AS oldest,
  ${size} AS size`
const counts = statement(
  {
    sqlite: countAll('(SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size())'),
    postgresql: countAll('pg_database_size(current_database())'),
  },
  { at: 'number', max: 'number' },
  t.type({
    tokens: t.number,
    sessions: t.number,
    waiting: t.number,
    failed: t.number,
    oldest: orNull(EpochSeconds),
    size: t.number,
  }),
)

/** What is counted for metrics, in steps and up to a maximum. `logSize`: the octets of the log, where that is a file beside the database. */
const createCensus = (engine: Engine, logSize?: TaskEither<Unavailable, number>): Census => ({
  countClients: (after, max) =>
    readOn(engine, async ({ all }) => {
      const rows = await all(clients, { after, max })
      const counted = rows.map(({ suspended_at, approval, used_at, unused_open }) => ({
        ...(suspended_at === null ? {} : { suspended_at }),
        ...unapprovedIn(approval),
        last_use: used_at ?? undefined,
        parked: unused_open === parkedMark,
      }))
      const last = rows.at(-1)
      return last === undefined || rows.length < max ? { clients: counted } : { clients: counted, next: last.ordinal }
    }),
  countOthers: (at, max) =>
    readOn(engine, async ({ get, done }) => {
      const counted = await get(counts, { at, max })
      if (counted === undefined) throw new Error('the counts of the store are missing')
      const { tokens, sessions, waiting, failed, oldest, size } = counted
      return {
        initialAccessTokens: tokens,
        endUserSessions: sessions,
        notifications: { waiting, failed },
        oldestNotification: oldest ?? undefined,
        size: { database: size, ...(logSize === undefined ? {} : { log: await done(logSize) }) },
      }
    }),
})

/** The source of the row of all sources. */
const everyone = ''

const selectBudgets = together(
  select(
    { source: t.string, whole_at: t.number },
    `budgets WHERE kind = :kind AND source IN ('${everyone}', :network, :source)`,
    { kind: 'text', network: 'text', source: 'text' },
  ),
)
// Each of the two is a range of the index.
const sources = `SELECT source FROM budgets WHERE kind = :kind AND source <> '${everyone}' AND`
const forget = change(
  `
DELETE FROM budgets WHERE kind = :kind AND source IN (
  SELECT source FROM (${sources} whole_at <= :now UNION ALL ${sources} whole_at > :latest) AS others
  LIMIT ${maxForgotten.budgets})`,
  { kind: 'text', now: 'number', latest: 'number' },
)
const store = replacement('budgets', { kind: 'text', source: 'text', whole_at: 'number' }, ['kind', 'source'])

/** What the draws of a transaction have left, by kind and source, and the kinds of which rows were forgotten. */
const left: Shared<{ readonly wholeAt: Map<string, number>; readonly forgotten: Set<string> }> = {
  make: () => ({ wholeAt: new Map(), forgotten: new Set() }),
}

/** The budgets of anonymous work: when that of a source, of its network and of all sources of a kind is whole again. */
const createBudgets = (engine: Engine): Budgets => ({
  drawFromBudget: ({ kind, source, network, limits, most }, now) =>
    engine.write(
      verb({ counts: [`budget ${kind}`] }, async (tx) => {
        const rows = await tx.all(selectBudgets, { kind, source, network })
        const { wholeAt, forgotten } = tx.share(left)
        const of = (name: string): number | undefined =>
          wholeAt.get(`${kind} ${name}`) ?? rows.find((row) => row.source === name)?.whole_at
        const drawn = draw(limits, { source: of(source), network: of(network), all: of(everyone) }, most, now)
        if (E.isLeft(drawn)) return drawn
        const next = drawn.right.wholeAt
        const written = [
          { kind, source: everyone, whole_at: next.all },
          { kind, source: network, whole_at: next.network },
          { kind, source, whole_at: next.source },
        ]
        for (const row of written) wholeAt.set(`${kind} ${row.source}`, row.whole_at)
        const forgets = !forgotten.has(kind)
        forgotten.add(kind)
        await Promise.all([
          forgets ? tx.run(forget, { kind, now, latest: latestStored(limits, now) }) : 0,
          ...written.map(async (row) => tx.run(store, row)),
        ])
        return E.right(drawn.right.units)
      }),
    ),
})

/** What not every database has. */
export type Particulars = {
  /** A clock for keys, in place of that of the database. */
  readonly now?: (() => EpochSeconds) | undefined
  /** The octets of a log beside the file. */
  readonly logBytes?: TaskEither<Unavailable, number>
}

export const storeOn = (
  engine: Engine,
  encryption: Encryption,
  digestKey: string,
  { now, logBytes }: Particulars = {},
): Omit<Store, 'check' | 'close' | 'instances'> => ({
  digestKey,
  artefacts: createArtefacts(engine, encryption),
  auditLog: createAuditLog(engine),
  budgets: createBudgets(engine),
  census: createCensus(engine, logBytes),
  authorizations: createClientAuthorizations(engine, encryption),
  registry: createClientRegistry(engine, encryption),
  clientSearch: createClientSearch(engine),
  clientUses: createClientUses(engine, encryption),
  connections: createConnections(engine, encryption),
  consents: createConsents(engine, encryption),
  endUserSessions: createEndUserSessions(engine, encryption),
  foreignKeys: createForeignKeys(engine, encryption),
  initialAccessTokens: createInitialAccessTokens(engine, encryption),
  keyRings: createKeyRings(engine, encryption, now),
  leases: createLeases(engine),
  operatorTokens: createOperatorTokens(engine, encryption),
  pendingNotifications: createPendingNotifications(engine),
  providerEvents: createProviderEvents(engine),
  refusals: createRefusals(engine),
  secretUses: createSecretUses(engine),
  sessionTermination: createSessionTermination(engine),
  ...createSealAnew(engine, encryption),
})
