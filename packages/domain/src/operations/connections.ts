// What end-users granted to applications: listed and revoked by the operator, one by one and many at once, and by the end-user
// of a browser. OpenID Connect Core §11, RFC 6819 §5.1.5.4; docs/operate/operators.md#connections.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type AuditActor, actorOfEndUser, actorOfOperator } from '../audit/entries.js'
import type { ForOperator, TokenHash } from '../authorization/credential.js'
import {
  type InvalidRequest,
  type Unavailable,
  type UnknownConnection,
  type UnknownSession,
  unknownConnection,
  unknownSession,
} from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import type { EndUserSession, Subject } from '../logout/sessions.js'
import { nextPage } from '../managing/filters.js'
import { type Parameters, decodeListQuery, tellsNothing } from '../managing/query.js'
import type { Answer, Clock, Hashing } from '../ports/outside.js'
import type { ClientRegistry, Connections, EndUserSessions } from '../ports/store.js'
import {
  type Connection,
  type ConnectionFilter,
  type DescribedConnection,
  connectionId,
  connectionParameters,
  describeConnection,
  positionOfConnection,
} from '../provider/connections.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import { type AuditPorts, type OperatorRequest, type WithOrigin, audited } from './audit.js'
import { type ChangeMany, changeMany } from './bulk.js'
import { findClients, findLiveSession } from './sessions.js'

// The operator lists connections by filters, and reads one of them.

type ReadingPorts = Connections & ClientRegistry & Clock

/** The clients of the connections, each by its registration. */
const clientsOf = (
  ports: ClientRegistry,
  connections: ReadonlyArray<Connection>,
): Answer<ReadonlyMap<string, RegisteredClient>> =>
  pipe(
    findClients(ports)([...new Set(connections.map(({ client }) => client.client_id))]),
    TE.map((clients) => new Map(clients.map((client) => [client.registration_id, client]))),
  )

const described = (
  ports: ClientRegistry,
  connections: ReadonlyArray<Connection>,
): Answer<ReadonlyArray<DescribedConnection>> =>
  pipe(
    clientsOf(ports, connections),
    TE.map((clients) =>
      connections.map((connection) =>
        describeConnection(connection, clients.get(connection.client.registration_id)?.metadata.client_name),
      ),
    ),
  )

/** A page may have fewer connections than asked for, also none: the list ends where there is no `next`. */
type ConnectionPage = { readonly connections: ReadonlyArray<DescribedConnection>; readonly next?: string }

export const listConnections =
  (
    ports: ReadingPorts,
  ): ForOperator<'connections:read', (query: Parameters) => Answer<ConnectionPage, InvalidRequest>> =>
  () =>
  (query) =>
    pipe(
      TE.fromEither(decodeListQuery(connectionParameters, query)),
      TE.flatMap(({ filter, after, limit }) => ports.searchConnections(filter, ports.now(), { after, limit })),
      TE.flatMap(({ connections, next }) =>
        pipe(
          described(ports, connections),
          TE.map((page) => ({ connections: page, ...nextPage(next) })),
        ),
      ),
    )

const findNamed = (ports: Connections & Clock, id: string): Answer<Connection, UnknownConnection> => {
  const position = positionOfConnection(id)
  return pipe(
    position === undefined ? TE.right(O.none) : ports.findConnection(position, ports.now()),
    TE.flatMapEither(E.fromOption(() => unknownConnection)),
  )
}

export const readConnection =
  (
    ports: ReadingPorts,
  ): ForOperator<'connections:read', (id: string) => Answer<DescribedConnection, UnknownConnection>> =>
  () =>
  (id) =>
    pipe(
      findNamed(ports, id),
      TE.flatMap((connection) => described(ports, [connection])),
      TE.flatMapEither(([connection]) => E.fromNullable(unknownConnection)(connection)),
    )

// Revoking a connection ends the consent and every token at once: no token of it is good at any instance from then on.

type RevokingPorts = Connections & Clock & AuditPorts

type Revoked = Pick<Connection, 'position' | 'sub' | 'client'>

/** Whether it was live. */
const revoke = (ports: RevokingPorts, request: WithOrigin, by: AuditActor, connection: Revoked): Answer<boolean> => {
  const at = ports.now()
  const { client_id } = connection.client
  const subject = connectionId(connection.position)
  const audit = audited(ports, request, { at, action: 'connection_revoked', actor: by, client_id, subject })
  return ports.revokeConnection({ connection, revoked: { at, by }, audit })
}

/** Succeeds, and changes nothing, where it was revoked before. */
export const revokeConnection =
  (ports: RevokingPorts) =>
  (request: OperatorRequest<'connections:write'> & { readonly id: string }): Answer<void, UnknownConnection> =>
    pipe(
      findNamed(ports, request.id),
      TE.flatMap((connection) => revoke(ports, request, actorOfOperator(request.operator), connection)),
      TE.map(() => undefined),
    )

/** All that a filter selects. */
export const revokeConnections = (
  ports: RevokingPorts & Hashing,
): ChangeMany<OperatorRequest<'connections:read' | 'connections:write'>> =>
  changeMany<ConnectionFilter, Connection, OperatorRequest<'connections:read' | 'connections:write'>, undefined>(
    ports,
    {
      change: 'revocation',
      things: 'connections',
      parameters: connectionParameters,
      tells: tellsNothing,
      search: (at) => (filter, range) =>
        pipe(
          ports.searchConnections(filter, at, range),
          TE.map(({ connections, ...rest }) => ({ found: connections, ...rest })),
        ),
      lastPosition: ports.lastConnection,
      changeOne: (request, connection) =>
        pipe(
          revoke(ports, request, actorOfOperator(request.operator), connection),
          TE.map((changed) => ({ changed })),
        ),
    },
  )

// The end-user of a browser.

export type OwnConnection = { readonly connection: Connection; readonly client: RegisteredClient }

export type OwnConnections = {
  readonly session: EndUserSession
  /** Without those whose registration has ended. */
  readonly connections: ReadonlyArray<OwnConnection>
}

const together = 500

const allOf = (ports: Connections, sub: Subject, at: EpochSeconds): Answer<ReadonlyArray<Connection>> => {
  const from = async (
    after: number,
    before: ReadonlyArray<Connection>,
  ): Promise<E.Either<Unavailable, ReadonlyArray<Connection>>> => {
    const page = await ports.searchConnections({ sub }, at, { after, limit: together })()
    if (E.isLeft(page)) return page
    const { connections, next } = page.right
    const all = [...before, ...connections]
    return next === undefined ? E.right(all) : from(next, all)
  }
  return () => from(0, [])
}

/** The live connections of the end-user who is signed in with the cookie. */
export const listOwnConnections =
  (ports: EndUserSessions & ClientRegistry & Connections & Clock) =>
  (cookie: TokenHash | undefined): Answer<OwnConnections, UnknownSession> =>
  async () => {
    const at = ports.now()
    const found = await findLiveSession(ports, at)(O.fromNullable(cookie))()
    if (E.isLeft(found)) return found
    const session = found.right
    if (session === undefined) return E.left(unknownSession)
    const listed = await allOf(ports, session.sub, at)()
    if (E.isLeft(listed)) return listed
    const clients = await clientsOf(ports, listed.right)()
    if (E.isLeft(clients)) return clients
    const connections = listed.right.flatMap((connection) => {
      const client = clients.right.get(connection.client.registration_id)
      return client === undefined ? [] : [{ connection, client }]
    })
    return E.right({ session, connections })
  }

/** Whether it was live. */
export const revokeOwnConnection =
  (ports: RevokingPorts & Hashing) =>
  (request: WithOrigin, connection: Connection): Answer<boolean> =>
    revoke(ports, request, actorOfEndUser(ports.hashToken, connection.sub), connection)
