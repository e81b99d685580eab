// Finding clients, and changing all that a filter chooses.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type ForOperator, holds } from '../authorization/credential.js'
import { ClientId } from '../client/ids.js'
import {
  type ClientInForce,
  type CountChanged,
  type InvalidRequest,
  type Unavailable,
  type UnknownClient,
  countChanged,
  unknownClient,
} from '../kernel/refusals.js'
import {
  type ClientFilter,
  type DescribedClient,
  type FilterFacts,
  describeClient,
  positionText,
} from '../managing/filters.js'
import {
  type BulkAct,
  type BulkChange,
  type BulkRequest,
  type Parameters,
  type Rest,
  decodeClientQuery,
  readBulkRequest,
  restText,
} from '../managing/query.js'
import type { Answer, Clock, Hashing, LifeCycle, Turns } from '../ports/outside.js'
import type { ClientRegistry, ClientSearch, StreamedClient, Tombstones } from '../ports/store.js'
import type { RegistrationSettings } from '../registration/decide.js'
import { type ClientDescription, clientDescription, clientWithCredentials } from '../registration/information.js'
import { type RegisteredClient, type Representation, entityTagOf } from '../registration/registered-client.js'
import {
  type AuditPorts,
  type AuditWriting,
  type ByRequest,
  type OperatorRequest,
  type WithBody,
  auditedBy,
  writeAudited,
  writeAuditedIfPossible,
} from './audit.js'
import { type UnknownVersion, findForOperator } from './caller.js'
import { type ChangedState, approveClient, refuseClient, resumeClient, suspendClient } from './change.js'
import { mapConcurrently } from './conflicts.js'
import { removeListedClient } from './remove.js'

// The operator lists clients by filters, and reads one of them: docs/managing-clients.md.

/** A page may have fewer clients than asked for, also none: the list ends where there is no `next`. */
type ClientPage = { readonly clients: ReadonlyArray<DescribedClient>; readonly next?: string }

export const searchClients =
  ({
    searchClients: search,
    now,
    lifeCycle,
  }: ClientSearch & Clock & LifeCycle): ForOperator<
    'clients:read',
    (query: Parameters) => Answer<ClientPage, InvalidRequest>
  > =>
  () =>
  (query) =>
    pipe(
      TE.fromEither(decodeClientQuery(query)),
      TE.flatMap(({ filter, after, limit, fields }) => {
        const facts = { now: now(), lifeCycle }
        return pipe(
          search(filter, facts, { after, limit }),
          TE.map(({ clients, next }): ClientPage => {
            const described = clients.map(describeClient(facts, fields))
            return next === undefined ? { clients: described } : { clients: described, next: positionText(next) }
          }),
        )
      }),
    )

/** One client as the list describes it. */
export const readListedClient =
  ({
    findListedClient,
    now,
    lifeCycle,
  }: ClientSearch & Clock & LifeCycle): ForOperator<
    'clients:read',
    (id: string) => Answer<Representation<DescribedClient>, UnknownClient>
  > =>
  () =>
  (id) =>
    pipe(
      ClientId.is(id) ? findListedClient(id) : TE.right(O.none),
      TE.flatMapEither(E.fromOption(() => unknownClient)),
      TE.map((client) => ({
        body: describeClient({ now: now(), lifeCycle })(client),
        entityTag: entityTagOf(client),
      })),
    )

/** The credentials of a client, as they are stored. */
type ClientSecrets = {
  readonly client_id: string
  readonly client_secret?: string
  readonly client_secret_expires_at?: number
  readonly registration_access_token: string
}

/** The one request of management that shows credentials; each has an audit row. */
export const readClientSecrets =
  (
    ports: ClientRegistry & Clock & AuditWriting,
  ): ByRequest<'clients:read' | 'clients:secrets', (id: string) => Answer<ClientSecrets, UnknownClient>> =>
  (operator, request) =>
  (id) =>
    pipe(
      findForOperator(ports, id),
      TE.tap(({ client_id }) =>
        writeAudited(ports, auditedBy(ports, operator, request)(ports.now(), 'client_credentials_read', { client_id })),
      ),
      TE.map(({ client_id, secret, registration_access_token: { token } }) => ({
        client_id,
        ...secret,
        registration_access_token: token,
      })),
    )

/** The clients as a stream, and the projection for each; a Left is an unreadable client, or the end after a failure. */
export type ClientList<Reported = ClientDescription, Listed = RegisteredClient> = {
  readonly clients: AsyncIterable<StreamedClient<Listed>>
  readonly informationOf: (client: Listed) => Reported
}

/** The clients; with their credentials where the operator may see them. */
export const listClients =
  (
    settings: Pick<RegistrationSettings, 'registrationEndpoint'>,
    ports: ClientRegistry & Clock & AuditWriting,
  ): ByRequest<'clients:read', Answer<ClientList>> =>
  (operator, request) => {
    const showsCredentials = holds(operator, 'clients:secrets')
    const describe = showsCredentials ? clientWithCredentials : clientDescription
    const row = auditedBy(ports, operator, request)
    return pipe(
      writeAuditedIfPossible(ports, showsCredentials ? row(ports.now(), 'all_credentials_read') : undefined),
      TE.map(() => ({ clients: ports.streamClients(), informationOf: describe(settings.registrationEndpoint) })),
    )
  }

// The operator suspends, resumes, approves, refuses or removes all clients that a filter selects, in batches:
// docs/managing-clients.md.

type ChangeClientsPorts = ClientRegistry & ClientSearch & Clock & Hashing & Turns & AuditPorts & Tombstones & LifeCycle

/** The number of clients that the filter selects. */
type CountedClients = { readonly count: number }

/**
 * One batch: how many clients it changed, and how many were as requested, or removed, before. The next request takes `next`; it is left
 * out where all are done.
 */
type ChangedClients = { readonly changed: number; readonly unchanged: number; readonly next?: string }

/** Clients of one request, so that it ends soon; and those that are changed at once. */
const changedTogether = 200
const concurrency = 16
const countedTogether = 500

type Requested = OperatorRequest<'clients:read' | 'clients:write'>
type ChangeOne = (act: BulkAct, requested: Requested, id: ClientId) => Answer<boolean>

const countUntil = (
  { searchClients }: ChangeClientsPorts,
  filter: ClientFilter,
  facts: FilterFacts,
  until: number,
): Answer<number> => {
  const countFrom = async (after: number, before: number): Promise<E.Either<Unavailable, number>> => {
    const page = await searchClients(filter, facts, { after, until, limit: countedTogether })()
    if (E.isLeft(page)) return page
    const { clients, next } = page.right
    const count = before + clients.length
    return next === undefined ? E.right(count) : countFrom(next, count)
  }
  return () => countFrom(0, 0)
}

/** Whether the client was changed; one that is gone meanwhile is as requested. */
const changeOne = (ports: ChangeClientsPorts): ChangeOne => {
  const suspend = suspendClient(ports)
  const resume = resumeClient(ports)
  const approve = approveClient(ports)
  const refuse = refuseClient(ports)
  // The request names a filter and a count, and no version.
  const remove = removeListedClient({}, ports)
  const changed = (
    act: BulkAct,
    request: Requested & { readonly clientId: ClientId },
  ): Answer<Pick<ChangedState, 'unchanged'>, UnknownVersion | ClientInForce> => {
    switch (act.change) {
      case 'suspension':
        return suspend(request)
      case 'resumption':
        return resume(request)
      case 'approval':
        return approve(request)
      case 'refusal':
        return refuse({ ...request, reason: act.reason })
      case 'removal':
        return pipe(
          remove(request),
          TE.map(() => ({ unchanged: false })),
        )
    }
  }
  return (act, { operator, origin }, clientId) =>
    pipe(
      changed(act, { operator, clientId, origin }),
      TE.map(({ unchanged }) => !unchanged),
      TE.orElse((refusal) => (refusal.error === 'unavailable' ? TE.left(refusal) : TE.right(false))),
    )
}

const changeBatch = (change: BulkChange, ports: ChangeClientsPorts) => {
  const one = changeOne(ports)
  const nextText = restText(ports.hashToken, change)
  return async (
    act: BulkAct,
    requested: Requested,
    filter: ClientFilter,
    facts: FilterFacts,
    { count, after, until }: Rest,
  ): Promise<E.Either<Unavailable, ChangedClients>> => {
    const page = await ports.searchClients(filter, facts, { after, until, limit: changedTogether })()
    if (E.isLeft(page)) return page
    const tasks: ReadonlyArray<T.Task<E.Either<Unavailable, boolean>>> = page.right.clients.map(({ client_id }) =>
      one(act, requested, client_id),
    )
    const outcomes = await mapConcurrently(concurrency)(tasks)()
    const failed = outcomes.find(E.isLeft)
    // What was changed stays so: the same request again finds those that are left.
    if (failed !== undefined) return failed
    const changed = outcomes.filter((outcome) => E.isRight(outcome) && outcome.right).length
    const { next } = page.right
    const done = { changed, unchanged: outcomes.length - changed }
    return E.right(next === undefined ? done : { ...done, next: nextText(filter, { count, after: next, until }) })
  }
}

/**
 * The operator confirms the number of the clients at the beginning, which fixes the last of them: clients that are registered later are
 * not changed. Nothing is kept between the requests, so that any instance goes on with the next one, which needs `next` of
 * the answer: nobody makes one up.
 */
export const changeClients = (
  change: BulkChange,
  ports: ChangeClientsPorts,
): ((request: Requested & WithBody) => Answer<CountedClients | ChangedClients, InvalidRequest | CountChanged>) => {
  const batch = changeBatch(change, ports)
  const read = readBulkRequest(ports.hashToken, change)
  const perform =
    (
      requested: Requested,
      request: BulkRequest,
    ): Answer<CountedClients | ChangedClients, InvalidRequest | CountChanged> =>
    async () => {
      const facts = { now: ports.now(), lifeCycle: ports.lifeCycle }
      if (request.kind === 'go_on') return batch(request.act, requested, request.filter, facts, request)
      const until = await ports.lastPosition()
      if (E.isLeft(until)) return until
      const count = await countUntil(ports, request.filter, facts, until.right)()
      if (E.isLeft(count)) return count
      if (request.kind === 'count') return E.right({ count: count.right })
      if (request.count !== count.right) return E.left(countChanged(count.right))
      const rest = { count: count.right, after: 0, until: until.right }
      return batch(request.act, requested, request.filter, facts, rest)
    }
  return ({ operator, origin, body }) =>
    pipe(
      TE.fromEither(body),
      TE.flatMapEither(read),
      TE.flatMap((request) => perform({ operator, origin }, request)),
    )
}
