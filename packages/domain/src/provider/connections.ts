// Connections: what an end-user granted to an application, with the tokens that hang on it. They are listed, chosen by filters,
// and ended.
import type { AuditActor } from '../audit/entries.js'
import { ClientId } from '../client/ids.js'
import type { EpochSeconds } from '../kernel/time.js'
import { useTime } from '../life-cycle/states.js'
import { Subject } from '../logout/sessions.js'
import { type Filters, oneOf, positionsWith, selecting, time } from '../managing/filters.js'
import type { ArtefactKind } from './artefacts.js'
import type { Consent } from './consent.js'

/** When a connection was revoked, and by whom. */
export type Revocation = { readonly at: EpochSeconds; readonly by: AuditActor }

export type Connection = Consent & {
  /** Positions increase, and are never given again: a later consent to what was revoked makes another connection. */
  readonly position: number
  /** The first consent, since which it was not revoked. */
  readonly since: EpochSeconds
  /** The UTC day of the last use (isConnectionUse); undefined before the first. */
  readonly last_use: EpochSeconds | undefined
  /** The tokens in force. A JWT is not among them: nobody stores it. */
  readonly access_tokens: number
  readonly refresh_tokens: number
  readonly revoked?: Revocation
}

const uses: ReadonlyArray<ArtefactKind> = ['authorization_code', 'access_token', 'refresh_token']

/** Whether the application uses the connection as it gets an artefact of the kind. */
export const isConnectionUse = (kind: ArtefactKind): boolean => uses.includes(kind)

export const connectionStates = ['live', 'revoked'] as const
export type ConnectionState = (typeof connectionStates)[number]

export const connectionStateOf = ({ revoked }: Pick<Connection, 'revoked'>): ConnectionState =>
  revoked === undefined ? 'live' : 'revoked'

/** A connection must satisfy all members that are there. */
export type ConnectionFilter = {
  readonly client_id?: ClientId
  readonly sub?: Subject
  /** A scope value, of the end-user or of a resource. */
  readonly scope?: string
  /** RFC 8707 §2 */
  readonly resource?: string
  /** Used on the day of that time or later. */
  readonly used_since?: EpochSeconds
  /** Begun before that time, and not used on its day or later. */
  readonly idle_since?: EpochSeconds
  /** Live where it is left out. */
  readonly state?: ConnectionState
}

// RFC 6749 §3.3
const isScopeValue = (text: string): boolean => /^[\x21\x23-\x5b\x5d-\x7e]{1,2048}$/.test(text)

export const connectionParameters: Filters<ConnectionFilter, Connection, unknown> = {
  client_id: {
    text: 'a client_id',
    read: (text) => (ClientId.is(text) ? text : undefined),
    holds: (id, { client }) => client.client_id === id,
  },
  sub: {
    text: 'the sub of an end-user',
    read: (text) => (Subject.is(text) ? text : undefined),
    holds: (wanted, { sub }) => sub === wanted,
  },
  scope: {
    text: 'one scope value',
    read: (text) => (isScopeValue(text) ? text : undefined),
    holds: (value, { scope, resources }) => [scope, ...Object.values(resources)].some((each) => each.includes(value)),
  },
  resource: {
    text: 'the URI of a resource',
    read: (text) => (text !== '' && text.length <= 2048 ? text : undefined),
    holds: (resource, { resources }) => Object.hasOwn(resources, resource),
  },
  // A use is known to the day: one of that day counts as later.
  used_since: time((since, { last_use }) => last_use !== undefined && last_use >= useTime(since)),
  idle_since: time((at, { since, last_use }) => since < at && (last_use === undefined || last_use < useTime(at))),
  state: oneOf(connectionStates, (state, connection) => connectionStateOf(connection) === state),
}

const selects = selecting(connectionParameters)

/** Whether the filter selects the connection: the law of each store. Total. */
export const matchesConnection = (filter: ConnectionFilter): ((connection: Connection) => boolean) =>
  selects({ state: 'live', ...filter }, undefined)

// The id of a connection says nothing of the end-user: it stands in paths, and in rows of the audit log.

export const { textOf: connectionId, positionOf: positionOfConnection } = positionsWith('c1-')

/** A connection as operators and programs see it. */
export type DescribedConnection = {
  readonly id: string
  readonly state: ConnectionState
  readonly client_id: ClientId
  readonly client_name?: string
  readonly sub: Subject
  readonly scopes: ReadonlyArray<string>
  readonly resources: Readonly<Record<string, ReadonlyArray<string>>>
  readonly since: EpochSeconds
  readonly last_use?: EpochSeconds
  readonly access_tokens: number
  readonly refresh_tokens: number
  readonly revoked_at?: EpochSeconds
  readonly revoked_by?: AuditActor
}

export const describeConnection = (connection: Connection, name: string | undefined): DescribedConnection => {
  const { position, client, sub, scope, resources, since, last_use, access_tokens, refresh_tokens, revoked } =
    connection
  return {
    id: connectionId(position),
    state: connectionStateOf(connection),
    client_id: client.client_id,
    ...(name === undefined ? {} : { client_name: name }),
    sub,
    scopes: scope,
    resources,
    since,
    ...(last_use === undefined ? {} : { last_use }),
    access_tokens,
    refresh_tokens,
    ...(revoked === undefined ? {} : { revoked_at: revoked.at, revoked_by: revoked.by }),
  }
}
