// What the store has. Each port changes it in steps, one after the other; several stores may share one state.
import type { AuditRow, StoredAuditRow, StoredCheckpoint } from '@clientele/domain/audit'
import type { InitialAccessToken, OperatorToken, TokenHash } from '@clientele/domain/authorization'
import type { BudgetKind, EpochSeconds } from '@clientele/domain/kernel'
import type { ForeignKey, KeyRing } from '@clientele/domain/keys'
import type { DueParking } from '@clientele/domain/life-cycle'
import type { EndUserSession, PendingNotification, Subject } from '@clientele/domain/logout'
import type { ObservedRefusals } from '@clientele/domain/managing'
import {
  type ClientAuthorization,
  type EndingConfirmation,
  type Lease,
  type NotificationClaim,
  type ProviderEvent,
  type StoredProviderEvent,
  type Tombstone,
  minStoredEvents,
} from '@clientele/domain/ports'
import type { Connection, Consent, StoredArtefact } from '@clientele/domain/provider'
import type { KeyedRegistration, RegisteredClient, Registration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'

type IndexedValues<Row> = (row: Row) => ReadonlyArray<string | undefined>

/**
 * Rows by their key, which other values find as well: each index says by which values it finds a row. Rows are replaced,
 * never changed, and every replacement and removal keeps the indexes.
 */
export class Rows<Row, Index extends string> extends Map<string, Row> {
  readonly indexes: Readonly<Record<Index, IndexedValues<Row>>>
  /** The rows by an index and a value. */
  readonly found = new Map<string, Map<string, Row>>()

  constructor(indexes: Readonly<Record<Index, IndexedValues<Row>>>) {
    super()
    this.indexes = indexes
  }

  where(index: Index, value: string | number): ReadonlyMap<string, Row> {
    return this.found.get(`${index} ${value}`) ?? new Map<string, Row>()
  }

  deleteWhere(index: Index, value: string | number): void {
    for (const key of [...this.where(index, value).keys()]) this.delete(key)
  }

  override set(key: string, row: Row): this {
    const places = this.#placesOf(row)
    this.#leave(key, places)
    for (const place of places) this.found.set(place, (this.found.get(place) ?? new Map<string, Row>()).set(key, row))
    return super.set(key, row)
  }

  override delete(key: string): boolean {
    this.#leave(key)
    return super.delete(key)
  }

  override clear(): void {
    this.found.clear()
    super.clear()
  }

  #placesOf(row: Row): ReadonlyArray<string> {
    return Object.entries<IndexedValues<Row>>(this.indexes).flatMap(([index, valuesOf]) =>
      valuesOf(row).flatMap((value) => (value === undefined ? [] : [`${index} ${value}`])),
    )
  }

  // Where it remains, it keeps its place among the others.
  #leave(key: string, remaining: ReadonlyArray<string> = []): void {
    const row = this.get(key)
    for (const place of row === undefined ? [] : this.#placesOf(row)) {
      const rows = this.found.get(place)
      if (rows === undefined || remaining.includes(place)) continue
      rows.delete(key)
      if (rows.size === 0) this.found.delete(place)
    }
  }
}

/** The use of a client, and its place in the order of registration. */
export type Use = {
  readonly position: number
  /** Of an open client that is unused and not parked. */
  readonly unused?: { readonly fingerprint: TokenHash | undefined } | undefined
  /** Of an open client that is unused and parked: since when, and the days of its notice. */
  readonly parked?: Pick<DueParking, 'at' | 'notice'> | undefined
  /** Of a client without an approval, whose removal is announced: since when, and the days of its notice. */
  readonly announced?: Pick<DueParking, 'at' | 'notice'> | undefined
  /** The UTC day of the last use. */
  readonly last_use?: EpochSeconds
}

type KeptAside = { readonly client: RegisteredClient; readonly removed_at: EpochSeconds; readonly position: number }

export type StoredSession = { readonly cookie: TokenHash; readonly session: EndUserSession }

type StoredNotification = { readonly entry: PendingNotification; readonly claim?: NotificationClaim }

/** An artefact, and the time from which on it may be removed: its expiry, or that of what names it. */
export type StoredGrantPart = { readonly artefact: StoredArtefact; readonly removable_from: EpochSeconds }

/** A connection without what is counted, and its consent as it was given. */
export type StoredConnection = Pick<Connection, 'position' | 'since' | 'last_use' | 'revoked'> & {
  readonly consent: Consent
}

const byRegistration = ({ registration_id }: { readonly registration_id: string }) => [registration_id]

export const consentKey = (sub: Subject, { registration_id }: Registration): string => `${registration_id} ${sub}`

const newState = () => ({
  /** The last position of a client, of a removed one and of a connection, and the last ordinal of an audit row. */
  last: { client: 0, removed: 0, auditRow: 0, connection: 0 },
  /** In the order of registration. */
  clients: new Rows<RegisteredClient, 'token'>({
    token: ({ registration_access_token, preceding_token }) => [registration_access_token.hash, preceding_token?.hash],
  }),
  uses: new Rows<Use, 'waiting' | 'fingerprint'>({
    waiting: ({ unused, parked }) => [unused && 'unused', parked && 'parked'],
    fingerprint: ({ unused }) => [unused?.fingerprint],
  }),
  /** In seconds. */
  observedDays: new Set<number>(),
  /** Those that the service removed by itself, in that order. */
  removedClients: new Map<string, KeptAside>(),
  /** By the digest of the client_id, those of removed clients that are remembered. */
  tombstones: new Map<string, Tombstone>(),
  tokens: new Rows<InitialAccessToken, 'registration'>({ registration: ({ owner }) => [owner?.registration_id] }),
  keyedRegistrations: new Rows<KeyedRegistration, 'registration'>({ registration: byRegistration }),
  operatorTokens: new Map<string, OperatorToken>(),
  /** By kind and hash. */
  authorizations: new Rows<ClientAuthorization, 'registration' | 'session'>({
    registration: byRegistration,
    session: ({ session }) => [session],
  }),
  /** By kind and hash. */
  artefacts: new Rows<StoredGrantPart, 'registration' | 'session' | 'grant' | 'name' | 'consent'>({
    registration: ({ artefact }) => [artefact.client?.registration_id],
    session: ({ artefact }) => [artefact.session],
    grant: ({ artefact }) => [artefact.grant],
    name: ({ artefact: { kind, name } }) => [name && `${kind} ${name}`],
    consent: ({ artefact: { sub, client } }) => [sub && client && consentKey(sub, client)],
  }),
  /** By sub and registration; live ones. */
  connections: new Rows<StoredConnection, 'registration'>({
    registration: ({ consent }) => byRegistration(consent.client),
  }),
  /** The same, of those that were revoked. */
  revokedConnections: new Rows<StoredConnection, 'registration'>({
    registration: ({ consent }) => byRegistration(consent.client),
  }),
  sessions: new Rows<StoredSession, 'registration' | 'cookie' | 'sub'>({
    registration: ({ session }) => session.clients.flatMap(byRegistration),
    cookie: ({ cookie }) => [cookie],
    sub: ({ session }) => [session.sub],
  }),
  /** The confirmation pages that ended a session. */
  endingConfirmations: new Map<string, EndingConfirmation>(),
  notifications: new Rows<StoredNotification, 'registration' | 'client' | 'claimed'>({
    registration: ({ entry }) => byRegistration(entry),
    client: ({ entry }) => [entry.client_id],
    claimed: ({ claim }) => [claim && 'yes'],
  }),
  /** In the order of their positions. */
  events: new Array<StoredProviderEvent>(),
  keyRings: new Map<string, KeyRing>(),
  foreignKeys: new Map<string, ForeignKey>(),
  leases: new Map<string, Lease>(),
  /** By kind, and by the digest of a source or a network; when the budget is whole again. */
  budgets: new Rows<{ readonly kind: BudgetKind; readonly wholeAt: number }, 'kind'>({
    kind: ({ kind }) => [kind],
  }),
  audit: {
    /** By mac, in the order of their ordinals. */
    rows: new Map<string, StoredAuditRow>(),
    checkpoints: new Map<number, StoredCheckpoint>(),
  },
  /** By registration and digest; the UTC day of the last use. */
  secretUses: new Rows<
    { readonly registration_id: string; readonly secret: TokenHash; readonly used_at: EpochSeconds },
    'registration'
  >({
    registration: byRegistration,
  }),
  refusals: { counts: [], refusals: [] } as ObservedRefusals,
  digestKey: undefined as string | undefined,
})

export type State = ReturnType<typeof newState>

export const emptyState = (): State => newState()

/** The next version of a client. An approved one waits for its first use anew: what was announced before is no notice of that. */
export const replaceStored = ({ clients, uses }: State, next: RegisteredClient, replacing: RegisteredClient): void => {
  clients.set(next.client_id, next)
  const use = uses.get(next.client_id)
  if (replacing.approval !== undefined && next.approval === undefined && use?.parked !== undefined)
    uses.set(next.client_id, { position: use.position, unused: { fingerprint: undefined } })
}

const fill = (copied: object, from: object): void => {
  for (const [name, value] of Object.entries<unknown>({ ...from })) {
    const part: unknown = Reflect.get(copied, name)
    if (part instanceof Map && value instanceof Map) for (const [key, row] of value) part.set(key, row)
    else if (part instanceof Set && value instanceof Set) for (const each of value) part.add(each)
    else if (part instanceof Object && value instanceof Object) fill(part, value)
    else Reflect.set(copied, name, value)
  }
}

/** The same rows in a state of their own. Rows are replaced and never changed, so that both have them in common. */
export const copyState = (state: State): State => {
  const copied = emptyState()
  fill(copied, state)
  return copied
}

/** The verb of a port: its calls are steps, which run one after the other. */
export const step =
  <Arguments extends ReadonlyArray<unknown>, Outcome extends E.Either<unknown, unknown>>(
    run: (...given: Arguments) => Outcome,
  ): ((...given: Arguments) => Task<Outcome>) =>
  (...given) =>
  async () =>
    Promise.resolve().then(() => run(...given))

/** A verb that is never refused. */
export const certainly = <Arguments extends ReadonlyArray<unknown>, Value>(
  run: (...given: Arguments) => Value,
): ((...given: Arguments) => Task<E.Either<never, Value>>) => step((...given: Arguments) => E.right(run(...given)))

/** A row that is there already is not written again. */
export const writeAudit = ({ last, audit }: State, row: AuditRow | undefined): void => {
  if (row === undefined || audit.rows.has(row.mac)) return
  last.auditRow += 1
  audit.rows.set(row.mac, { ordinal: last.auditRow, ...row })
}

/** The end of a step that changed something: the row is written with the change. */
export const changed = (state: State, row: AuditRow | undefined): E.Either<never, void> => {
  writeAudit(state, row)
  return E.right(undefined)
}

/** Removes the row, and writes that of the audit log if there was one; whether there was. */
export const removeAudited = <Key>(state: State, rows: Map<Key, unknown>, key: Key, row?: AuditRow): boolean => {
  const removed = rows.delete(key)
  if (removed) writeAudit(state, row)
  return removed
}

/** Called in the step that causes the event. */
export const recordEvent = ({ events }: State, event: ProviderEvent): void => {
  events.push({ position: (events.at(-1)?.position ?? 0) + 1, event })
  // The list is cut at twice the minimum, so that it is cut rarely.
  if (events.length > 2 * minStoredEvents) events.splice(0, minStoredEvents)
}

export const expiry = ({ expires_at }: { readonly expires_at: EpochSeconds }): number => expires_at

/** The keys of what ended until the time, the first to end first, with a maximum. */
export const firstOver = <Key, Row>(
  rows: ReadonlyMap<Key, Row>,
  endOf: (row: Row) => number,
  until: number,
  max = Infinity,
): ReadonlyArray<Key> =>
  [...rows]
    .filter(([, row]) => endOf(row) <= until)
    .sort(([, one], [, other]) => endOf(one) - endOf(other))
    .slice(0, max)
    .map(([key]) => key)

/** Removes what ended until the time, the first to end first, with a maximum; returns its number. */
export const forgetOver = <Key, Row>(
  rows: Map<Key, Row>,
  endOf: (row: Row) => number,
  until: number,
  max?: number,
): number => firstOver(rows, endOf, until, max).filter((key) => rows.delete(key)).length

/** Whether the registration has not ended: a client that is registered again has another one. */
export const isRegistered =
  ({ clients }: State) =>
  ({ client_id, registration_id }: Registration): boolean =>
    clients.get(client_id)?.registration_id === registration_id
